// Charges the usage that events report to the accounts of the ledger: the run's, and its parts'.
import type { TokenCounts } from "../../packages/wire/src/event-body.ts"
import {
  type Account,
  type Bill,
  isEmptyAccount,
  isSameAccount,
  noBill,
  partsWith,
  sumOfAccounts,
} from "./model/ledger.ts"
import { costOf, priceOf } from "./model/prices.ts"
import type { Run } from "./model/run.ts"
import type { Mutable, Turn, TurnBuffer } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"
import { partsOf } from "./turn-replies.ts"

const NANOS = 1e9
/** A reply that costs more is not believed: sums of nanos must stay whole. */
const MOST_DOLLARS = 1e6

export const isBelieved = (dollars: number): boolean => dollars <= MOST_DOLLARS
export const nanosOf = (dollars: number): number => Math.round(dollars * NANOS)

/** Adds a bill, `times` times, to all accounts that it belongs to; one of no session belongs to the run alone. */
export function charge(builder: RunBuilder, index: number | null, bill: Bill, times: 1 | -1 = 1): void {
  chargeSession(builder, index, bill, times)
  if (index === null) return
  const turn = builder.turn(index)
  if (turn.models !== null || bill.model !== (turn.model ?? "")) turn.models = partsWith(partsOf(turn), bill, times)
  turn.account = builder.ledger.added(turn.account, bill.account, times)
}

/** Names the model of a turn, whose usage so far stays that of the model before. */
export function nameModel(turn: Mutable<Turn>, model: string | null): void {
  if (model === null || model === turn.model) return
  if (!isEmptyAccount(turn.account)) turn.models = partsOf(turn)
  turn.model = model
}

/** As `charge`, but adds nothing to the account of the session's current turn. */
export function chargeSession(
  builder: RunBuilder,
  index: number | null,
  { state, model, account: amount }: Bill,
  times: 1 | -1,
): void {
  const { ledger } = builder
  ledger.addBill({ state, model, account: amount }, times)
  if (index === null) {
    ledger.addToUnowned(amount, times)
    return
  }
  const session = builder.session(index)
  session.account = ledger.added(session.account, amount, times)
}

/** Charges a retry or a call to a session's current turn. A reply from a capture costs nothing. */
export function chargeTurn(builder: RunBuilder, index: number, account: Account, tool?: string): void {
  const turn = builder.run.turnBuffers[index]?.turn
  if (turn === undefined || turn.captured) return
  const { state, model } = turn
  if (tool !== undefined) builder.ledger.addToNamed("tools", tool, account, 1)
  charge(builder, index, { state: state ?? stateNow(builder), model: model ?? "", account })
}

/**
 * Replaces the charge for a session's current reply by its bill so far. Deltas don't call this, so a reply that streams
 * is charged at its next event (`open-replies.ts`).
 */
export function billReply(builder: RunBuilder, index: number): void {
  const buffer = builder.run.turnBuffers[index]
  if (buffer === undefined) return
  const { bill } = buffer.turn
  const next = billOf(builder.run, buffer.turn, buffer)
  if (next.state === bill.state && next.model === bill.model && isSameAccount(next.account, bill.account)) return
  builder.turn(index).bill = next
  if (bill.state === next.state && bill.model === next.model) {
    charge(builder, index, { ...next, account: sumOfAccounts(next.account, bill.account, -1) })
    return
  }
  if (bill !== noBill) charge(builder, index, bill, -1)
  if (next !== noBill) charge(builder, index, next)
}

/** The cost of a reply in dollars: as reported, else by the user's prices. Null if it is unknown. */
export function replyDollars(
  { options: { prices } }: Pick<Run, "options">,
  model: string | null,
  counts: TokenCounts,
  reported: number | null,
): number | null {
  const known = reported ?? costOf(priceOf(prices, model), counts)
  return known !== null && isBelieved(known) ? known : null
}

export type Streamed = Pick<TurnBuffer, "deltas" | "tokens">

/** The bill of a reply so far. Its cost is known once it is over. */
export function billOf(run: Pick<Run, "chart" | "options">, turn: Turn, streamed: Streamed): Bill {
  const { deltas, tokens } = streamed
  const { captured, requestTs, firstTs, endTs, replied, counts, reported, closed } = turn
  const hasBegun = requestTs !== null || deltas > 0 || replied
  if (captured || !hasBegun) return noBill
  const isOver = replied || endTs !== null || closed
  const began = requestTs ?? firstTs
  const dollars = isOver ? replyDollars(run, turn.model, counts, reported) : null
  const isTimed = requestTs !== null && firstTs !== null
  // All keys, in the order of `noAccount`: the engine adds up accounts of one shape far faster.
  const account: Account = {
    requests: counts.requests,
    retries: 0,
    input: counts.input ?? 0,
    cached: counts.cached ?? 0,
    written: counts.written ?? 0,
    output: tokens,
    reasoning: counts.reasoning ?? 0,
    nanos: nanosOf(dollars ?? 0),
    priced: dollars === null ? 0 : 1,
    unpriced:
      (isOver && dollars === null ? reportedReplies(turn, streamed) : 0) +
      (closed ? unreportedReplies(turn, tokens) : 0),
    firstTokens: isTimed ? 1 : 0,
    firstTokenMs: isTimed ? Math.max(0, firstTs - requestTs) : 0,
    modelMs: began === null || endTs === null ? 0 : Math.max(0, endTs - began),
    toolMs: 0,
    humanMs: 0,
    calls: 0,
    failedCalls: 0,
  }
  return { state: turn.state ?? stateNow({ run }), model: turn.model ?? "", account }
}

/** True if the reply reports its usage. Most agent CLIs report it in the result of the run only. */
function isTold({ counts, reported }: Turn, tokens: number): boolean {
  return counts.input !== null || tokens > 0 || reported !== null
}

/** The number of replies whose usage the current one reports; a cut reply counts once words came. */
function reportedReplies(turn: Turn, { deltas, tokens }: Streamed): number {
  const { counts, replied, unreported } = turn
  if (!replied) return deltas > 0 || isTold(turn, tokens) ? 1 : 0
  if (!isTold(turn, tokens)) return 0
  return counts.summed ? unreported + counts.requests : Math.max(1, counts.requests)
}

/** The number of replies of the session without a report of their usage, the current one included. */
export function unreportedReplies(turn: Turn, tokens: number): number {
  const { captured, counts, replied, unreported } = turn
  if (captured || !replied) return unreported
  if (!isTold(turn, tokens)) return unreported + counts.requests
  // A response that continues a reply reports that reply too.
  return counts.summed ? 0 : Math.max(0, counts.requests === 0 ? unreported - 1 : unreported)
}

/** Closes the account of a session, or all accounts: usage not reported by then remains unknown. */
export function closeAccounts(builder: RunBuilder, indexes: Iterable<number> = builder.run.sessions.keys()): void {
  for (const index of indexes) {
    if (builder.run.turnBuffers[index]?.turn.closed !== false) continue
    builder.turn(index).closed = true
    billReply(builder, index)
  }
}

/** The chart's state now: the one of this node if it is active, else `known`, else the innermost. */
export function stateNow(
  { run }: { readonly run: Pick<Run, "chart"> },
  nodeId?: string,
  known: string | null = null,
): string {
  const { visits, config } = run.chart
  const active = visits.active.length > 0 ? visits.active : config
  const node = nodeId?.replace(/^:/, "")
  const named = node === undefined ? undefined : active.find(state => state.replace(/^:/, "") === node)
  return named ?? known ?? active.at(-1) ?? ""
}
