// Tests that attaching late to a long run fills it in a piece at a time, with a real file and connection.
import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { missingFrames } from "../../src/run/select/figures.ts"
import { rowsOf } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { startAgent } from "../transport/agent.ts"
import { until } from "../until.ts"
import { attach } from "./attached.ts"

/** More than is held of a file at a time, and enough that reading it at once would take about half a second. */
const ROWS = 60_000
/** The most processor time between two turns of the event loop, ms. */
const MOST_MS = 200

function rowOf(index: number) {
  const ids = { invokeid: "poet", "session-id": `poet.${index % 7}` }
  const [event, data] =
    index === 0
      ? ["runner/started", { "session-id": ":s", "chart-id": ":c", "resume?": false }]
      : index % 100 === 0
        ? ["llm/start", { ...ids, model: "m" }]
        : ["llm/delta", { type: "text-delta", ...ids, text: `word ${index} ${"of a line ".repeat(12)}` }]
  return { event, seq: index, ts: 1_700_000_000_000 + index, data }
}

/** As the hub sends it. */
const frame = (row: ReturnType<typeof rowOf>): string => JSON.stringify({ kind: "event", ...row, seq: row.seq + 1 })

/** The most processor time that passed between two turns of the event loop so far, ms. */
function longestTurn(): () => number {
  let longest = 0
  let last = process.cpuUsage()
  let isOver = false
  const look = (): void => {
    if (isOver) return
    longest = Math.max(longest, process.cpuUsage(last).user / 1000)
    last = process.cpuUsage()
    setImmediate(look)
  }
  look()
  opened(() => {
    isOver = true
  })
  return () => longest
}

const events = (run: Run) =>
  rowsOf(run).flatMap(({ what, epoch, seq }) => (what.kind === "event" ? [`${epoch}/${seq} ${what.name}`] : []))

test("keys and frames are served while a long run is read from disk, and then it is whole", async () => {
  const scratch = fileScratch()
  const rows = Array.from({ length: ROWS }, (_, index) => rowOf(index))
  const before = Array.from({ length: 3 }, (_, index) => rowOf(index))
  writeFileSync(join(scratch, "transcript.jsonl"), [...before, ...rows].map(row => `${JSON.stringify(row)}\n`).join(""))
  await using agent = await startAgent()
  const watched = await attach({ url: agent.url, sessionDir: scratch, scratch: join(scratch, "spool") })
  opened(() => watched.stop())
  // The hub repeats the last 256 events to each client.
  const hub = await agent.connection(1)
  for (const row of rows.slice(-256)) hub.send(frame(row))
  await watched.until(({ frames }) => frames.event === 256)
  const longest = longestTurn()
  // Events that arrive while the file is read have their place too.
  for (let index = 0; index < 300; index++) hub.send(frame(rowOf(ROWS + index)))
  const run = await watched.until(now => now.frames.event === ROWS + 300 + before.length)
  // The turn in which the run became whole counts too.
  await new Promise(setImmediate)
  expect(longest()).toBeLessThan(MOST_MS)
  expect(missingFrames(run)).toBe(0)
  expect(run.epochs.map(({ highest }) => highest)).toEqual([2, ROWS + 300])
  const begun = ["0/0 runner/started", "1/1 runner/started", "1/101 llm/start", "1/201 llm/start"]
  expect(events(run).slice(0, 4)).toEqual(begun)
  const fills = rowsOf(run).flatMap(({ what }) => (what.kind === "disk" ? [what.rows] : []))
  expect(fills).toEqual([before.length, ROWS - 256])
  expect(watched.notices).toEqual([])
  expect(fold(emptyRun, watched.lines().map(decode))).toEqual(run)
  // The past was kept on the way.
  watched.player.seek({ type: "seq", seq: 30_000, epoch: 2 })
  await until(() => watched.store.get().run.epochs[1]?.highest === 30_000)
})
