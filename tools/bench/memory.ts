// Measures the memory of a long run: the store of 2,048 sessions, million by million deltas, in a process of its own. The
// screen and the spool on disk do not grow with the run.
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { features } from "../../src/panels/plan.ts"
import { TEXT_BUDGET } from "../../src/run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../../src/run/memory/pack-rows.ts"
import { createStore } from "../../src/view/store.ts"
import { linesOf } from "./generate.ts"
import { report } from "./results.ts"

const SESSIONS = 2048
const MILLION = 1_000_000
const MILLIONS = 5
/** After so many of them each session has as much as memory keeps of it. */
const WARM = 3
/** Frames folded at once: a busy 16 ms. */
const BATCH = 200
/** Ms after which the runtime has given back what it freed. */
const REST_MS = 2000

const link = { state: "open", url: "ws://127.0.0.1/ws", since: 0 } as const
const store = createStore({
  ...features,
  link,
  given: { strategy: "api_tool_call", rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET },
})
const rss: number[] = []
let deltas = 0
let batch: Decoded[] = []
for (const line of linesOf({ frames: Number.POSITIVE_INFINITY, sessions: SESSIONS, seed: 20260314 })) {
  const frame = decode(line)
  batch.push(frame)
  if (frame.kind === "delta") deltas++
  if (batch.length < BATCH && deltas % MILLION !== 0) continue
  store.dispatch({ type: "frames", frames: batch })
  batch = []
  // As in the program, each batch has a turn of the event loop: within one turn the engine frees nothing.
  await new Promise(done => setImmediate(done))
  if (deltas < MILLION * (rss.length + 1)) continue
  Bun.gc(true)
  await Bun.sleep(REST_MS)
  rss.push(process.memoryUsage().rss / 1e6)
  if (rss.length === MILLIONS) break
}
const growth = rss.flatMap((now, i) => (i < WARM ? [] : [now - (rss[i - 1] ?? now)]))
const name = `${SESSIONS.toLocaleString("en")} sessions`
report("memory", [
  {
    what: `growth per 1,000,000 deltas of ${name}, after the first ${WARM}`,
    values: growth,
    unit: "MB",
    goal: "< 5 MB",
  },
  { what: `RSS with ${name}, after each million`, values: rss, unit: "MB", goal: "< 200 MB" },
])
