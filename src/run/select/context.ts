// Lists the parts of a turn's context, and an estimate of the tokens of each.

import { type Block, type Capture, type Message, textOfBlock } from "../../../packages/wire/src/capture.ts"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { quotedLine } from "../../../packages/wire/src/sanitize.ts"
import { derived } from "../model/derived.ts"
import type { TurnPlace } from "../model/id.ts"
import { contextLimitOf } from "../model/prices.ts"
import type { Run } from "../model/run.ts"
import { accountOfTurn } from "../open-replies.ts"
import type { CapturedRun } from "./captures.ts"
import { noTurnFacts, turnFacts } from "./turn-facts.ts"
import { requestRef } from "./turn-rows.ts"

export const PART_KINDS = ["system", "tools", "message", "result", "thinking"] as const
export type PartKind = (typeof PART_KINDS)[number]

/** A part of a request: the system prompt, one tool, one message with its calls, one tool result, or thinking. */
export interface ContextPart {
  readonly kind: PartKind
  /** Of a result its tool, of a message its number and role. May be shown, as may `begin`. */
  readonly name: string
  /** Its beginning on one line; of a result, the input of its tool. */
  readonly begin: string
  readonly text: string
  readonly characters: number
}

export type TurnContext = Readonly<ReturnType<typeof contextOf>>

/** The context of a turn. Costs a search, and the blocks of a capture that is read for the first time. */
export function contextOf({ run, captures }: CapturedRun, place: TurnPlace) {
  const { session, turn } = place
  const { context, model } = turnFacts(run, session, turn, run.lastTs ?? 0) ?? noTurnFacts
  const requests = Math.max(1, accountOfTurn(run, session, turn).requests)
  const ref = requestRef(run, place)
  const captured = ref === null ? undefined : captures.get(ref)
  const parts = captured !== undefined && "capture" in captured ? partsOf(captured.capture) : null
  const why = captured !== undefined && "why" in captured ? captured.why : null
  return {
    turn,
    /** Counted input tokens of the turn's latest request; null if they are unknown for one request. */
    input: context.latest,
    cached: context.cached,
    /** Input tokens of its first request, whose parts are known. */
    first: context.first,
    requests,
    /** The model's limit of input tokens; null if it is unknown. */
    limit: contextLimitOf(run, model),
    /** In the order of the request; null without its capture. */
    parts,
    characters: charactersOf(parts ?? []),
    /** Why there are no parts: the capture is not read yet (`ref`), can't be read (`why`), or no event names it. */
    missing: parts === null ? { ref, why: why ?? (captured === undefined ? null : "it holds no request") } : null,
  }
}

/** The tokens of a part of a request, estimated by its share of the characters. */
export function tokensOf({ first, characters: all }: TurnContext, characters: number): number | null {
  return first === null || all === 0 ? null : Math.round((first * characters) / all)
}

/** The characters of some parts together. */
export function charactersOf(parts: readonly ContextPart[]): number {
  return parts.reduce((sum, { characters }) => sum + characters, 0)
}

/** The parts that the request before did not have as they are now; null if one of both requests is unknown. */
export function newParts(now: TurnContext, before: TurnContext | null): readonly ContextPart[] | null {
  if (now.parts === null || before === null || before.parts === null) return null
  const left = new Map<string, number>()
  for (const { text } of before.parts) left.set(text, (left.get(text) ?? 0) + 1)
  return now.parts.filter(({ text }) => {
    const times = left.get(text) ?? 0
    left.set(text, times - 1)
    return times <= 0
  })
}

/** Parts that are printed by name. */
const LARGEST = 5
/** UTF-16 units of how each begins. */
const BEGIN = 80

/** The context of a turn as `fold` prints it (docs/reference.md). */
export function contextReport(known: CapturedRun, place: TurnPlace): JsonObject {
  const context = contextOf(known, place)
  const before = place.turn > 1 ? contextOf(known, { ...place, turn: place.turn - 1 }) : null
  const fresh = newParts(context, before)
  const sized = (characters: number) => ({ characters, tokens: tokensOf(context, characters) })
  const { turn, input, cached, first, requests, limit, parts } = context
  const largest = (parts ?? []).toSorted((a, b) => b.characters - a.characters).slice(0, LARGEST)
  return {
    turn,
    requests,
    inputTokens: input,
    cachedTokens: cached,
    firstInputTokens: first,
    limitTokens: limit?.tokens ?? null,
    limitBy: limit?.by ?? null,
    parts: parts && PART_KINDS.map(kind => ({ kind, ...sized(charactersOf(parts.filter(one => one.kind === kind))) })),
    largest:
      parts &&
      largest.map(part => ({
        kind: part.kind,
        name: part.name,
        begin: part.begin.slice(0, BEGIN).toWellFormed(),
        ...sized(part.characters),
        new: fresh?.includes(part) ?? null,
      })),
    new: fresh && sized(charactersOf(fresh)),
  }
}

/** The captures that hold the context of each session's latest turn, and its new parts. */
export function latestRefs(run: Run): readonly string[] {
  return run.sessions.flatMap(({ turns }, session) =>
    [turns - 1, turns].flatMap(turn => (turn < 1 ? [] : (requestRef(run, { session, turn }) ?? []))),
  )
}

/** A capture's parts are drawn with every frame. */
const split = derived<readonly ContextPart[]>()

function partsOf(capture: Capture): readonly ContextPart[] | null {
  if (capture.type !== "request") return null
  return split([capture], () => splitRequest(capture))
}

function splitRequest(capture: Extract<Capture, { readonly type: "request" }>): readonly ContextPart[] {
  const calls = callsIn(capture.messages)
  return [
    ...(capture.system === null ? [] : [partOf("system", "system prompt", capture.system)]),
    ...capture.tools.map(({ name, text }) => partOf("tools", quotedLine(name), withoutIndent(text || name))),
    ...capture.messages.flatMap((message, index) => partsOfMessage(message, index + 1, calls)),
  ]
}

type Call = Extract<Block, { readonly type: "tool-call" }>

function callsIn(messages: readonly Message[]): ReadonlyMap<string, Call> {
  const calls = messages.flatMap(({ blocks }) => blocks.filter(block => block.type === "tool-call"))
  return new Map(calls.flatMap(call => (call.callId === undefined ? [] : [[call.callId, call]])))
}

function partsOfMessage(
  { role, blocks }: Message,
  number: number,
  calls: ReadonlyMap<string, Call>,
): readonly ContextPart[] {
  const name = `${number} ${quotedLine(role)}`
  const thinking = blocks.flatMap(block => (block.type === "thinking" ? [block.text] : [])).join("\n")
  const said = blocks.flatMap(block => {
    if (block.type === "thinking" || block.type === "tool-result") return []
    return [block.type === "tool-call" ? block.name + block.input : textOfBlock(block)]
  })
  const results = blocks.flatMap(block => {
    if (block.type !== "tool-result") return []
    const call = calls.get(block.callId ?? "")
    return [partOf("result", call === undefined ? name : quotedLine(call.name), block.text, call?.input)]
  })
  return [
    ...(thinking === "" ? [] : [partOf("thinking", name, thinking)]),
    ...(said.length === 0 ? [] : [partOf("message", name, said.join(""))]),
    ...results,
  ]
}

function partOf(kind: PartKind, name: string, text: string, begin = text): ContextPart {
  return { kind, name, begin: quotedLine(begin), text, characters: text.length }
}

/** A definition as it is sent: its line breaks and indentation were put in for reading. */
function withoutIndent(text: string): string {
  return text.replace(/\n */g, "")
}
