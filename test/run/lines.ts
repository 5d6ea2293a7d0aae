// Encodes lines as the agent does and decodes them with the real decoder.
import { expect } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import type { GroupId, SessionId } from "../../src/run/model/id.ts"
import { emptyRun, frameNumber, type Row, type Run } from "../../src/run/model/run.ts"
import { deepFreeze } from "../freeze.ts"

export function line(row: object): Decoded {
  return decode(JSON.stringify(row))
}

/** The line of an event; its `ts` defaults to 1000 plus its `seq`, in ms. */
export function eventText(
  seq: number | null,
  name: string,
  data: object = {},
  ts: number | null = 1000 + (seq ?? 0),
): string {
  return JSON.stringify({ kind: "event", ...(seq === null ? {} : { seq }), ts, event: name, data })
}

export function event(...told: Parameters<typeof eventText>): Decoded {
  return decode(eventText(...told))
}

/** The keys of a delta besides its text. */
interface DeltaKeys {
  readonly invokeid?: string
  readonly "session-id"?: string | null
  readonly type?: "text-delta" | "thinking-delta"
  readonly coalesced?: number
  readonly usage?: { readonly "output-tokens": number }
  readonly model?: string
  readonly ts?: number
}

/** A delta of session `s` under invokeid `a`, unless the keys say otherwise. */
export function delta(seq: number | null, text: string, keys: DeltaKeys = {}): Decoded {
  const { ts, ...data } = keys
  return event(seq, "llm/delta", { type: "text-delta", invokeid: "a", "session-id": "s", ...data, text }, ts)
}

/** The ids of the session in most tests. */
export const ids = { invokeid: "a", "session-id": "s" } as const

/** An attachment, as a recording has it and as a live link is folded. */
export const attach: Decoded = line({ kind: "sidecar", at: 1, what: "link", state: "open" })

/**
 * The run after `lines`, from `from`. Every state is frozen, and folding line by line must say the same as folding all
 * at once, so that each test holds for both.
 */
export function tell(lines: readonly Decoded[], from: Run = emptyRun): Run {
  const whole = deepFreeze(fold(deepFreeze(from), lines))
  const single = lines.reduce((run, one) => deepFreeze(fold(run, [one])), from)
  expect(single).toEqual(whole)
  return whole
}

/** The run after each frame, folded line by line; the first is the one before any line. */
export function runsOf(lines: readonly string[], first: Run = emptyRun): readonly Run[] {
  const all = [first]
  let run = first
  for (const text of lines) {
    const before = frameNumber(run)
    run = fold(run, [decode(text)])
    if (frameNumber(run) > before) all.push(run)
  }
  return all
}

/** The id of the session at this index, which must be there. */
export function idAt(run: Run, index: number): SessionId {
  const session = run.sessions[index]
  if (session === undefined) throw new RangeError(`no session ${index}`)
  return session.id
}

/** The id of the group at this index, which must be there. */
export function groupAt(run: Run, index: number): GroupId {
  const group = run.invocations[index]
  if (group === undefined) throw new RangeError(`no group ${index}`)
  return group.id
}

/** A run without its counts of lines, duplicates and attachments. */
export function meaning({ frames, attachment: _, ...rest }: Run): unknown {
  return { ...rest, frames: { ...frames, duplicate: 0, lines: 0 } }
}

export function rowsOf(run: Run): readonly Row[] {
  return slice(run.log.rows, 0, run.log.rows.length)
}

/** Each row of the log in short: its event, or its kind. */
export function logOf(run: Run): readonly string[] {
  return rowsOf(run).map(({ what }) => {
    if (what.kind === "event") return what.name
    if (what.kind === "breakpoint") return `breakpoint ${what.condition}: ${what.outcome}`
    if (what.kind === "disk") return `disk ${what.rows}, ${what.absent} absent${what.approximate ? ", a guess" : ""}`
    if (what.kind === "evicted") return what.name ?? what.type
    if (what.kind === "parser" || what.kind === "prompt" || what.kind === "connection")
      return `${what.kind} ${what.why}`
    return what.kind === "gap" ? `gap ${what.from}-${what.to}: ${what.missing}` : `${what.kind} ${what.op}: ${what.why}`
  })
}
