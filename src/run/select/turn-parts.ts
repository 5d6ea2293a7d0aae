// Splits a turn into texts that can be compared with those of another turn.
import { type Block, type Message, textOfBlock } from "../../protocol/capture.ts"
import { streamedPieces } from "../fold-delta.ts"
import { at, emptyList, firstIndexWhere } from "../model/chunked-list.ts"
import type { TurnPlace } from "../model/id.ts"
import type { Run } from "../model/run.ts"
import type { Entry } from "../model/session.ts"
import type { Captures } from "./captures.ts"
import { type RunTexts, textsInMemory, turnEntries } from "./run-texts.ts"
import { turnFacts } from "./turn-facts.ts"
import { refsIn } from "./turn-rows.ts"

export interface TurnParts {
  /** Empty if unknown. */
  readonly model: string
  readonly system: string
  readonly messages: string
  readonly tools: string
  readonly parameters: string
  readonly reply: string
  /** True if the request is complete because its capture was read; else the texts are what events reported. */
  readonly isWhole: boolean
}

/** The parts of a turn, from its captures if they were read, else from events. Costs the turns since the prompt. */
export function turnParts(
  { run, captures }: { readonly run: Run; readonly captures: Captures },
  place: TurnPlace,
): TurnParts {
  const texts = textsInMemory(run)
  const captured = refsIn(run, place).flatMap(ref => {
    const one = captures.get(ref)
    return one !== undefined && "capture" in one ? [one.capture] : []
  })
  const request = captured.find(one => one.type === "request")
  const response = captured.find(one => one.type === "response")
  const reported = reportedParts(texts, place)
  const named = (list: readonly { readonly name: string; readonly text: string }[]) =>
    list.map(({ name, text }) => (text === "" ? name : `${name}: ${text}`)).join("\n")
  return {
    model: turnFacts(run, place.session, place.turn, 0)?.model ?? "",
    system: request?.system ?? reported.system ?? systemBefore(run, place),
    messages: request === undefined ? reported.messages : request.messages.map(messageText).join("\n\n"),
    tools: named(request?.tools ?? []),
    parameters: named(request?.params ?? []),
    reply: response === undefined ? reported.reply : response.blocks.map(blockText).join("\n\n"),
    isWhole: request !== undefined,
  }
}

/** The texts of a turn that events reported; `system` is null if the prompt is that of the turn before. */
export function reportedParts(
  texts: RunTexts,
  place: TurnPlace,
): Pick<TurnParts, "messages" | "reply"> & { readonly system: string | null } {
  const { run } = texts
  const { session, turn } = place
  const own = turnEntries(texts, place)
  const system = own.findLast(({ type }) => type === "system")
  const buffer = run.turnBuffers[session]
  const isLatest = run.sessions[session]?.turns === turn && buffer !== undefined
  const streamed = isLatest ? streamedPieces(buffer).map(piece => piece.text) : []
  return {
    system: system === undefined ? null : joined(system),
    messages: reportedText(own, REQUEST_TYPES),
    reply: reportedText(own, REPLY_TYPES) + streamed.join(""),
  }
}

function systemBefore(run: Run, { session, turn }: TurnPlace): string {
  const entries = run.sessions[session]?.entries ?? emptyList
  for (let i = firstIndexWhere(entries, entry => entry.turn >= turn) - 1; i >= 0; i--) {
    const entry = at(entries, i)
    if (entry?.type === "system") return joined(entry)
  }
  return ""
}

const REQUEST_TYPES: readonly Entry["type"][] = ["user", "tool-result"]
const REPLY_TYPES: readonly Entry["type"][] = ["text", "thinking", "tool-call", "error"]

function reportedText(entries: readonly Entry[], types: readonly Entry["type"][]): string {
  return entries
    .filter(({ type }) => types.includes(type))
    .map(entry => (entry.type === "tool-call" ? `${entry.name} ${joined(entry)}` : joined(entry)))
    .join("\n\n")
}

function joined(entry: Entry): string {
  return entry.text.join("")
}

function messageText({ role, blocks }: Message): string {
  return `${role}: ${blocks.map(blockText).join("\n")}`
}

function blockText(block: Block): string {
  return block.type === "tool-call" ? `${block.name} ${block.input}` : textOfBlock(block)
}
