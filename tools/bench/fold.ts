// Measures decoding and folding against `JSON.parse` of the same lines, alternating in one process, also with the store's
// commits and the visible rows.
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { SpanFold } from "../../src/otlp/span-fold.ts"
import { liveRows } from "../../src/panels/common/session-rows.ts"
import { features } from "../../src/panels/plan.ts"
import { fold } from "../../src/run/fold.ts"
import { TEXT_BUDGET } from "../../src/run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../../src/run/memory/pack-rows.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { ledgerRows, ledgerTotal } from "../../src/run/select/ledger-rows.ts"
import { newRows } from "../../src/run/select/new-rows.ts"
import { nextShown, shownFrom } from "../../src/view/select/log-rows.ts"
import { sessionOf } from "../../src/view/select/shown-session.ts"
import { createStore, type Store } from "../../src/view/store.ts"
import { generate } from "./generate.ts"
import { type Found, quantile, report, time } from "./results.ts"

const FRAMES = 100_000
const SESSIONS = [8, 256, 2048]
/** Frames folded at once: a busy 16 ms. */
const BATCH = 200
/** Each thousandth frame's state is kept, as a replay that seeks would. */
const KEEP_EVERY = 1000
const ROUNDS = 4
/** Rows of a tall terminal. */
const ROWS = 60
const LEDGER = { by: "session", session: 0, sort: null } as const
/** For each number of sessions: the goals to fold and to commit, and what peers need for it. */
const COMPARED: readonly (readonly [string, string, string, string])[] = [
  ["≤ ×2.2", "≤ ×2.4", "×2.6", "×132"],
  ["≤ ×2.5", "≤ ×2.75", "×5.0", "×129"],
  ["≤ ×3.2", "≤ ×3.5", "×45", "×354"],
]

const batches = Array.from({ length: FRAMES / BATCH }, (_, i) => i * BATCH)

function decoded(lines: readonly string[], from: number): readonly Decoded[] {
  const batch: Decoded[] = []
  for (let i = from; i < from + BATCH; i++) batch.push(decode(lines[i] ?? ""))
  return batch
}

function foldAll(lines: readonly string[]): readonly Run[] {
  const kept: Run[] = []
  let run = emptyRun
  for (const from of batches) {
    run = fold(run, decoded(lines, from))
    if ((from + BATCH) % KEEP_EVERY === 0) kept.push(run)
  }
  return kept
}

/** Folds by the store; gives the ms of each commit, in which the rows that can be seen are read, and `more` is done. */
function commitAll(lines: readonly string[], more: (run: Run) => void = () => undefined): readonly number[] {
  const link = { state: "open", url: "ws://127.0.0.1/ws", since: 0 } as const
  const store = createStore({
    ...features,
    link,
    given: { strategy: "api_tool_call", rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET },
  })
  return batches.map(from => {
    const batch = decoded(lines, from)
    const start = performance.now()
    store.dispatch({ type: "frames", frames: batch })
    read(store)
    more(store.get().run)
    return performance.now() - start
  })
}

/** Makes spans of the new rows and reads the ledger; findings are noted all the same. */
function everything(): (run: Run) => void {
  const spans = new SpanFold({ content: false, clean: text => text })
  let before = emptyRun
  return run => {
    spans.add(run, newRows(before, run))
    before = run
    ledgerTotal(run, LEDGER)
    ledgerRows(run, LEDGER, 0, ROWS)
  }
}

/** What one drawn frame looks at: rows of the live pane and of the log, and the text of what is selected. */
function read(store: Store): number {
  const state = store.shown()
  const { run, view } = state
  let seen = 0
  for (const row of liveRows(state, ROWS).rows.slice(0, ROWS)) {
    if (row.type === "session") seen += run.turnBuffers[sessionOf(run, row) ?? -1]?.tokens ?? 0
  }
  const last = nextShown(state, run.log.rows.length, -1)
  if (last !== null) seen += shownFrom(state, last, ROWS, -1).length
  if (view.list.selected?.type === "session")
    seen += run.turnBuffers[sessionOf(run, view.list.selected) ?? -1]?.tail.length ?? 0
  return seen
}

function found(
  sessions: number,
  [goal, commitGoal, foldPeer, commitPeer]: (typeof COMPARED)[number],
): readonly Found[] {
  const lines = generate({ frames: FRAMES, sessions, seed: 20260314 })
  const rounds = Array.from({ length: ROUNDS + 2 }, () => {
    let commits: readonly number[] = []
    return {
      parse: time(() => {
        for (const line of lines) JSON.parse(line)
      }),
      decode: time(() => {
        for (const line of lines) decode(line)
      }),
      fold: time(() => foldAll(lines)),
      commit: time(() => {
        commits = commitAll(lines)
      }),
      open: time(() => commitAll(lines, everything())),
      commits,
    }
    // The first two are warm-up.
  }).slice(2)
  const tenth = batches.length / 10
  const p99 = (of: (commits: readonly number[]) => readonly number[]) =>
    rounds.map(one => quantile(of(one.commits), 0.99))
  const name = `${sessions.toLocaleString("en")} sessions`
  return [
    {
      what: `${name}: JSON.parse of a frame, the floor`,
      values: rounds.map(one => (one.parse * 1000) / FRAMES),
      unit: "µs",
    },
    { what: `${name}: decode`, values: rounds.map(one => one.decode / one.parse), unit: "×" },
    {
      what: `${name}: decode + fold`,
      values: rounds.map(one => one.fold / one.parse),
      unit: "×",
      goal,
      peer: foldPeer,
    },
    {
      what: `${name}: the same, committed and read every ${BATCH}`,
      values: rounds.map(one => one.commit / one.parse),
      unit: "×",
      goal: commitGoal,
      peer: commitPeer,
    },
    {
      what: `${name}: with spans and the ledger open, to that`,
      values: rounds.map(one => one.open / one.commit),
      unit: "×",
      goal: "≤ ×1.5",
    },
    {
      what: `${name}: a commit, p99, first tenth`,
      values: p99(all => all.slice(0, tenth)),
      unit: "ms",
      goal: "≤ 4 ms",
      peer: "5 – 85 ms",
    },
    {
      what: `${name}: a commit, p99, last tenth`,
      values: p99(all => all.slice(-tenth)),
      unit: "ms",
      goal: "≤ 4 ms",
      peer: "5 – 85 ms",
    },
  ]
}

report(
  "fold",
  SESSIONS.flatMap((sessions, i) => found(sessions, COMPARED[i] ?? ["", "", "", ""])),
)
