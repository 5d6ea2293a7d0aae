// Puts a run, or one session of it, into the order in which a person reads it: what Markdown and HTML are made of.
import { inert } from "../protocol/inert.ts"
import { printJson } from "../protocol/print.ts"
import { elapsed, rateOf, reasonOf, ttftOf } from "../store/read.ts"
import type { Prompt, Run } from "../store/run.ts"
import type { Entry } from "../store/session.ts"
import { piecesOf } from "../store/stream.ts"
import { slice } from "../store/vec.ts"
import { wordsOf } from "../store/words.ts"
import { count, duration, offset, rate } from "../ui/text.ts"
import type { Redactor } from "./redact.ts"
import { type Waterfall, waterfallOf } from "./waterfall.ts"

/** All of it may be shown, and is without the secrets that were asked to go. */
export interface Document {
  readonly title: string
  readonly facts: readonly Fact[]
  /** Null where it would say nothing. */
  readonly waterfall: Waterfall | null
  readonly sessions: readonly Section[]
  readonly questions: readonly Question[]
  readonly log: readonly LogLine[]
}

export interface Fact {
  readonly name: string
  readonly value: string
}

/** One session: its turns in order, each with what was said in it. */
export interface Section {
  readonly title: string
  readonly facts: readonly Fact[]
  readonly turns: readonly { readonly turn: number; readonly blocks: readonly Passage[] }[]
}

/** One block of a transcript. `label` is who says it, or which tool. */
export interface Passage {
  readonly type: Entry["type"]
  readonly label: string
  readonly text: string
}

export interface Question {
  readonly who: string
  readonly text: string
  readonly options: readonly string[]
  /** The answer, or why there is none. */
  readonly answer: string
}

export interface LogLine {
  readonly time: string
  readonly level: "info" | "warning" | "error"
  readonly source: string
  readonly text: string
}

export interface DocumentOptions {
  /** What the run is called. */
  readonly title: string
  /** Index of the one session that is meant; null for the whole run. */
  readonly session: number | null
  /** True where frames were picked: what is missing between them is then no gap. */
  readonly picked: boolean
  /** Null keeps secrets. */
  readonly redactor: Redactor | null
}

/** The document of a run as it stands. */
export function documentOf(run: Run, options: DocumentOptions): Document {
  const { session, redactor } = options
  const clean = (text: string): string => redactor?.text(inert(text)) ?? inert(text)
  if (session !== null) {
    const section = sectionOf(run, session, clean)
    const { title, facts } = section
    return { title, facts, waterfall: null, sessions: [{ ...section, facts: [] }], questions: [], log: [] }
  }
  return {
    title: clean(options.title),
    facts: runFacts(run).map(fact => ({ ...fact, value: clean(fact.value) })),
    waterfall: waterfallOf(run, index => titleOf(run, index, clean), clean),
    sessions: run.sessions.map((_, index) => sectionOf(run, index, clean)),
    questions: run.prompts.map(prompt => questionOf(run, prompt, clean)),
    log: logOf(run, options.picked, clean),
  }
}

type Clean = (text: string) => string

function runFacts(run: Run): readonly Fact[] {
  const { firstTs, chart } = run
  const took = elapsed(run)
  const ended = chart.finalConfig ?? chart.config
  return facts([
    ["Status", run.reason === null ? run.status : `${run.status}: ${run.reason}`],
    ["Started", firstTs === null ? null : new Date(firstTs).toISOString()],
    ["Took", took === null ? null : duration(took)],
    ["Chart", chart.chartId],
    [chart.finalConfig === null ? "States" : "Final states", ended.length === 0 ? null : ended.join(" › ")],
    ["Sessions", count(run.sessions.length)],
    ["Output tokens", count(run.tokens)],
    ["Errors", run.log.errors === 0 ? null : count(run.log.errors)],
  ])
}

function facts(pairs: readonly (readonly [string, string | null])[]): readonly Fact[] {
  return pairs.flatMap(([name, value]) => (value === null || value === "" ? [] : [{ name, value }]))
}

function sectionOf(run: Run, index: number, clean: Clean): Section {
  const session = run.sessions[index]
  const stream = run.streams[index]
  const group = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || stream === undefined || group === undefined)
    return { title: "(no such session)", facts: [], turns: [] }
  const ttft = ttftOf(stream)
  const speed = rateOf(stream)
  const { input, output, cached } = session.usage
  const named = facts([
    ["Session", session.title],
    ["Status", stream.status],
    ["Reason", reasonOf(session)],
    ["Model", session.model],
    ["Turns", count(session.turns)],
    ["Tokens in", input === null ? null : `${count(input)}${cached === null ? "" : ` (${count(cached)} cached)`}`],
    ["Tokens out", count(output ?? stream.tokens)],
    ["Tokens a second", speed === null ? null : rate(speed)],
    ["First token after", ttft === null ? null : duration(ttft)],
  ])
  const streamed = piecesOf(stream).map(({ thinking, text }): Said => {
    return { type: thinking ? "thinking" : "text", name: null, turn: session.turns, text: [text] }
  })
  const turns = Map.groupBy(
    joined([...slice(session.entries, 0, session.entries.length), ...streamed]),
    one => one.turn,
  )
  return {
    title: titleOf(run, index, clean),
    facts: named.map(fact => ({ ...fact, value: clean(fact.value) })),
    turns: [...turns].map(([turn, entries]) => ({ turn, blocks: entries.map(entry => passageOf(entry, clean)) })),
  }
}

function titleOf(run: Run, index: number, clean: Clean): string {
  const session = run.sessions[index]
  const group = run.invocations[session?.invocation ?? -1]
  if (session === undefined || group === undefined) return ""
  return clean(group.sessions.length > 1 ? `${group.title} › ${session.title}` : group.title)
}

type Said = Pick<Entry, "type" | "name" | "turn" | "text">

/** Text that came in stretches is one block. */
function joined(entries: readonly Said[]): readonly Said[] {
  const blocks: Said[] = []
  for (const entry of entries) {
    const last = blocks.at(-1)
    const isProse = entry.type === "text" || entry.type === "thinking"
    const goesOn = isProse && last?.type === entry.type && last.turn === entry.turn && last.name === entry.name
    if (goesOn) blocks[blocks.length - 1] = { ...last, text: [...last.text, ...entry.text] }
    else blocks.push(entry)
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

function passageOf({ type, name, text }: Said, clean: Clean): Passage {
  const label = LABELS[type]
  return { type, label: name === null ? label : `${label}: ${clean(name)}`, text: clean(pretty(type, text.join(""))) }
}

/** Arguments come as one line of JSON; a person reads them better indented. */
function pretty(type: Entry["type"], text: string): string {
  if (type !== "tool-call" || !text.startsWith("{")) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function questionOf(run: Run, prompt: Prompt, clean: Clean): Question {
  const { frame, answer, state } = prompt
  const asker = prompt.session === null ? undefined : run.sessions[prompt.session]
  const value = answer === null || answer.cancelled ? undefined : answer.value
  const chosen = frame.options.filter(option => JSON.stringify(option.value) === JSON.stringify(value))
  const said = value === undefined ? `(${state})` : typeof value === "string" ? value : printJson(value, 4000)
  return {
    who: clean(frame.invokeid ?? asker?.title ?? frame.promptId),
    text: clean(frame.question),
    options: frame.options.map(option => clean(option.label)),
    answer: clean(chosen[0]?.label ?? said),
  }
}

function logOf(run: Run, picked: boolean, clean: Clean): readonly LogLine[] {
  const { rows } = run.log
  return slice(rows, 0, rows.length).flatMap(row => {
    if (picked && row.what.kind === "gap") return []
    const { source, what, text } = wordsOf(run, row)
    const time = row.ts === null || run.firstTs === null ? "" : offset(row.ts - run.firstTs)
    return [{ time, level: row.level, source: clean(source), text: clean(text === "" ? what : `${what}  ${text}`) }]
  })
}
