// Arranges a moment of a run for somebody who was not there: where it is, who was at work, what was said, and the log.
import { sanitize, shellWord } from "../protocol/sanitize.ts"
import { at, firstIndexWhere } from "../run/model/chunked-list.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import type { MomentPlace } from "../run/select/export-format.ts"
import type { RunTexts } from "../run/select/run-texts.ts"
import { runRange } from "../run/select/waterfall.ts"
import { count, offset } from "../ui/text-width.ts"
import { type Document, type DocumentOptions, logOf, summaryOf } from "./document.ts"
import { type Fact, facts, type Section, sectionOf, titleOf } from "./section.ts"
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

/** The document of a moment. Its texts are redacted if asked for, and safe to print. */
export function momentDocument(texts: RunTexts, options: MomentOptions): Document {
  const { run } = texts
  const { moment, redactor, read } = options
  const clean = (text: string): string => redactor?.text(sanitize(text)) ?? sanitize(text)
  const name = (index: number): string => titleOf(run, index, clean)
  const section = moment.session === null ? null : sectionOf(texts, moment.session, clean, read)
  const time = moment.ts === null || run.firstTs === null ? `frame ${moment.frame}` : offset(moment.ts - run.firstTs)
  const range = runRange(run, null)
  const waterfall = waterfallOf(run, nearestSessions(run, moment), name, clean)
  const mark = moment.ts === null || range === null ? null : moment.ts - range.from
  // What the summary of a whole run links to is not on this page.
  const summary = summaryOf(texts, options, () => null).map(fact => ({ ...fact, link: null }))
  const about = [...momentFacts(run, options, section, time), ...summary]
  return {
    title: clean(`${options.title} at ${time}`),
    facts: about.map(fact => ({ ...fact, value: clean(fact.value) })),
    waterfall: waterfall === null ? null : { ...waterfall, mark },
    sessions: section === null ? [] : [nearTurn(section, moment.turn)],
    questions: [],
    log: { ...logOf(run, { ...options, ...rowsAround(run, moment) }, () => null, clean), isOpen: true },
  }
}

function momentFacts(
  run: Run,
  { moment, recording }: MomentOptions,
  section: Section | null,
  time: string,
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
    ...facts([
      [
        "Open it",
        recording === null ? null : `opentui-sidecar replay ${shellWord(recording)} --at ${shellWord(moment.at)}`,
      ],
    ]),
  ]
}

/** The session's turn at the moment, and the one before it. */
function nearTurn(section: Section, turn: number | null): Section {
  if (turn === null) return section
  return { ...section, turns: () => [...section.turns()].filter(one => one.turn === turn || one.turn === turn - 1) }
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
