// Arranges one session of an exported run: its turns in order, with full texts where captures have them.
import type { Captured } from "../../packages/wire/src/capture.ts"
import { streamedEntries } from "../run/event-entries.ts"
import { at, firstIndexWhere } from "../run/model/chunked-list.ts"
import type { Account } from "../run/model/ledger.ts"
import type { Run } from "../run/model/run.ts"
import type { Entry, Session, TurnBuffer } from "../run/model/session.ts"
import { rateOf, reasonOf, sessionName, timeToFirstToken, usageOf } from "../run/select/figures.ts"
import { CaptureClaims, groupByEvent, isToldAgain, type Passage, passagesOf } from "../run/select/passages.ts"
import type { RunTexts } from "../run/select/run-texts.ts"
import { noTurnFacts, turnFacts } from "../run/select/turn-facts.ts"
import { moneyWords } from "../run/select/usage.ts"
import { toolCallText } from "../transcript/tool-arguments.ts"
import { type SegmentPassage, segmentPassages } from "../transcript/tool-calls.ts"
import { turnWords } from "../transcript/turn-heading.ts"
import { count, duration, rate } from "../ui/text-width.ts"

/** Makes a text safe to show and removes secrets if asked for. */
export type CleanText = (text: string) => string

export interface Fact {
  readonly name: string
  readonly value: string
  /** The anchor of its subject; absent if there is none. */
  readonly link?: string | null
}

/** All fields may be shown. */
export interface Section {
  readonly anchor: string
  /** Null if the document's title is its own. */
  readonly title: string | null
  readonly facts: readonly Fact[]
  /** True if turns need a heading: there are several, or it is not the first. */
  readonly numbered: boolean
  turns(): Iterable<ExportedTurn>
  /** The anchor of a turn, or of the section where it has no heading. */
  anchorOf(turn: number): string
}

export interface ExportedTurn {
  readonly anchor: string
  readonly turn: number
  /** Model, duration and tokens, as far as known. */
  readonly facts: readonly string[]
  /** The blocks of the turn, read on demand since captures may be long. Never rejects. */
  blocks(): Promise<readonly ExportedPassage[]>
}

/** One block of a transcript. `label` is the speaker or the tool. */
export interface ExportedPassage extends Pick<Passage, "type" | "text" | "isError" | "note"> {
  readonly label: string
}

/** Reads the capture that an `io/ref` names; null without a session directory. */
export type Read = ((ref: string) => Promise<Captured>) | null

/** The facts that have a value. */
export function facts(pairs: readonly (readonly [string, string | null])[]): readonly Fact[] {
  return pairs.flatMap(([name, value]) => (value === null || value === "" ? [] : [{ name, value }]))
}

/** The text, or its beginning if it has more UTF-16 units. */
export function clipped(text: string, units: number): string {
  return text.length <= units ? text : `${text.slice(0, units - 1).toWellFormed()}…`
}

/** The waits, and how long they were; null if there was none. */
export function waitWords({ modelMs, toolMs, humanMs }: Account): string | null {
  const waits = [["models", modelMs] as const, ["tools", toolMs] as const, ["people", humanMs] as const]
  const words = waits.flatMap(([what, ms]) => (ms === 0 ? [] : [`${what} ${duration(ms)}`]))
  return words.length === 0 ? null : words.join(", ")
}

/** The section of the session at this index; a section that says so if there is none. */
export function sectionOf(texts: RunTexts, index: number, clean: CleanText, read: Read): Section {
  const { run } = texts
  const session = run.sessions[index]
  const buffer = run.turnBuffers[index]
  const group = session === undefined ? undefined : run.invocations[session.invocation]
  const anchor = `session-${index + 1}`
  if (session === undefined || buffer === undefined || group === undefined) {
    const nothing = { facts: [], numbered: false, turns: () => [], anchorOf: () => anchor }
    return { anchor, title: "(no such session)", ...nothing }
  }
  const [ttft, speed] = [timeToFirstToken(buffer), rateOf(buffer)]
  const { input, output, cached } = usageOf(session, buffer)
  const ofTurn = session.turns > 1 ? " in the last turn" : ""
  const named = facts([
    ["Session", session.title],
    ["Status", buffer.turn.status],
    ["Reason", reasonOf(session)],
    ["Model", buffer.turn.model],
    ["Turns", count(session.turns)],
    ["Tokens in", input === null ? null : `${count(input)}${cached === null ? "" : ` (${count(cached)} cached)`}`],
    ["Tokens out", count(output ?? 0)],
    ["Cost", moneyWords(session.account)],
    ["Waited for", waitWords(session.account)],
    [`Tokens a second${ofTurn}`, speed === null ? null : rate(speed)],
    [`First token${ofTurn} after`, ttft === null ? null : duration(ttft)],
  ])
  const spans = turnSpans(session, buffer)
  const numbered = spans.length > 1 || spans.some(({ turn }) => turn > 1)
  const anchorOf = (turn: number): string =>
    numbered && spans.some(span => span.turn === turn) ? `${anchor}-turn-${turn}` : anchor
  return {
    anchor,
    title: titleOf(run, index, clean),
    facts: named.map(fact => ({ ...fact, value: clean(fact.value) })),
    numbered,
    anchorOf,
    *turns() {
      for (const { turn, from, to, streamed } of spans) {
        const all = () => [...texts.entries(index, from, to), ...streamed]
        const blocks = () => blocksOf(all(), run.options.strategy, clean, read)
        const facts = turnWords(turnFacts(run, index, turn, run.lastTs ?? 0) ?? noTurnFacts).map(clean)
        yield { anchor: anchorOf(turn), turn, facts, blocks }
      }
    },
  }
}

interface TurnSpan {
  readonly turn: number
  /** Its entries among those of the session. */
  readonly from: number
  readonly to: number
  /** Streamed text without a response is an entry too. */
  readonly streamed: readonly Entry[]
}

function turnSpans({ entries, turns }: Session, buffer: TurnBuffer): readonly TurnSpan[] {
  const spans: TurnSpan[] = []
  for (let from = 0; from < entries.length; ) {
    const turn = at(entries, from)?.turn ?? turns
    const to = firstIndexWhere(entries, entry => entry.turn > turn)
    spans.push({ turn, from, to, streamed: [] })
    from = to
  }
  const streamed = streamedEntries(buffer, { turn: turns, line: -1, order: -1 })
  if (streamed.length === 0) return spans
  const last = spans.at(-1)?.turn === turns ? spans.pop() : undefined
  return [...spans, { turn: turns, from: entries.length, to: entries.length, ...last, streamed }]
}

/** The name of a session, as in the live pane. */
export function titleOf(run: Run, index: number, clean: CleanText): string {
  return clean(sessionName(run, index) ?? "")
}

type Strategy = Run["options"]["strategy"]

async function blocksOf(entries: readonly Entry[], strategy: Strategy, clean: CleanText, read: Read) {
  const blocks: ExportedPassage[] = []
  const claims = new CaptureClaims()
  for (const group of groupByEvent(entries)) {
    const ref = group[0]?.ref ?? null
    const captured = claims.of(group, ref === null || read === null ? undefined : await read(ref))
    const parts = passagesOf(group, captured).flatMap(passage => segmentPassages(passage, strategy))
    blocks.push(...parts.map(passage => passageOf(passage, clean)))
  }
  return blocks.filter((block, i) => !isToldAgain(block, blocks[i - 1]))
}

const LABELS: { readonly [type in Entry["type"]]: string } = {
  system: "System",
  user: "User",
  text: "Assistant",
  thinking: "Thinking",
  "tool-call": "Tool call",
  "tool-result": "Tool result",
  error: "Error",
  note: "Note",
}

function passageOf(passage: SegmentPassage, clean: CleanText): ExportedPassage {
  const { type, name, text, isError, note, more } = passage
  const label = labelOf(passage)
  // Secrets are known by their names in the JSON.
  const known = clean(text)
  const shown = type === "tool-call" && text.startsWith("{") ? toolCallText(known) : { label: "", text: known }
  const named = name === null ? label : `${label}: ${clean(name)}`
  return {
    type,
    label: shown.label === "" ? named : `${named} ${shown.label}`,
    text: shown.text + (more === "" ? "" : `\n${clean(more)}`),
    isError,
    note: note === null ? null : clean(note),
  }
}

function labelOf({ type, isError, segment }: SegmentPassage): string {
  if (type === "tool-result" && isError) return "Tool error"
  // A segment that is a call by its kind has no name of a tool.
  return type === "tool-call" && segment !== null && segment !== "tool_call" ? segment : LABELS[type]
}
