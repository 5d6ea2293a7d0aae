// Arranges a moment of a run for somebody who was not there: where it is, who was at work, what was said, what it cost,
// and the log.
import { sanitize, shellWord } from "../protocol/sanitize.ts"
import { at, firstIndexWhere } from "../run/model/chunked-list.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import type { MomentPlace } from "../run/select/export-format.ts"
import type { RunTexts } from "../run/select/run-texts.ts"
import { runRange } from "../run/select/waterfall.ts"
import { count, offset } from "../ui/text-width.ts"
import { cutTurn } from "./cut-blocks.ts"
import { type Document, type DocumentOptions, logOf, summaryOf } from "./document.ts"
import { ledgerTables } from "./ledger-table.ts"
import { nearMark } from "./near-mark.ts"
import { clipped, type ExportedTurn, type Fact, facts, type Section, sectionOf, titleOf } from "./section.ts"
import { waterfallOf } from "./waterfall-figure.ts"

export interface MomentOptions extends DocumentOptions {
  readonly moment: MomentPlace
  /** The recording or session directory that `replay` opens; null if there is none. */
  readonly recording: string | null
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
  const { moment, redactor, read } = options
  const clean = (text: string): string => redactor?.text(sanitize(text)) ?? sanitize(text)
  const short = (text: string): string => clipped(clean(text), NAME_UNITS)
  const name = (index: number): string => titleOf(run, index, short)
  const section = moment.session === null ? null : sectionOf(texts, moment.session, clean, read)
  const time = moment.ts === null || run.firstTs === null ? `frame ${moment.frame}` : offset(moment.ts - run.firstTs)
  const range = runRange(run, null)
  const waterfall = waterfallOf(run, nearestSessions(run, moment), name, short)
  const mark = moment.ts === null || range === null ? null : moment.ts - range.from
  // What the summary of a whole run links to is not on this page.
  const summary = summaryOf(texts, options, () => null).map(fact => ({ ...fact, link: null }))
  const command = commandOf(options)
  const about = [...momentFacts(run, options, section, time, command), ...summary]
  return {
    title: short(`${options.title} at ${time}`),
    facts: about.map(fact => ({ ...fact, value: clipped(clean(fact.value), FACT_UNITS) })),
    waterfall: waterfall === null ? null : nearMark({ ...waterfall, mark }),
    ledger: ledgerTables(run, moment, short),
    sessions: section === null ? [] : [nearTurn(section, moment.turn, command)],
    questions: [],
    log: { ...logOf(run, { ...options, ...rowsAround(run, moment) }, () => null, clean), isOpen: true },
  }
}

/** The command that opens the recording at the moment; null if there is no recording. */
function commandOf({ moment, recording }: MomentOptions): string | null {
  return recording === null ? null : `opentui-sidecar replay ${shellWord(recording)} --at ${shellWord(moment.at)}`
}

function momentFacts(
  run: Run,
  { moment }: MomentOptions,
  section: Section | null,
  time: string,
  command: string | null,
): readonly Fact[] {
  const entered = firstIndexWhere(run.stateEntries, ({ ts }) => ts > (moment.ts ?? Infinity)) - 1
  const turn =
    moment.turn === null ? "" : `, turn ${moment.turn} of ${run.sessions[moment.session ?? -1]?.turns ?? "?"}`
  return [
    ...facts([
      ["Moment", `${time}, frame ${count(moment.frame)} of ${count(frameNumber(run))}`],
      ["State", at(run.stateEntries, entered)?.ids.join(" › ") ?? null],
    ]),
    ...(section === null
      ? []
      : [{ name: "Session", value: `${section.title ?? ""}${turn}`, link: section.anchorOf(moment.turn ?? 1) }]),
    ...facts([["Open it", command]]),
  ]
}

/** The session's turn at the moment, and the one before it; else its last two. Long blocks are cut. */
function nearTurn(section: Section, turn: number | null, command: string | null): Section {
  const near = (): readonly ExportedTurn[] => {
    const all = [...section.turns()]
    return turn === null ? all.slice(-2) : all.filter(one => one.turn === turn || one.turn === turn - 1)
  }
  const facts = section.facts.map(fact => ({ ...fact, value: clipped(fact.value, FACT_UNITS) }))
  return {
    ...section,
    title: clipped(section.title ?? "", NAME_UNITS),
    facts,
    turns: () => near().map(one => cutTurn(one, command)),
  }
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
  const nearest = all.toSorted((a, b) => distance(a) - distance(b)).slice(0, SESSIONS_SHOWN)
  return nearest.toSorted((a, b) => a - b)
}
