// Measures the log of a million rows: a text filter until its first screen and until its end, and what a frame costs while
// scrolling, filtering and jumping. Rows dropped from memory are on disk.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { readLines } from "../../packages/wire/src/files/file-reader.ts"
import { logLines, logTitle, logWindow } from "../../src/panels/log/lines.ts"
import { plan } from "../../src/panels/plan.ts"
import { fold } from "../../src/run/fold.ts"
import { ROW_WINDOW } from "../../src/run/memory/pack-rows.ts"
import { Snapshots } from "../../src/run/memory/snapshots.ts"
import { initialRun } from "../../src/run/model/run.ts"
import { Past } from "../../src/timeline/past.ts"
import { RecordingLog } from "../../src/timeline/recording-log.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import type { Intent } from "../../src/view/intent.ts"
import { reduce } from "../../src/view/reduce.ts"
import { emptyState, type StoreState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { scratch } from "../../test/scratch.ts"
import { type Found, report, time } from "./results.ts"

const ROWS = 1_000_000
/** One row in so many fails, and one in so many says what is looked for. */
const WRONG = 1000
const SAYS = 50
const SCREEN = { rows: 60, columns: 200 }
const STEPS = 300
const ROUNDS = 3
const context = { glyphs: unicode, motion: false, now: 0 }

using home = scratch()
const { state, past } = await longRun(join(home.path, "run.jsonl"))
report("log", [...filters(state, past), ...frames(state, past)])

function lineOf(seq: number): string {
  const ids = { invokeid: `poet-${seq % 7}`, "session-id": `s${seq % 40}` }
  const text = `row ${seq} keeps its slow light under the wind${seq % SAYS === 0 ? ", and a kettle" : ""}`
  const [event, data] = seq % WRONG === 1 ? ["llm/error", { message: text }] : ["llm/user-message", { text }]
  return JSON.stringify({ kind: "event", seq, ts: 1_780_000_000_000 + seq * 10, event, data: { ...ids, ...data } })
}

/** A run of so many rows, folded as the program does, and its past. */
async function longRun(path: string): Promise<{ state: StoreState; past: Past }> {
  for (let from = 0; from < ROWS; from += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, i) => `${lineOf(from + i)}\n`)
    writeFileSync(path, lines.join(""), { flag: "a" })
  }
  const first = initialRun({ strategy: "api_tool_call", rowWindow: ROW_WINDOW, textBudget: 0 })
  const tape = new RecordingLog(path)
  const past = new Past(tape, first, new Snapshots(first))
  let run = first
  for await (const { lines } of readLines(path)) {
    run = fold(run, lines.map(decodeLine))
    tape.indexUpTo(run.frames.lines)
    past.setPresent(run)
  }
  const link = { state: "ended", path, incompleteLength: 0 } as const
  return { state: { ...emptyState(link, run.options), run }, past }
}

interface Asked {
  readonly state: StoreState
  /** The lines that must be read before the next slice; null where all is looked through. */
  readonly lines: readonly number[] | null
}

function ask(state: StoreState, intent: Intent): Asked {
  const { actions, effects } = plan(shownState(state), intent, { now: 0, page: SCREEN.rows, lines: 0 })
  const scan = effects.find(effect => effect.type === "log/scan")
  return { state: actions.reduce(reduce, state), lines: scan === undefined ? null : scan.lines }
}

/** Draws a screen of it; gives its rows. */
function draw(state: StoreState): number {
  logTitle(shownState(state), context, SCREEN.columns)
  return logLines(shownState(state), context, SCREEN.columns, logWindow(shownState(state), null, SCREEN.rows)).length
}

function typed(state: StoreState, text: string): StoreState {
  const begun = [{ type: "filters/toggle" }, { type: "typing/text", text }] as const
  return begun.reduce<StoreState>((one, intent) => ask(one, intent).state, state)
}

function filters(state: StoreState, past: Past): readonly Found[] {
  const [first, whole]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    // Another text each time: what was judged for one filter is kept.
    const begun = typed(state, `text~"kettle" text~"row" seq>${round}`)
    const start = performance.now()
    let step = ask(begun, { type: "typing/take" })
    let shown = draw(step.state)
    let firstAt = shown >= SCREEN.rows ? performance.now() : null
    while (step.lines !== null && (firstAt === null || round === 0)) {
      step = ask(step.state, { type: "log/scan", recalled: past.readEvents(step.lines) })
      if (firstAt !== null) continue
      shown = draw(step.state)
      if (shown >= SCREEN.rows) firstAt = performance.now()
    }
    first.push((firstAt ?? performance.now()) - start)
    // All is looked through once: it takes seconds.
    if (round === 0) whole.push(performance.now() - start)
  }
  return [
    { what: `text filter, ${ROWS.toLocaleString("en")} rows: first screen`, values: first, unit: "ms", goal: "100 ms" },
    { what: "the same: all looked through, in slices", values: whole, unit: "ms" },
  ]
}

function frames(state: StoreState, past: Past): readonly Found[] {
  // Of the processor, and of all steps together: what others do on the machine does not count.
  const cost = (of: StoreState, intent: (i: number) => Intent): number => {
    let now = of
    const took = time(() => {
      for (let i = 0; i < STEPS; i++) {
        now = ask(now, intent(i)).state
        draw(now)
      }
    })
    return took / STEPS
  }
  let filtered = ask(typed(state, "error"), { type: "typing/take" })
  while (filtered.lines !== null)
    filtered = ask(filtered.state, { type: "log/scan", recalled: past.readEvents(filtered.lines) })
  const page = (i: number): Intent => ({ type: "cursor/move", by: { unit: "page", count: i % 3 === 0 ? 1 : -1 } })
  const row = (): Intent => ({ type: "cursor/move", by: { unit: "row", count: -1 } })
  const jump = (i: number): Intent => ({ type: "cursor/move", by: { unit: i % 2 === 0 ? "first" : "last" } })
  // On a recording the keys that jump seek: the past of a live run has its cursor.
  const live: StoreState = { ...filtered.state, link: { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 } }
  const wrong = (): Intent => ({ type: "log/jump", kind: "error", step: -1 })
  const rounds = (what: string, measure: () => number): Found => {
    return { what, values: Array.from({ length: ROUNDS }, measure), unit: "ms", goal: "2 ms" }
  }
  return [
    rounds("frame while scrolling by page", () => cost({ ...state, view: { ...state.view, focus: "log" } }, page)),
    rounds("frame while scrolling a filtered log by row", () => cost(filtered.state, row)),
    rounds("frame from the first row to the last and back", () => cost(filtered.state, jump)),
    rounds("frame while jumping from error to error", () => cost(live, wrong)),
  ]
}
