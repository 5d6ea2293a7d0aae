// Tests how a recording plays: when each frame is shown, and where playing stops, by a clock that is moved by hand.
import { describe, expect, test } from "bun:test"
import type { Link } from "../../packages/wire/src/link.ts"
import { features } from "../../src/panels/plan.ts"
import { noConditions, withCondition } from "../../src/query/conditions.ts"
import type { Moment } from "../../src/query/moment.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import { frameNumber } from "../../src/run/model/run.ts"
import { TimelinePlayer } from "../../src/timeline/player.ts"
import { decodeLine } from "../../src/transport/message.ts"
import type { Timing } from "../../src/transport/pace.ts"
import { presentOf } from "../../src/view/state.ts"
import { createStore, type Store } from "../../src/view/store.ts"
import type { ShownTime } from "../../src/view/time.ts"
import { open, replaying } from "../panels/planned.ts"
import { momentOf, read } from "../query/filter/parsed.ts"
import { ManualClock } from "../transport/manual-clock.ts"

const ended: Link = { state: "ended", path: "run.jsonl", incompleteLength: 0 }

/** Lines of events at these times, ms. */
function eventsAt(...times: readonly number[]): readonly string[] {
  return times.map((ts, i) => JSON.stringify({ kind: "event", seq: i + 1, ts, event: `e${i + 1}`, data: {} }))
}

interface Options {
  readonly timing?: Timing
  readonly link?: Link
  readonly at?: Moment
  readonly clock?: ManualClock
}

/** A player of lines in memory, from its first line on. */
class Playing {
  readonly clock: ManualClock
  readonly store: Store
  readonly player: TimelinePlayer
  readonly notices: string[] = []
  /** Each change of the frame shown, as `ms #frame`. */
  readonly shown: string[] = []
  stops = 0
  /** Thrown when lines are read. */
  fault: Error | null = null
  readFraction: number | undefined = undefined
  /** Lines that were read from the log. */
  linesRead = 0
  readonly #lines: string[] = []
  #indexed = 0

  constructor(lines: readonly string[], { timing = "wallclock", link = ended, at, clock }: Options = {}) {
    this.clock = clock ?? new ManualClock()
    this.store = createStore({ ...features, link: link === ended ? replaying : link })
    const frameLog = {
      length: 0,
      lines: (from: number, to: number) => {
        if (this.fault !== null) throw this.fault
        const lines = this.#lines.slice(from, Math.min(to, this.#indexed))
        this.linesRead += lines.length
        return lines
      },
      indexUpTo: (lines: number) => {
        this.#indexed = lines
      },
      close: () => undefined,
    }
    Object.defineProperty(frameLog, "readFraction", { get: () => this.readFraction })
    this.player = new TimelinePlayer({
      ...{ store: this.store, clock: this.clock, timing, at: at ?? null },
      openLog: () => frameLog,
      notify: text => this.notices.push(text),
      onHit: () => {
        this.stops++
        this.store.dispatch({ type: "view", change: { conditions: { pending: [] } } })
      },
    })
    let frame = -1
    this.store.subscribe(() => {
      if (this.frame !== frame) this.shown.push(`${this.clock.elapsed()} #${this.frame}`)
      frame = this.frame
    })
    // As a replay begins: before its first line, which plays unless a moment is awaited.
    this.store.dispatch({ type: "show", run: this.store.get().run })
    this.set({ playing: at === undefined })
    this.read(lines)
    if (link === ended) this.end()
  }

  get frame(): number {
    return frameNumber(this.store.get().run)
  }

  get isPlaying(): boolean {
    return this.store.get().time.playing
  }

  get isPast(): boolean {
    return this.store.get().time.present !== null
  }

  set(change: Partial<ShownTime>): void {
    this.store.dispatch({ type: "time", change })
  }

  /** More lines are read, or received. */
  read(lines: readonly string[]): void {
    this.#lines.push(...lines)
    this.store.dispatch({ type: "frames", frames: lines.map(decodeLine) })
    this.player.framesAdded()
  }

  end(): void {
    this.store.dispatch({ type: "link", link: ended, now: this.clock.now() })
    this.player.seekAwaited()
  }
}

/** Pauses of 500 ms, 100 ms, 8 s and 100 ms. */
const story = eventsAt(1000, 1500, 1600, 9600, 9700)
const IDLE = { idleLimitMs: 5000 }

describe("a recording that plays", () => {
  test.each<[what: string, timing: Timing, change: Partial<ShownTime>, shown: readonly string[]]>([
    [
      "at its recorded time, long pauses shortened",
      "wallclock",
      {},
      ["0 #1", "500 #2", "600 #3", "2600 #4", "2700 #5"],
    ],
    ["in half the time at double speed", "wallclock", { speed: 2 }, ["0 #1", "250 #2", "300 #3", "1300 #4", "1350 #5"]],
    ["after longer pauses once that is set", "wallclock", IDLE, ["0 #1", "500 #2", "600 #3", "5600 #4", "5700 #5"]],
    ["40 ms after the one before if it is paced", "paced", {}, ["0 #1", "40 #2", "80 #3", "120 #4", "160 #5"]],
    ["at once if it is instant", "instant", {}, ["0 #5"]],
  ])("shows each frame %s, reads it once, and stops at its end", (_, timing, change, shown) => {
    const playing = new Playing(story, { timing })
    playing.set(change)
    playing.clock.advance(60_000)
    expect(playing.shown).toEqual(["0 #0", ...shown])
    expect([playing.isPlaying, playing.isPast, playing.clock.alarms]).toEqual([false, false, 0])
    expect(playing.linesRead).toBe(story.length)
  })

  test("takes half the time at double speed for what is left of a pause", () => {
    const playing = new Playing(story)
    playing.clock.advance(1600)
    playing.set({ speed: 2 })
    playing.clock.advance(100)
    playing.set({ speed: 0.5 })
    playing.clock.advance(60_000)
    // 1000 ms of the pause are left, of which 200 pass at double speed and 800 at half speed.
    expect(playing.shown.slice(-2)).toEqual(["3300 #4", "3500 #5"])
  })

  test("stays where it is paused, without a timer, and then waits for what was left", () => {
    const playing = new Playing(story)
    playing.clock.advance(550)
    playing.set({ playing: false })
    expect(playing.clock.alarms).toBe(0)
    playing.clock.advance(10_000)
    expect(playing.frame).toBe(2)
    playing.set({ playing: true })
    playing.clock.advance(60_000)
    expect(playing.shown).toEqual(["0 #0", "0 #1", "500 #2", "10600 #3", "12600 #4", "12700 #5"])
  })

  test("shows the next frame at once at the highest speed, and waits again at a lower one", () => {
    const playing = new Playing(story)
    playing.clock.advance(700)
    playing.set({ speed: Number.POSITIVE_INFINITY })
    playing.set({ playing: false })
    playing.set({ playing: true, speed: 1 })
    playing.clock.advance(60_000)
    expect(playing.shown.slice(-2)).toEqual(["700 #4", "800 #5"])
  })

  test("goes on from the moment that is sought meanwhile, at its pace", () => {
    const playing = new Playing(eventsAt(0, 1000, 2000, 3000, 4000))
    playing.clock.advance(1000)
    playing.player.seek(momentOf("#4"))
    playing.clock.advance(60_000)
    expect(playing.shown.map(one => one.split(" ")[1])).toEqual(["#0", "#1", "#2", "#4", "#5"])
    playing.player.seek(momentOf("#1"))
    playing.set({ playing: true })
    playing.clock.advance(0)
    expect(playing.frame).toBe(2)
    playing.clock.advance(999)
    expect(playing.frame).toBe(2)
    playing.clock.advance(1)
    expect(playing.frame).toBe(3)
  })

  test("shows a fast stream in batches, no frame more than 16 ms early", () => {
    const playing = new Playing(eventsAt(...Array.from({ length: 100 }, (_, ms) => ms)))
    playing.clock.advance(60_000)
    expect(playing.shown).toEqual(["0 #0", "0 #17", "17 #34", "34 #51", "51 #68", "68 #85", "85 #100"])
  })

  test("does not race after the process was suspended", () => {
    const playing = new Playing(eventsAt(...Array.from({ length: 100 }, (_, i) => i)), { timing: "paced" })
    playing.clock.advance(0)
    playing.clock.oversleep(10_000)
    // A quarter of a second is caught up: six frames of 40 ms beside the one that was due.
    expect(playing.frame).toBe(8)
    playing.clock.advance(40)
    expect(playing.frame).toBe(9)
  })

  test("sets no timer and shows nothing once it is closed", () => {
    const playing = new Playing(story)
    playing.clock.advance(550)
    playing.player.close()
    expect(playing.clock.alarms).toBe(0)
    playing.set({ speed: 4 })
    expect(playing.clock.alarms).toBe(0)
  })
})

describe("a loop", () => {
  test("starts over at the end, at most once a second", () => {
    const playing = new Playing(eventsAt(0, 100))
    playing.set({ loop: true })
    playing.clock.advance(1100)
    expect(playing.shown).toEqual(["0 #0", "0 #1", "100 #2", "1000 #0", "1000 #1", "1100 #2"])
    playing.set({ loop: false })
    playing.clock.advance(60_000)
    expect([playing.frame, playing.isPlaying]).toEqual([2, false])
  })

  test("begins again at once if a round took longer than a second", () => {
    const playing = new Playing(eventsAt(0, 1500))
    playing.set({ loop: true })
    playing.clock.advance(1500)
    expect(playing.shown).toEqual(["0 #0", "0 #1", "1500 #2", "1500 #0", "1500 #1"])
  })
})

describe("a recording that is still being read", () => {
  test("waits for more lines without a timer, and goes on as they come", () => {
    const playing = new Playing(story.slice(0, 2), { link: replaying })
    playing.clock.advance(60_000)
    expect([playing.frame, playing.isPlaying, playing.clock.alarms]).toEqual([2, true, 0])
    playing.read(story.slice(2))
    playing.end()
    playing.clock.advance(60_000)
    expect([playing.frame, playing.isPlaying, playing.isPast]).toEqual([5, false, false])
  })

  test("says how much was read, one hundredth at a time, and all of it at the end", () => {
    const playing = new Playing([], { link: replaying })
    const read: number[] = []
    playing.store.subscribe(() => {
      const now = playing.store.get().time.read
      if (now !== read.at(-1)) read.push(now)
    })
    for (const fraction of [0.5, 0.505, 0.51, 1]) {
      playing.readFraction = fraction
      playing.read([])
    }
    expect(read).toEqual([0.5, 0.51, 0.99])
    playing.store.dispatch({ type: "link", link: ended, now: 0 })
    playing.player.framesAdded()
    expect(read).toEqual([0.5, 0.51, 0.99, 1])
  })

  test("shows the moment asked for, paused, as soon as it is read", () => {
    const playing = new Playing(story.slice(0, 2), { link: replaying, at: momentOf("#3") })
    playing.clock.advance(1000)
    expect(playing.frame).toBe(0)
    playing.set({ playing: true })
    playing.read(story.slice(2))
    expect([playing.frame, playing.isPlaying, playing.clock.alarms]).toEqual([3, false, 0])
  })

  test("says at its end that it lacks the moment asked for", () => {
    const playing = new Playing(story, { link: replaying, at: momentOf("77") })
    expect(playing.notices).toEqual([])
    playing.end()
    expect(playing.notices).toEqual(["This run doesn't have that moment"])
    expect([playing.frame, playing.isPlaying]).toEqual([0, false])
  })
})

describe("a breakpoint", () => {
  const stopAt = (playing: Playing, reaction: "pause" | "log") => {
    const conditions = withCondition(noConditions, read("event=e3"), reaction)
    playing.store.dispatch({ type: "view", change: { conditions } })
  }

  test("pauses at its frame, and playing goes on after it", () => {
    const playing = new Playing(story)
    stopAt(playing, "pause")
    playing.clock.advance(60_000)
    expect([playing.frame, playing.isPlaying, playing.stops, playing.clock.alarms]).toEqual([3, false, 1, 0])
    playing.set({ playing: true })
    playing.clock.advance(60_000)
    expect([playing.frame, playing.stops]).toEqual([5, 1])
  })

  test("pauses right after its frame even in a batch", () => {
    const playing = new Playing(story, { timing: "instant" })
    stopAt(playing, "pause")
    playing.clock.advance(0)
    expect([playing.frame, playing.isPlaying]).toEqual([3, false])
  })

  test("that only logs is told and does not pause", () => {
    const playing = new Playing(story)
    stopAt(playing, "log")
    playing.clock.advance(60_000)
    expect(playing.shown.slice(1)).toEqual(["0 #1", "500 #2", "600 #3", "2600 #4", "2700 #5"])
    expect(playing.stops).toBe(1)
  })
})

test("the past of a live run plays up to the present, which grows meanwhile, and then shows it", () => {
  const playing = new Playing(story.slice(0, 3), { link: open })
  // A live run has no end to begin again after.
  playing.set({ loop: true })
  playing.clock.advance(500)
  playing.read(story.slice(3))
  expect(playing.frame).toBe(2)
  expect(frameNumber(presentOf(playing.store.get()))).toBe(5)
  playing.clock.advance(2200)
  expect([playing.frame, playing.isPast]).toEqual([5, false])
  expect([playing.isPlaying, playing.clock.alarms]).toEqual([false, 0])
})

test("a recording that can no longer be read says so, and playing ends", () => {
  const playing = new Playing(story)
  playing.clock.advance(500)
  playing.fault = Object.assign(new Error("gone"), { code: "ENOENT" })
  playing.clock.advance(60_000)
  expect(playing.notices).toEqual(["Can't read the past: no such file"])
  expect([playing.isPlaying, playing.clock.alarms]).toEqual([false, 0])
})

describe("a search in the past", () => {
  /** Every look at it takes this long, ms. */
  class SlowClock extends ManualClock {
    constructor(public ms: number) {
      super()
    }
    override elapsed(): number {
      this.sleep(this.ms)
      return super.elapsed()
    }
  }
  const long = eventsAt(...Array.from({ length: 9000 }, (_, i) => i))
  const searching = (ms = 5) => {
    const clock = new SlowClock(0)
    const playing = new Playing(long, { at: momentOf("#10"), clock })
    clock.ms = ms
    return playing
  }

  test("shows where the condition became true, and says so", () => {
    const playing = new Playing(story, { at: momentOf("#1") })
    playing.player.search(read("event=e4"), 1)
    expect([playing.frame, playing.isPlaying]).toEqual([4, false])
    playing.player.search(read("event=e4"), 1)
    playing.player.search(read("event=e2"), -1)
    expect(playing.frame).toBe(2)
    expect(playing.notices).toEqual([
      "event=e4 became true at frame 4",
      "event=e4: no later match",
      "event=e2 became true at frame 2",
    ])
  })

  test("gives the event loop turns in a long run, and says how far it is each quarter of a second", () => {
    const playing = searching(100)
    playing.player.search(read("event=e8999"), 1)
    expect(playing.frame).toBe(10)
    while (playing.clock.alarms > 0) playing.clock.step()
    expect(playing.frame).toBe(8999)
    expect(playing.notices.length).toBeGreaterThan(2)
    expect(playing.notices[0]).toMatch(/^Searching for event=e8999: \d+%$/)
    expect(playing.notices.at(-1)).toBe("event=e8999 became true at frame 8999")
  })

  test("lets keys in while it seeks far away, and goes where the last of them leads", () => {
    const playing = searching()
    playing.player.seek(momentOf("#8999"))
    expect([playing.frame, playing.store.get().time.seeking]).toEqual([10, true])
    playing.player.seek(momentOf("#8000"))
    while (playing.clock.alarms > 0) playing.clock.step()
    expect(playing.frame).toBe(8000)
  })

  test("ends once it is no longer wanted", () => {
    const playing = searching(100)
    playing.player.search(read("event=e8999"), 1)
    while (!playing.store.get().time.seeking) playing.clock.step()
    playing.set({ seeking: false })
    while (playing.clock.alarms > 0) playing.clock.step()
    expect([playing.frame, playing.notices.length]).toEqual([10, 1])
  })

  test("says where a seek is that takes longer than a quarter of a second, and where it came", () => {
    const playing = searching(100)
    playing.player.seek(momentOf("#8999"))
    while (playing.clock.alarms > 0) playing.clock.step()
    expect(playing.notices.length).toBeGreaterThan(1)
    for (const notice of playing.notices.slice(0, -1)) expect(notice).toMatch(/^Seeking: frame \d+$/)
    expect(playing.notices.at(-1)).toBe("Frame 8999")
  })

  test("is at its end once its last moment is shown, wherever that was asked for", () => {
    const playing = new Playing(story, { link: replaying })
    playing.player.seek(momentOf("#5"))
    playing.end()
    expect([playing.frame, playing.isPast]).toEqual([5, false])
    playing.player.seek(momentOf("#4"))
    expect([playing.frame, playing.isPast]).toEqual([4, true])
    playing.player.seek(momentOf("#5"))
    expect([playing.frame, playing.isPast]).toEqual([5, false])
  })

  test("lets keys in while it finds the moment shown again in a run that was rewritten", () => {
    const playing = searching()
    playing.player.seek(momentOf("#8000"))
    while (playing.clock.alarms > 0) playing.clock.step()
    const run = presentOf(playing.store.get())
    playing.player.replaceRun(0, { run, snapshots: null, marks: noMarkers })
    expect(playing.isPast).toBe(true)
    expect(playing.frame).toBeLessThan(8000)
    while (playing.clock.alarms > 0) playing.clock.step()
    expect([playing.frame, playing.isPast]).toEqual([8000, true])
  })

  test("is dropped when the run is read anew", () => {
    const playing = searching()
    playing.player.search(read("event=e8999"), 1)
    playing.player.restart()
    expect(playing.clock.alarms).toBe(0)
  })

  test("is dropped if another moment is shown meanwhile", () => {
    const playing = searching()
    playing.player.search(read("event=e8999"), 1)
    playing.player.seek(momentOf("#20"))
    while (playing.clock.alarms > 0) playing.clock.step()
    expect(playing.frame).toBe(20)
    expect(playing.notices).toEqual([])
  })
})
