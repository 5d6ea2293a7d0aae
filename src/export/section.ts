// One session of an exported run: its turns in order, each with what was said in it, whole where a capture has it.
import type { Captured } from "../protocol/capture.ts"
import { parseJson } from "../protocol/json.ts"
import { streamedEntries } from "../run/event-entries.ts"
import { slice } from "../run/model/chunked-list.ts"
import type { Run } from "../run/model/run.ts"
import { type Entry, noUsage } from "../run/model/session.ts"
import { rateOf, reasonOf, timeToFirstToken } from "../run/select/figures.ts"
import { groupByEvent, passagesOf, type Passage as Said } from "../run/select/passages.ts"
import { type TurnFacts, turnFacts } from "../run/select/turn-facts.ts"
import { turnWords } from "../transcript/turn-heading.ts"
import { count, duration, rate } from "../ui/text-width.ts"

/** Makes a text one that may be shown, without the secrets that were asked to go. */
export type CleanText = (text: string) => string

export interface Fact {
  readonly name: string
  readonly value: string
}

/** All of it may be shown. */
export interface Section {
  readonly title: string
  readonly facts: readonly Fact[]
  readonly turns: readonly ExportedTurn[]
}

export interface ExportedTurn {
  readonly turn: number
  /** Who answered, how long it took, how many tokens: as far as that is known. */
  readonly facts: readonly string[]
  /** What was said in it: read when it is asked for, since captures may be long. Never rejects. */
  blocks(): Promise<readonly ExportedPassage[]>
}

/** One block of a transcript. `label` is who says it, or which tool. */
export interface ExportedPassage {
  readonly type: Entry["type"]
  readonly label: string
  readonly text: string
  /** Why this is perhaps not the whole of it; null where it is. */
  readonly note: string | null
}

/** Reads what an `io/ref` names; null where no session directory is known. */
type Read = ((ref: string) => Promise<Captured>) | null

/** The facts that there are. */
export function facts(pairs: readonly (readonly [string, string | null])[]): readonly Fact[] {
  return pairs.flatMap(([name, value]) => (value === null || value === "" ? [] : [{ name, value }]))
}

/** The section of the session at `index`. */
export function sectionOf(run: Run, index: number, clean: CleanText, read: Read): Section {
  const session = run.sessions[index]
  const stream = run.turnBuffers[index]
  const group = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || stream === undefined || group === undefined)
    return { title: "(no such session)", facts: [], turns: [] }
  const ttft = timeToFirstToken(stream)
  const speed = rateOf(stream)
  const { input, output, cached } = session.usage
  const named = facts([
    ["Session", session.title],
    ["Status", stream.status],
    ["Reason", reasonOf(session)],
    ["Model", stream.model],
    ["Turns", count(session.turns)],
    ["Tokens in", input === null ? null : `${count(input)}${cached === null ? "" : ` (${count(cached)} cached)`}`],
    ["Tokens out", count(output ?? stream.tokens)],
    ["Tokens a second", speed === null ? null : rate(speed)],
    ["First token after", ttft === null ? null : duration(ttft)],
  ])
  // What has streamed and is not yet told otherwise is an entry too: text that came in stretches is one.
  const streamed = streamedEntries(stream, { turn: session.turns, line: -1, order: -1 })
  const entries = [...slice(session.entries, 0, session.entries.length), ...streamed]
  return {
    title: titleOf(run, index, clean),
    facts: named.map(fact => ({ ...fact, value: clean(fact.value) })),
    turns: [...Map.groupBy(entries, entry => entry.turn)].map(([turn, own]) => ({
      turn,
      facts: turnWords(turnFacts(run, index, turn, run.lastTs ?? 0) ?? NOTHING).map(clean),
      blocks: () => blocksOf(own, clean, read),
    })),
  }
}

const NOTHING: TurnFacts = { model: null, ms: null, usage: noUsage }

/** What a session is called: as in the live pane. */
export function titleOf(run: Run, index: number, clean: CleanText): string {
  const session = run.sessions[index]
  const group = run.invocations[session?.invocation ?? -1]
  if (session === undefined || group === undefined) return ""
  return clean(group.sessions.length > 1 ? `${group.title} › ${session.title}` : group.title)
}

async function blocksOf(entries: readonly Entry[], clean: CleanText, read: Read): Promise<readonly ExportedPassage[]> {
  const blocks: ExportedPassage[] = []
  for (const group of groupByEvent(entries)) {
    const ref = group[0]?.ref ?? null
    const captured = ref === null || read === null ? undefined : await read(ref)
    blocks.push(...passagesOf(group, captured).map(said => passageOf(said, clean)))
  }
  return blocks
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

function passageOf({ type, name, text, note }: Said, clean: CleanText): ExportedPassage {
  const label = name === null ? LABELS[type] : `${LABELS[type]}: ${clean(name)}`
  return { type, label, text: clean(pretty(type, text)), note: note === null ? null : clean(note) }
}

/** Arguments come as one line of JSON; a person reads them better indented. */
function pretty(type: Entry["type"], text: string): string {
  if (type !== "tool-call" || !text.startsWith("{")) return text
  const parsed = parseJson(text)
  return parsed === undefined ? text : JSON.stringify(parsed, null, 2)
}
