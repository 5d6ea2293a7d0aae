// Keeps how a recording plays: when each frame is shown, where playing stops and what is said, by a clock moved by hand.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Link } from "../../packages/wire/src/link.ts"
import { features } from "../../src/panels/plan.ts"
import { type Conditions, noConditions, type Reaction, toggled, withCondition } from "../../src/query/conditions.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import { fold } from "../../src/run/fold.ts"
import { Snapshots } from "../../src/run/memory/snapshots.ts"
import { frameNumber, initialRun } from "../../src/run/model/run.ts"
import { TimelinePlayer } from "../../src/timeline/player.ts"
import type { RecordingIndex } from "../../src/timeline/recording-index.ts"
import { decodeLine } from "../../src/transport/message.ts"
import type { Timing } from "../../src/transport/pace.ts"
import { presentOf } from "../../src/view/state.ts"
import { createStore } from "../../src/view/store.ts"
import { root } from "../fixtures.ts"
import { open, replaying } from "../panels/planned.ts"
import { momentOf, read } from "../query/filter/parsed.ts"
import { ManualClock } from "../transport/manual-clock.ts"

const ended: Link = { state: "ended", path: "run.jsonl", incompleteLength: 0 }

/** A clock of which every look takes so long, ms. */
class SlowClock extends ManualClock {
  lookMs = 0
  override elapsed(): number {
    this.sleep(this.lookMs)
    return super.elapsed()
  }
}

/** Lines of events at these times, ms. */
function eventsAt(times: readonly number[]): readonly string[] {
  return times.map((ts, i) => JSON.stringify({ kind: "event", seq: i + 1, ts, event: `e${i + 1}`, data: {} }))
}

/** Pauses of 500 ms, 100 ms, 8 s and 100 ms; other recordings by their number of events, one in each ms; 6 was read from disk. */
const STORY = eventsAt([1000, 1500, 1600, 9600, 9700])
const many = new Map([2, 100, 9000].map(count => [count, eventsAt(Array.from({ length: count }, (_, ms) => ms))]))
many.set(6, ['{"kind":"sidecar","at":1,"what":"disk","earlier":1}', ...STORY])

const shortened = (all: readonly string[]) => (all.length > 9 ? [...all.slice(0, 4), "…", ...all.slice(-3)] : all)

/** A player of lines in memory, before their first line: `5 lines`, as far as they are read, `paced`, `live`, `at #3`. */
function played(given: string) {
  const [, count = "5", what = "", timing = "wallclock", at, isTold] =
    /^(\d+)(?: (live|reading))?(?: (paced|instant|wallclock))?(?: at (.+?))?( told)?$/.exec(given) ?? []
  const all = count === "5" ? STORY : (many.get(Number(count)) ?? [])
  const clock = new SlowClock()
  const store = createStore({ ...features, link: what === "live" ? open : replaying, zone: 3_600_000 })
  const said: string[] = []
  const log = { length: 0, fault: false, indexed: 0, linesRead: 0, readFraction: 1 }
  const lines: string[] = []
  const closed = new WeakSet<object>()
  const frameLog = {
    length: 0,
    lines(from: number, to: number) {
      if (log.fault || closed.has(this)) throw Object.assign(new Error("gone"), { code: "ENOENT" })
      const read = lines.slice(from, Math.min(to, log.indexed))
      log.linesRead += read.length
      return read
    },
    indexUpTo(to: number) {
      log.indexed = to
    },
    get readFraction() {
      return log.readFraction
    },
    close() {
      closed.add(this)
      said.push("closed")
    },
    indexed: { lines: 5, bytes: 9, blocks: { lines: [0], offsets: [0] } },
  }
  const index: Pick<RecordingIndex, "states" | "put" | "finish" | typeof Symbol.dispose> = {
    ...{
      states: [],
      put({ run }) {
        said.push(`state ${run.frames.lines}`)
        return null
      },
      [Symbol.dispose]: () => void said.push("index closed"),
    },
    *finish(run, _, { bytes }) {
      for (let step = 1; step < 9; step++) yield
      said.push(`kept #${frameNumber(run)}, ${bytes} bytes`)
    },
  }
  const player = new TimelinePlayer({
    ...{ store, clock, timing: timing as Timing, at: at === undefined ? null : momentOf(at) },
    openLog: () => Object.create(frameLog),
    index: index as RecordingIndex,
    onMissed: isTold === undefined ? undefined : () => said.push("missed"),
    notify: text => said.push(`"${text}"`),
    onHit: () => {
      said.push("hit")
      store.dispatch({ type: "view", change: { conditions: { pending: [] } } })
    },
  })
  let shown = -1
  const frames: string[] = []
  store.subscribe(() => {
    const frame = frameNumber(store.get().run)
    if (frame !== shown) frames.push(`#${frame} at ${clock.now() % 1e8}`)
    shown = frame
  })
  const take = (more: readonly string[]) => {
    lines.push(...more)
    store.dispatch({ type: "frames", frames: more.map(decodeLine) })
    player.framesAdded()
  }
  const end = () => {
    store.dispatch({ type: "link", link: ended, now: clock.now() })
    player.framesAdded()
    player.seekAwaited()
  }
  const set = (change: Parameters<typeof store.dispatch>[0] & { type: "time" }) => store.dispatch(change)
  const list = (edit: (all: Conditions) => Conditions) =>
    store.dispatch({ type: "view", change: { conditions: edit(store.get().view.conditions) } })
  // As a replay begins: before its first line, which plays unless a moment is awaited.
  store.dispatch({ type: "show", run: store.get().run })
  set({ type: "time", change: { playing: at === undefined } })
  const first = what === "" ? all.length : what === "live" ? 3 : 2
  take(all.slice(0, first))
  if (what === "") end()
  /** What has changed since it was asked last. */
  const told = (): string => {
    const { time, view } = store.get()
    const { list, read: searched } = view.conditions
    const is = time.playing ? "plays" : time.seeking ? "seeks" : "rests"
    const where = time.present === null ? "present" : `past, of ${frameNumber(time.present)}`
    const words = [`${is} at #${shown} (${where}), ${clock.alarms} timers, ${log.linesRead} lines read`]
    if (time.read < 1) words.push(`${time.read} known`)
    for (const { count, open } of list) if (open) words.push(`${count} changes in ${searched} searched`)
    return [...words, ...shortened(frames.splice(0)), ...shortened(said.splice(0))].join("; ")
  }
  return { clock, store, player, log, lines, take, end, set, list, told, rest: all.slice(first) }
}

type Playing = ReturnType<typeof played>

/** What a word of a script does. */
const DO: { readonly [word: string]: (playing: Playing, told: string) => unknown } = {
  run: ({ clock }, ms) => clock.advance(Number(ms)),
  oversleep: ({ clock }, ms) => clock.oversleep(Number(ms)),
  look: ({ clock }, ms) => Object.assign(clock, { lookMs: Number(ms) }),
  turn: ({ clock }) => clock.step(),
  turns: ({ clock }) => {
    while (clock.alarms > 0) clock.step()
  },
  speed: ({ set }, speed) => set({ type: "time", change: { speed: Number(speed) } }),
  idle: ({ set }, ms) => set({ type: "time", change: { idleLimitMs: Number(ms) } }),
  play: ({ set }) => set({ type: "time", change: { playing: true } }),
  pause: ({ set }) => set({ type: "time", change: { playing: false } }),
  loop: ({ set }, on) => set({ type: "time", change: { loop: on !== "no" } }),
  unseek: ({ set }) => set({ type: "time", change: { seeking: false } }),
  seek: ({ player }, moment) => player.seek(momentOf(moment)),
  later: ({ player }, condition) => player.search(read(condition), 1),
  earlier: ({ player }, condition) => player.search(read(condition), -1),
  present: ({ store }) => store.dispatch({ type: "show", run: null }),
  rest: ({ take, rest }) => take(rest),
  more: ({ take }) => take(['{"kind":"event","seq":9001,"ts":9001,"event":"more","data":{}}']),
  end: ({ end }) => end(),
  fraction: ({ log, take }, part) => {
    log.readFraction = Number(part)
    take([])
  },
  lose: ({ lines }, from) => lines.splice(Number(from)),
  gone: ({ log }) => Object.assign(log, { fault: true }),
  close: ({ player }) => player.close(),
  restart: ({ player }) => player.restart(),
  keep: ({ player }) => player.keepIndex(),
  rewrite: ({ player, store, lines }, told) => {
    const snapshots = told === "" ? null : new Snapshots(initialRun({}), { every: 1000 })
    let run = initialRun({})
    for (let at = 0; at < lines.length; at += 100) {
      run = fold(run, lines.slice(at, at + 100).map(decodeLine))
      snapshots?.keep(run)
    }
    player.replaceRun(0, { run: presentOf(store.get()), snapshots, marks: noMarkers })
  },
  watch: ({ list }, text) => list(() => withCondition(noConditions, read(text), "watch")),
  also: ({ list }, text) => list(all => withCondition(all, read(text), "watch")),
  toggle: ({ list }, key) => list(all => toggled(all, Number(key))),
  break: ({ list }, reaction) => list(() => withCondition(noConditions, read("event=e3"), reaction as Reaction)),
}

const SCRIPTS = await Bun.file(join(root, "fixtures/scripts/player.txt")).text()

const named = SCRIPTS.trim()
  .split("\n")
  .map(line => line.split("=").map(part => part.trim()))
  .map(([what, ...rest]) => [what, rest.join("=")] as const)

test.each(named)("what is shown, and when: %s", (_, script) => {
  const [given = "", steps = ""] = script.split(": ")
  const playing = played(given)
  const told = steps.split(", ").map(step => {
    const [word = "", ...more] = step.split(" ")
    DO[word]?.(playing, more.join(" "))
    return `${step}: ${playing.clock.now() % 1e8} ms: ${playing.told()}`
  })
  expect(`\n${given}: ${told.join("\n")}\n`).toMatchSnapshot()
})
