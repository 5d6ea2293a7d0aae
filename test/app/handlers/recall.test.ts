// Tests what is read back of a run whose texts or rows have left memory.
import { expect, test } from "bun:test"
import { existsSync, readdirSync, readlinkSync } from "node:fs"
import { Recall } from "../../../src/app/handlers/recall.ts"
import { features } from "../../../src/panels/plan.ts"
import { fold } from "../../../src/run/fold.ts"
import { hasEvicted } from "../../../src/run/memory/pack-rows.ts"
import { frameNumber, initialRun } from "../../../src/run/model/run.ts"
import { TimelinePlayer } from "../../../src/timeline/player.ts"
import { SLICE_MS } from "../../../src/timeline/steps.ts"
import { decodeLine } from "../../../src/transport/message.ts"
import type { Intent } from "../../../src/view/intent.ts"
import { createStore } from "../../../src/view/store.ts"
import { replaying } from "../../panels/planned.ts"
import { scratch } from "../../scratch.ts"
import { ManualClock } from "../../transport/manual-clock.ts"

/** A run of this many events whose log holds fewer rows, with its frame log, each look into which takes a slice. */
function evictedRun(frames: number) {
  const data = { invokeid: "a", "session-id": "s", text: "said" }
  const lines = Array.from({ length: frames }, (_, i) => {
    return JSON.stringify({ kind: "event", seq: i + 1, event: i % 2 === 0 ? "llm/start" : "llm/user-message", data })
  })
  const first = initialRun({ rowWindow: 0, textBudget: 0 })
  const store = createStore({ ...features, link: replaying, given: first.options })
  const clock = new ManualClock()
  const reads: number[] = []
  const openLog = () => ({
    length: frames,
    lines: (from: number, to: number) => {
      if (isBroken) throw new Error("torn")
      clock.sleep(SLICE_MS)
      reads.push(to - from)
      return lines.slice(from, to)
    },
    close: () => undefined,
  })
  let isBroken = false
  const told: string[] = []
  const notify = (text: string) => void told.push(text)
  const player = new TimelinePlayer({
    ...{ store, clock, openLog, timing: "instant", at: null },
    ...{ notify, onHit: () => undefined },
  })
  store.dispatch({ type: "frames", frames: lines.map(decodeLine) })
  player.framesAdded()
  const scanned: Intent[] = []
  const ask = (intent: Intent) => void scanned.push(intent)
  const end = new AbortController()
  const context = { store, clock, signal: end.signal, ask, notify }
  const tear = () => {
    isBroken = true
  }
  return { first, lines, reads, store, clock, player, told, scanned, tear, end, recall: new Recall(context, player) }
}

test("an export of an earlier moment ends at that moment, wherever it is, holds nothing that came after, and stops with the run", async () => {
  using place = scratch()
  const { first, lines, told, end, recall } = evictedRun(900)
  const moments = [600, 639, 640, 641, 899, 900]
  const written: number[] = []
  for (const frame of moments) {
    const shown = fold(first, lines.slice(0, frame).map(decodeLine))
    expect(hasEvicted(shown)).toBe(true)
    using whole = await recall.whole(shown, place.path)
    written.push(frameNumber(whole.run))
  }
  expect([written, told]).toEqual([moments, []])
  const late = recall.whole(fold(first, lines.map(decodeLine)), place.path)
  end.abort()
  await expect(late).rejects.toThrow("aborted")
})

test("the moment that a person seeks is shown before texts are read back", () => {
  const { recall, player, store, clock, reads } = evictedRun(3000)
  const seek = (frame: number): void => {
    player.seek({ type: "frame", frame })
    recall.texts([0])
    while (frameNumber(store.get().run) !== frame) clock.step()
  }
  // A text is read by its line.
  const texts = () => reads.filter(lines => lines === 1).length
  seek(2500)
  expect(texts()).toBe(0)
  recall.texts([0])
  clock.step()
  const begun = texts()
  expect(begun).toBeGreaterThan(0)
  seek(1500)
  expect(texts()).toBe(begun)
})

test("the latest texts are shown while the earlier ones are read, and no more of them once nobody needs them", () => {
  const { recall, store, clock } = evictedRun(3000)
  const shown = () => store.get().recalledTexts.size
  for (const sessions of [[0], []]) recall.texts(sessions)
  while (clock.alarms > 0) clock.step()
  expect(shown()).toBeLessThan(2)
  for (let times = 0; times < 3; times++) recall.texts([0])
  expect(clock.alarms).toBe(1)
  while (shown() < 2) clock.step()
  const [first] = store.get().run.sessions[0]?.entries.full ?? []
  expect(store.get().recalledTexts.has(first ?? {})).toBe(false)
  while (!store.get().recalledTexts.has(first ?? {})) clock.step()
  expect(shown()).toBeGreaterThan(1)
})

test("where the log can't be read a person is told, what was asked for is missing, and the rest goes on", async () => {
  using place = scratch()
  const { recall, store, clock, told, scanned, tear } = evictedRun(900)
  const { run } = store.get()
  expect([frameNumber(await recall.at(run, 100)), (await recall.at(run, 900)) === run]).toEqual([100, true])
  recall.scan([3])
  recall.scan([4])
  clock.step()
  recall.scan([5])
  clock.step()
  expect(scanned.map(one => (one.type === "log/scan" ? [...(one.recalled?.keys() ?? [])] : one))).toEqual([[3], [5]])
  recall.frames([3])
  expect([...store.get().recalled.keys()]).toEqual([3])
  tear()
  const why = "Can't read the past of this run: can't be read"
  expect([recall.read([1, 2]), told.splice(0)]).toEqual([new Map([1, 2].map(line => [line, null])), [why]])
  recall.texts([0])
  while (clock.alarms > 0) clock.step()
  expect([new Set(told), scanned.length]).toEqual([new Set([why]), 2])
  expect(store.get().recalledTexts.size).toBeGreaterThan(0)
  await expect(recall.whole(run, place.path)).rejects.toThrow("torn")
  const files = readdirSync("/proc/self/fd").map(name => `/proc/self/fd/${name}`)
  const isLeft = (path: string) => existsSync(path) && readlinkSync(path).startsWith(place.path)
  expect([readdirSync(place.path), files.filter(isLeft)]).toEqual([[], []])
  await expect(recall.at(run, 5)).rejects.toThrow("torn")
})
