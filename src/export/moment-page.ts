// Arranges a moment of a run for somebody who was not there: where it is, who was at work, what was said, what it cost,
// and the log.
import { sanitize, shellWord } from "../../packages/wire/src/sanitize.ts"
import { firstIndexWhere, itemAt } from "../run/model/chunked-list.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import type { MomentPlace } from "../run/select/export-format.ts"
import { elapsed } from "../run/select/figures.ts"
import type { RunTexts } from "../run/select/run-texts.ts"
import { moneyWords } from "../run/select/usage.ts"
import { runRange } from "../run/select/waterfall.ts"
import { count, counted, duration, offset } from "../ui/text-width.ts"
import { type Document, type DocumentOptions, logOf, summaryOf } from "./document.ts"
import { ledgerTables } from "./ledger-table.ts"
import type { ExportedPassage, ExportedTurn, Fact, Section } from "./section.ts"
import { clipped, facts, sectionOf, titleOf } from "./section.ts"
import { escaped, type Waterfall, waterfallOf } from "./waterfall-figure.ts"

/** UTF-16 units of a longer block that are kept: of its beginning and of its end. Errors tend to be at the end. */
export const HEAD_UNITS = 4000
export const END_UNITS = 1000
/** HTML bytes per turn; blocks beyond them are left out whole. */
const TURN_BYTES = 150_000

/** The turn with its long blocks cut. `command` shows the rest; null if nothing does. */
function cutTurn(turn: ExportedTurn, command: string | null): ExportedTurn {
  const blocks = async (): Promise<readonly ExportedPassage[]> => {
    const kept: ExportedPassage[] = []
    let [bytes, lost, lostUnits] = [0, 0, 0]
    for (const block of await turn.blocks()) {
      const cut = cutBlock(block, command)
      const more = cut.reduce((sum, { text }) => sum + Buffer.byteLength(escaped(text)), 0)
      if (bytes + more <= TURN_BYTES) kept.push(...cut)
      else [lost, lostUnits] = [lost + 1, lostUnits + block.text.length]
      bytes += more
    }
    return lost === 0 ? kept : [...kept, noteOf(`${counted(lost, "block")} with ${charactersOf(lostUnits)}`, command)]
  }
  return { ...turn, blocks }
}

/** The block, or its beginning and end with a note about the rest. */
function cutBlock(block: ExportedPassage, command: string | null): readonly ExportedPassage[] {
  const { label, text } = block
  if (text.length <= HEAD_UNITS + END_UNITS) return [block]
  const head = wholeLines(text.slice(0, HEAD_UNITS))
  const end = text.slice(-END_UNITS)
  const lost = text.length - head.length - end.length
  return [
    { ...block, text: head.toWellFormed() },
    noteOf(`${count(lost)} of ${charactersOf(text.length)}`, command),
    { ...block, label: `${label}, its end`, text: end.toWellFormed(), note: null },
  ]
}

/** The text without the line that was cut, unless that is most of it. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf("\n") + 1
  return end > text.length / 2 ? text.slice(0, end) : text
}

function charactersOf(units: number): string {
  return counted(units, "character")
}

function noteOf(what: string, command: string | null): ExportedPassage {
  const text = command === null ? "They are not on this page." : command
  const label = `Left out: ${what}${command === null ? "" : ", shown by"}`
  return { type: "note", label, text, isError: false, note: null }
}

/** Pieces of the bars of all sessions, turns of a session in the table, and states, at most. */
const PIECES = 2000
const TURNS = 6
const STATES = 100

export interface MomentOptions extends DocumentOptions {
  readonly moment: MomentPlace
  readonly atMoment: Run
  /** The recording or session directory that `replay` opens; null if there is none. */
  readonly recording: RecordingPlace | null
}

export interface RecordingPlace {
  /** From where the program was started; of a recording elsewhere the name alone. */
  readonly path: string
  readonly isWhole: boolean
}

/** Log rows before the moment, and after it. */
const ROWS_AROUND = 25
/** Sessions in the waterfall: those nearest to the moment. */
const SESSIONS_SHOWN = 40
/** UTF-16 units of a name and of a fact at most. */
const NAME_UNITS = 200
const FACT_UNITS = 1000

/** The document of a moment, less than 1 MB in HTML. Its texts are redacted if asked for, and safe to print. */
export function momentDocument(texts: RunTexts, options: MomentOptions): Document {
  const { run } = texts
  const { moment, redactor, read, atMoment } = options
  const clean = (text: string): string => redactor?.text(sanitize(text)) ?? sanitize(text)
  const short = (text: string): string => clipped(clean(text), NAME_UNITS)
  const name = (index: number): string => titleOf(run, index, short)
  const isEnd = atMoment.frames.lines >= run.frames.lines
  const entries: RunTexts["entries"] = (session, from, to) => texts.entries(session, from, to)
  const textsThen: RunTexts = { run: isEnd ? run : atMoment, entries }
  const inSession = (texts: RunTexts, index: number): Section => sectionOf(texts, index, clean, read)
  const index = moment.session
  const section = index === null ? null : { ...inSession(texts, index), facts: inSession(textsThen, index).facts }
  const time = moment.ts === null || run.firstTs === null ? `frame ${moment.frame}` : offset(moment.ts - run.firstTs)
  const range = runRange(run, null)
  const waterfall = waterfallOf(run, nearestSessions(run, moment), name, short)
  const mark = moment.ts === null || range === null ? null : moment.ts - range.from
  // The targets of the links in the summary of a whole run are not on this page.
  const summary = summaryOf(textsThen, options, () => null).map(fact => ({ ...fact, link: null }))
  const command = commandOf(options)
  const about = [...momentFacts(run, options, section, time, command), ...summary, ...(isEnd ? [] : wholeFacts(run))]
  return {
    title: short(`${options.title} at ${time}`),
    facts: about.map(fact => ({ ...fact, value: clipped(clean(fact.value), FACT_UNITS) })),
    waterfall: waterfall === null ? null : nearMark({ ...waterfall, mark }),
    ledger: ledgerTables(atMoment, moment, short, { whole: run }),
    sessions: section === null ? [] : [nearTurn(section, moment.turn, command)],
    questions: [],
    log: { ...logOf(run, { ...options, ...rowsAround(run, moment) }, () => null, clean), isOpen: true },
  }
}

/** The command that opens the recording at the moment; null if there is no recording. */
function commandOf({ moment, recording }: MomentOptions): string | null {
  return recording === null ? null : `opentui-sidecar replay ${shellWord(recording.path)} --at ${shellWord(moment.at)}`
}

function momentFacts(
  run: Run,
  { moment, recording }: MomentOptions,
  section: Section | null,
  time: string,
  command: string | null,
): readonly Fact[] {
  const turn =
    moment.turn === null ? "" : `, turn ${moment.turn} of ${itemAt(run.sessions, moment.session)?.turns ?? "?"}`
  const link = moment.turn === null ? section?.anchor : section?.anchorOf(moment.turn)
  return [
    ...facts([["Moment", `${time}, frame ${count(moment.frame)} of ${count(frameNumber(run))}`]]),
    ...(section === null ? [] : [{ name: "Session", value: `${section.title ?? ""}${turn}`, link: link ?? null }]),
    ...facts([[recording?.isWhole === false ? "Open it, in its directory" : "Open it", command]]),
  ]
}

function wholeFacts(run: Run): readonly Fact[] {
  const took = elapsed(run)
  const outcome = run.reason === null ? run.status : `${run.status}: ${run.reason}`
  const words = [outcome, took === null ? null : duration(took), moneyWords(run.facts.ledger.total)]
  return facts([["The whole run", words.filter(word => word !== null).join(", ")]])
}

/** The session's turn at the moment, and the one before it; else its last two. Long blocks are cut. */
function nearTurn(section: Section, turn: number | null, command: string | null): Section {
  const near = (): readonly ExportedTurn[] => {
    const all = [...section.turns()]
    return turn === null ? all.slice(-2) : all.filter(one => one.turn === turn || one.turn === turn - 1)
  }
  const facts = section.facts.map(fact => ({ ...fact, value: clipped(fact.value, FACT_UNITS) }))
  const turns = () => near().map(one => cutTurn(one, command))
  return { ...section, title: clipped(section.title ?? "", NAME_UNITS), facts, turns }
}

/** The log rows around the moment, from the first to the one after the last, and the row that is at it. */
function rowsAround({ log: { rows } }: Run, { frame }: MomentPlace) {
  const after = firstIndexWhere(rows, row => row.frame > frame)
  const here = Math.max(0, after - 1)
  return { from: Math.max(0, here - ROWS_AROUND), to: Math.min(rows.length, here + ROWS_AROUND + 1), here }
}

/** The moment's session and those that were at work then, or nearest to then, in their order. */
function nearestSessions(run: Run, { ts, session }: MomentPlace): readonly number[] {
  const all = [...run.sessions.keys()]
  if (all.length <= SESSIONS_SHOWN || ts === null) return all.slice(0, SESSIONS_SHOWN)
  const distance = (index: number): number => {
    const { beganTs, lastTs } = run.sessions[index] ?? { beganTs: null, lastTs: null }
    if (index === session) return -1
    return Math.max(0, (beganTs ?? Infinity) - ts, ts - (lastTs ?? -Infinity))
  }
  return nearest(all, SESSIONS_SHOWN, distance)
}

/** The part of the waterfall nearest to its mark. */
function nearMark(waterfall: Waterfall): Waterfall {
  const { mark, states, rows } = waterfall
  const most = Math.floor(PIECES / rows.length)
  const isWhole =
    states.length <= STATES && rows.every(({ turns, pieces }) => turns.length <= TURNS && pieces.length <= most)
  if (isWhole) return waterfall
  const distance = ({ from }: { readonly from: number }): number => Math.abs(from - (mark ?? 0))
  return {
    ...waterfall,
    isWhole,
    states: nearest(states, STATES, ({ at }) => Math.abs(at - (mark ?? 0))),
    rows: rows.map(({ name, pieces, turns }) => ({
      name,
      pieces: nearest(pieces, most, distance),
      turns: nearest(turns, TURNS, distance),
    })),
  }
}

/** The nearest of a list, in its order. */
function nearest<T>(list: readonly T[], most: number, distance: (one: T) => number): readonly T[] {
  if (list.length <= most) return list
  const kept = new Set(list.toSorted((a, b) => distance(a) - distance(b)).slice(0, most))
  return list.filter(one => kept.has(one))
}
