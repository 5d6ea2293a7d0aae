// Splits a turn into texts that can be compared with those of another turn.
import { type Block, textOfBlock } from "../../../packages/wire/src/capture.ts"
import { streamedPieces } from "../fold-delta.ts"
import { at, firstIndexWhere } from "../model/chunked-list.ts"
import type { TurnPlace } from "../model/id.ts"
import type { Run } from "../model/run.ts"
import type { Entry } from "../model/session.ts"
import { replyOfTurn } from "../turn-replies.ts"
import type { Captures } from "./captures.ts"
import { eventPassages, type Passage } from "./passages.ts"
import { type RunTexts, textsInMemory, turnEntries } from "./run-texts.ts"
import { turnFacts } from "./turn-facts.ts"
import { refsIn } from "./turn-rows.ts"

export type TurnParts = Readonly<ReturnType<typeof turnParts>>

/** The parts of a turn, from its captures if they were read, else from events. Costs the turn and a search. */
export function turnParts({ run, captures }: { readonly run: Run; readonly captures: Captures }, place: TurnPlace) {
  const texts = textsInMemory(run)
  const captured = refsIn(run, place).flatMap(ref => {
    const one = captures.get(ref)
    return one !== undefined && "capture" in one ? [one.capture] : []
  })
  const request = captured.find(one => one.type === "request")
  const reported = reportedParts(texts, place)
  const named = (list: readonly { readonly name: string; readonly text: string }[]) =>
    list.map(({ name, text }) => (text === "" ? name : `${name}: ${text}`)).join("\n")
  return {
    /** Empty if unknown. */
    model: turnFacts(run, place.session, place.turn, 0)?.model ?? "",
    system: request?.system ?? reported.system ?? systemBefore(run, place),
    messages:
      request?.messages.map(({ role, blocks }) => `${role}: ${blocks.map(blockText).join("\n")}`).join("\n\n") ??
      reported.messages,
    tools: named(request?.tools ?? []),
    parameters: named(request?.params ?? []),
    reply: replyText(run, place, captures),
    /** True if the request is complete, from its capture; else the texts are those of events. */
    isWhole: request !== undefined,
  }
}

/** The texts of a turn that events reported; `system` is null if the prompt is that of the turn before. */
export function reportedParts(texts: RunTexts, place: TurnPlace) {
  const { run } = texts
  const own = turnEntries(texts, place)
  const system = own.findLast(({ type }) => type === "system")
  return {
    system: system === undefined ? null : joined(system),
    messages: reportedText(own, REQUEST_TYPES),
    reply: withStreamed(reportedText(own, REPLY_TYPES), run, place),
  }
}

/** All replies of a turn, in full where its capture has one of them. */
function replyText(run: Run, place: TurnPlace, captures: Captures): string {
  const passages = eventPassages(turnEntries(textsInMemory(run), place), captures).flatMap(event => event.passages)
  return withStreamed(passagesText(passages, REPLY_TYPES), run, place)
}

/** The replies of a turn, and behind them the text that streams now. */
function withStreamed(said: string, { sessions, turnBuffers }: Run, { session, turn }: TurnPlace): string {
  const buffer = turnBuffers[session]
  if (sessions[session]?.turns !== turn || buffer === undefined) return said
  const streamed = streamedPieces(buffer).map(piece => piece.text)
  return [said, streamed.join("")].filter(text => text !== "").join("\n\n")
}

/** The system text of an earlier turn, which holds for this turn too. */
function systemBefore(run: Run, { session, turn }: TurnPlace): string {
  const known = run.sessions[session]
  if (known === undefined || known.system === null) return ""
  const { entries } = known
  const order = replyOfTurn(known, turn)?.systemOrder ?? known.systemOrder
  let index = firstIndexWhere(entries, entry => entry.order >= order)
  for (; at(entries, index)?.order === order; index++) {
    const entry = at(entries, index)
    if (entry?.type === "system") return joined(entry)
  }
  return ""
}

const REQUEST_TYPES: readonly Entry["type"][] = ["user", "tool-result"]
const REPLY_TYPES: readonly Entry["type"][] = ["text", "thinking", "tool-call", "error"]

function reportedText(entries: readonly Entry[], types: readonly Entry["type"][]): string {
  return passagesText(
    entries.map(entry => ({ ...entry, text: joined(entry) })),
    types,
  )
}

function passagesText(passages: readonly Pick<Passage, "type" | "name" | "text">[], types: readonly Entry["type"][]) {
  return passages
    .filter(({ type }) => types.includes(type))
    .map(({ type, name, text }) => (type === "tool-call" ? `${name} ${text}` : text))
    .join("\n\n")
}

function joined(entry: Entry): string {
  return entry.text.join("")
}

function blockText(block: Block): string {
  return block.type === "tool-call" ? `${block.name} ${block.input}` : textOfBlock(block)
}
