// Splits a turn into texts that can be compared with those of another turn.
import { type Block, type Message, textOfBlock } from "../../protocol/capture.ts"
import { streamedPieces } from "../fold-delta.ts"
import { slice } from "../model/chunked-list.ts"
import type { TurnPlace } from "../model/id.ts"
import type { Run } from "../model/run.ts"
import type { Entry } from "../model/session.ts"
import type { Captures } from "./captures.ts"
import { turnFacts } from "./turn-facts.ts"

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

/** The parts of a turn, from its captures if they were read, else from events. */
export function turnParts(
  { run, captures }: { readonly run: Run; readonly captures: Captures },
  { session: index, turn }: TurnPlace,
): TurnParts {
  const session = run.sessions[index]
  const all = session === undefined ? [] : slice(session.entries, 0, session.entries.length)
  const own = all.filter(entry => entry.turn === turn)
  const refs = [...new Set(own.flatMap(({ ref }) => ref ?? []))]
  const captured = refs.flatMap(ref => {
    const one = captures.get(ref)
    return one !== undefined && "capture" in one ? [one.capture] : []
  })
  const request = captured.find(one => one.type === "request")
  const response = captured.find(one => one.type === "response")
  const buffer = run.turnBuffers[index]
  const streamed =
    session?.turns === turn && buffer !== undefined ? streamedPieces(buffer).map(piece => piece.text) : []
  const named = (list: readonly { readonly name: string; readonly text: string }[]) =>
    list.map(({ name, text }) => (text === "" ? name : `${name}: ${text}`)).join("\n")
  return {
    model: turnFacts(run, index, turn, 0)?.model ?? "",
    system: request?.system ?? joined(all.findLast(entry => entry.type === "system" && entry.turn <= turn)),
    messages: request === undefined ? reportedText(own, REQUEST_TYPES) : request.messages.map(messageText).join("\n\n"),
    tools: named(request?.tools ?? []),
    parameters: named(request?.params ?? []),
    reply:
      response === undefined
        ? reportedText(own, REPLY_TYPES) + streamed.join("")
        : response.blocks.map(blockText).join("\n\n"),
    isWhole: request !== undefined,
  }
}

const REQUEST_TYPES: readonly Entry["type"][] = ["user", "tool-result"]
const REPLY_TYPES: readonly Entry["type"][] = ["text", "thinking", "tool-call", "error"]

function reportedText(entries: readonly Entry[], types: readonly Entry["type"][]): string {
  return entries
    .filter(({ type }) => types.includes(type))
    .map(entry => (entry.type === "tool-call" ? `${entry.name} ${joined(entry)}` : joined(entry)))
    .join("\n\n")
}

function joined(entry: Entry | undefined): string {
  return entry?.text.join("") ?? ""
}

function messageText({ role, blocks }: Message): string {
  return `${role}: ${blocks.map(blockText).join("\n")}`
}

function blockText(block: Block): string {
  return block.type === "tool-call" ? `${block.name} ${block.input}` : textOfBlock(block)
}
