// Scans for the changes of conditions: each with its frame, however the run was read, and while it grows.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { features } from "../../src/panels/plan.ts"
import { changesIn } from "../../src/query/condition-changes.ts"
import {
  type ConditionChange,
  type Conditions,
  conditionRows,
  ENDS,
  withChanges,
  withCondition,
} from "../../src/query/conditions.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { TimelinePlayer } from "../../src/timeline/player.ts"
import { Spool } from "../../src/timeline/spool.ts"
import { systemClock } from "../../src/transport/clock.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { createStore, type Store } from "../../src/view/store.ts"
import { forAll } from "../for-all.ts"
import { read } from "../query/filter/parsed.ts"
import { watching } from "../query/watching.ts"
import { eventText, line } from "../run/lines.ts"
import { row } from "../run/rows.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"

/** The changes of one watch, as `#frame to words`. */
function changes(text: string, lines: readonly Decoded[], step: number): readonly string[] {
  const { list } = watching(text)
  const all: ConditionChange[] = []
  let run: Run = emptyRun
  for (let from = 0; from < lines.length; from += step) {
    const next = changesIn(run, lines.slice(from, from + step), list, 0)
    run = next.run
    for (const found of next.found.values()) all.push(...found)
  }
  return all.map(shortly)
}

function shortly({ frame, to, words }: ConditionChange): string {
  return `#${frame} ${to}${words === "" ? "" : ` ${words}`}`
}

const said = (seq: number, event: string, data: object = {}, session = "s") =>
  eventText(seq, event, { invokeid: "a", "session-id": session, ...data }, seq * 1000)
const entered = (seq: number, states: readonly string[]) =>
  said(seq, "runner/event-processed", { entered: states, exited: [], "config-after": states })

const frames = [
  said(0, "runner/started"),
  entered(1, ["board", "plan"]),
  said(2, "llm/start"),
  "nonsense",
  said(3, "llm/delta", { text: "I can" }),
  said(4, "llm/delta", { text: "not do" }),
  said(5, "llm/delta", { text: " that" }),
  entered(6, ["board", "review"]),
  said(7, "llm/error", { message: "no" }),
  said(8, "llm/start"),
  entered(9, ["board", "done"]),
  // The agent is restarted.
  said(0, "runner/started", { again: true }),
  entered(1, ["board", "review"]),
]
const lines = frames.map(decodeLine)

describe("a watch", () => {
  test.each([
    ["state=review", ["#7 true", "#10 false", "#12 true"]],
    ['text~"I cannot"', ["#5 true a", "#9 false a"]],
    ["error", ["#8 true a", "#9 false a"]],
    ["event=llm/start", ["#3 true a", "#9 true a"]],
    ["turn>1", ["#9 true a"]],
    ["text~nobody", []],
  ])("%s has the expected changes, line by line and all at once", (text, expected) => {
    expect(changes(text, lines, 1)).toEqual(expected)
    expect(changes(text, lines, 1000)).toEqual(expected)
  })

  test("has the same changes, however the lines come (property)", async () => {
    const names = ["state=run", "error", "not error", "model=a", "prompt", "event=llm/start", "turn>1"]
    const all = fc.array(row.map(line), { maxLength: 40 })
    await forAll([all, fc.constantFrom(...names), fc.integer({ min: 2, max: 9 })], 80, (lines, name, step) => {
      expect(changes(name, lines, step)).toEqual(changes(name, lines, 1))
    })
  })
})

test("a long list keeps both its ends, and counts the changes between", () => {
  const all = watching("turn>1", "error")
  const change = { epoch: 0, seq: 0, ts: 0, to: true, words: "" }
  const many = Array.from({ length: 2 * ENDS + 7 }, (_, i): ConditionChange => ({ ...change, frame: i + 1 }))
  const half = withChanges(all, new Map([[1, many.slice(0, 600)]]), 0.5)
  const whole = withChanges(half, new Map([[1, many.slice(600)]]), 1)
  expect(whole).toEqual(withChanges(all, new Map([[1, many]]), 1))
  expect(conditionRows(whole)).toHaveLength(1 + ENDS + 1 + ENDS + 1)
  const [first] = whole.list
  expect([first?.count, first?.first.length, first?.latest.length]).toEqual([2 * ENDS + 7, ENDS, ENDS])
  const rows = conditionRows(whole)
  expect([1, ENDS, ENDS + 2].map(at => rows[at]?.change?.frame)).toEqual([1, ENDS, ENDS + 8])
  expect(rows[ENDS + 1]).toMatchObject({ change: null, hidden: 7 })
  expect(rows[2 * ENDS + 2]?.condition.text).toBe("error")
  expect(rows[2 * ENDS + 3]).toBeUndefined()
})

describe("a live run", () => {
  /** A live run on a real spool, with a player and its notices. */
  function live() {
    const home = fileScratch()
    const spool = new Spool(home)
    spool.onFailure(why => expect(why).toBe(""))
    const store: Store = createStore({ ...features, link: { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 } })
    const player = new TimelinePlayer({
      store,
      openLog: () => spool,
      clock: systemClock,
      timing: "wallclock",
      at: null,
      notify: text => expect(text).toBe(""),
      onHit: () => undefined,
    })
    const feed = (texts: readonly string[]) => {
      spool.append(texts)
      store.dispatch({ type: "frames", frames: texts.map(decodeLine) })
      player.framesAdded()
    }
    const dispose = () => {
      player.close()
      spool.close()
    }
    const counts = () => store.get().view.conditions.list.map(({ count }) => count)
    return { store, feed, player, spool, counts, [Symbol.dispose]: dispose }
  }
  const isRead = ({ store }: { store: Store }) => store.get().view.conditions.read === 1

  test("is scanned from its beginning for a watch added at any time, and then as it grows", async () => {
    using run = live()
    const look = (conditions: Conditions) => run.store.dispatch({ type: "view", change: { conditions } })
    run.feed(frames.slice(0, 8))
    look(watching("state=review"))
    await until(() => isRead(run))
    expect(run.counts()).toEqual([1])
    run.feed(frames.slice(8, 11))
    await until(() => run.counts()[0] === 2)
    look(withCondition(run.store.get().view.conditions, read("error"), "watch"))
    await until(() => isRead(run) && run.counts()[1] === 2)
    run.feed(frames.slice(11))
    await until(() => run.counts()[0] === 3)
    const [review] = run.store.get().view.conditions.list
    expect(review?.first.map(shortly)).toEqual(["#7 true", "#10 false", "#12 true"])
    expect(review?.first.at(-1)).toMatchObject({ epoch: 1, seq: 1, ts: 9000 })
  })

  test("is scanned in slices, so that keys get their turn and little memory is held", async () => {
    using run = live()
    const many = Array.from({ length: 30_000 }, (_, i) =>
      said(i, i % 3 === 0 ? "llm/start" : "llm/delta", { text: "x" }),
    )
    for (let from = 0; from < many.length; from += 1000) run.feed(many.slice(from, from + 1000))
    run.store.dispatch({ type: "view", change: { conditions: watching("event=llm/start") } })
    const reads: number[] = []
    run.store.subscribe(() => reads.push(run.store.get().view.conditions.read))
    let turns = 0
    await until(() => {
      turns++
      return isRead(run)
    })
    expect(run.counts()).toEqual([10_000])
    expect(turns).toBeGreaterThan(3)
    expect(reads.length).toBeGreaterThan(1)
  })

  test("that is rewritten is scanned again", async () => {
    using run = live()
    run.feed(frames.slice(0, 8))
    run.store.dispatch({ type: "view", change: { conditions: watching("state=review") } })
    await until(() => isRead(run))
    // The rows from disk come first.
    const anew = [...frames.slice(0, 8), ...frames]
    run.spool.truncate(0)
    run.spool.append(anew)
    const whole = fold(emptyRun, anew.map(decodeLine))
    run.player.replaceRun(0, { run: whole, snapshots: null, marks: noMarkers })
    expect(run.counts()).toEqual([0])
    await until(() => run.counts()[0] === 3)
    // The first seven frames come twice.
    const [review] = run.store.get().view.conditions.list
    expect(review?.first.map(shortly)).toEqual(["#7 true", "#17 false", "#19 true"])
  })
})
