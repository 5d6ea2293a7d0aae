// Tests the small parts that a run is made of: how a replay begins, when a greeting ends, who is gone, what waits.
import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Link } from "../../packages/wire/src/link.ts"
import { writeCrash } from "../../src/app/crash.ts"
import { GreetingEnd } from "../../src/app/greeting-end.ts"
import { connected, fromHomeDirectory, tellAsked } from "../../src/app/handlers/home-handlers.ts"
import { firstLink } from "../../src/app/open-source.ts"
import { RunClock, tickAtEnds } from "../../src/app/run-clock.ts"
import { startReplay } from "../../src/app/run-parts.ts"
import { spawnerGoneMessage, watchSpawner, watchTerminal } from "../../src/app/spawner.ts"
import { sessionFacts } from "../../src/app/stored-runs.ts"
import { TimeSlices } from "../../src/app/time-slices.ts"
import type { SourceOptions } from "../../src/cli/source-options.ts"
import { features } from "../../src/panels/plan.ts"
import { decodePrices, noPrices } from "../../src/run/model/prices.ts"
import { noFacts } from "../../src/stores/stored-session.ts"
import { SLICE_MS } from "../../src/timeline/steps.ts"
import { createStore } from "../../src/view/store.ts"
import { NOTICE_MS } from "../../src/view/view.ts"
import { lost, open, replaying } from "../panels/planned.ts"
import { eventText } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { until } from "../until.ts"
import { live, notPrivate, REPLAY } from "./open-run.ts"

test("a recording is followed at its end, raced through, or played at its speed, as the options say", () => {
  const at = { type: "frame", frame: 3 } as const
  const rows = [
    ["instant", {}],
    ["instant, looped", { loop: true }],
    ["instant, at a moment", { at }],
    ["paced", { timing: "paced" }],
    ["wallclock, at a moment", { timing: "wallclock", at }],
  ] as const
  const begun = (from: SourceOptions, stops: boolean): string => {
    const store = createStore({ ...features, link: replaying })
    startReplay(store, from, stops)
    const { time } = store.get()
    const where = time.present === null ? "follows" : time.playing ? "plays" : "paused"
    return `${where} at ${time.speed}, pauses of ${time.idleLimitMs}${time.loop ? ", again" : ""}`
  }
  const from = { ...REPLAY, path: "x", speed: 4, idleLimitMs: 500 }
  const told = rows.flatMap(([name, change]) =>
    [false, true].map(stops => `${name}${stops ? ", with a condition" : ""}: ${begun({ ...from, ...change }, stops)}`),
  )
  expect([...told, `live: ${begun(live("ws://a/ws"), true)}`]).toMatchSnapshot()
})

test("before anything has come, the link says what is waited for; home waits until an agent is there or is not", async () => {
  const run = { type: "run", command: ["/opt/bin/te\x07a", "x"], parser: { type: "own" } } as const
  const sources = [live("ws://a/ws"), { ...REPLAY, path: "a" }, { ...REPLAY, path: "a", shownAs: "log" }, run]
  expect(sources.map(firstLink)).toEqual([
    { state: "connecting", url: "ws://a/ws", attempt: 1 },
    { state: "replaying", path: "a", incompleteLength: 0 },
    { state: "replaying", path: "log", incompleteLength: 0 },
    { state: "running", command: "te␇a" },
  ])
  for (const link of [open, lost]) {
    const store = createStore({ ...features, link: firstLink(live("ws://a/ws")) })
    const waited = connected(store)
    for (const next of [replaying, link]) store.dispatch({ type: "link", link: next, now: 0 })
    expect([await waited, await connected(store)]).toEqual([link, link])
  }
})

test("the end of each greeting is noted once, unless the connection goes before; answers are sent again then, and by the API", () => {
  const clock = new ManualClock()
  const store = createStore({ ...features, link: open })
  const asked: string[] = []
  const greeting = new GreetingEnd(clock, store, ({ type }) => asked.push(type))
  const told = (...links: readonly Link[]) => {
    for (const link of links) greeting.link(link)
    clock.advance(300)
    return [asked.splice(0).length, store.get().run.frames.lines, clock.alarms]
  }
  const byApi = { ...lost, api: true }
  const links = [[open], [open, open], [open, lost], [byApi], [byApi], [lost], [byApi, open]]
  // What was asked, the notes so far, and the timers.
  const all = links.map(one => told(...one).join(" "))
  expect(all).toEqual(["1 1 0", "1 2 0", "0 2 0", "1 2 0", "0 2 0", "0 2 0", "2 3 0"])
  greeting.link(open)
  clock.advance(299)
  expect(asked).toEqual([])
})

test("an open run says that another session asks, once for each new question, and nothing of its own", () => {
  const store = createStore({ ...features, link: open })
  const questions: object[] = []
  let ring = (): void => undefined
  let path = "/own.jsonl"
  const desk = {
    get questions() {
      return questions
    },
    listen: (told: () => void) => {
      ring = told
    },
  }
  const session = { store, perform: () => undefined }
  const clock = new ManualClock()
  const shown = () => (path === "" ? null : { session, path })
  tellAsked(desk as never, clock as never, shown as never)
  const told = (...now: readonly string[]) => {
    questions.splice(0, questions.length, ...now.map(path => ({ path, directory: join(homedir(), "shop") })))
    store.dispatch({ type: "view", change: { notice: null } })
    ring()
    return store.get().view.notice?.text ?? null
  }
  const said = "Claude asks in ~/shop: Enter on its row of home answers"
  expect([told("/a"), told("/a"), told("/a", "/own.jsonl"), told("/a"), told("/a", "/b"), told(), told("/c")]).toEqual([
    ...[said, null, null, null, said, null, said],
  ])
  path = ""
  expect(told("/c", "/d")).toBeNull()
})

test("only a recording's path is taken from the home directory, and a run whose agent is gone says how to see it", () => {
  const paths = ["~/a", "~", "~b/a", "/~/a"].map(path => fromHomeDirectory({ type: "recording", path }))
  expect(paths).toEqual([join(homedir(), "a"), "~", "~b/a", "/~/a"].map(path => ({ type: "recording", path })))
  expect(fromHomeDirectory({ type: "demo" })).toEqual({ type: "demo" })
  const gone = "the agent that started this screen has exited; to see the run again:"
  expect([null, "/a b"].map(sessionDir => spawnerGoneMessage({ pid: 1, sessionDir }))).toEqual([
    ...[`${gone} opentui-sidecar replay SESSION-DIR`, `${gone} escapement open '/a b'`],
  ])
})

test("the program looks at what ends by itself when it ends, at the earliest end, and not all the time until then", () => {
  const clock = new ManualClock()
  const store = createStore({ ...features, link: open })
  tickAtEnds(store, clock as never)
  const show = (text: string, level?: "info") =>
    store.ask({ type: "notice/show", text, ...(level && { level }) }, { now: clock.now(), page: 0, lines: 0 })
  show("Saved", "info")
  expect([store.get().view.notice?.text, clock.step(), store.get().view.notice]).toEqual(["Saved", 3 * NOTICE_MS, null])
  show("Saved", "info")
  clock.advance(1000)
  store.dispatch({ type: "view", change: { notice: null } })
  expect(clock.alarms).toBe(0)
  show("Again", "info")
  expect([clock.alarms, clock.step(), clock.alarms]).toEqual([1, 3 * NOTICE_MS, 0])
})

test("a closed clock rings no more, and one alarm that is cancelled leaves the others", async () => {
  const clock = new RunClock()
  const rung: string[] = []
  const cancel = clock.after(1, () => rung.push("cancelled"))
  clock.after(1, () => rung.push("rung"))
  cancel()
  await until(() => rung.length > 0)
  clock.after(1, () => rung.push("closed"))
  clock.close()
  clock.after(0, () => rung.push("late"))
  const other = new RunClock()
  await new Promise<void>(done => void other.after(5, done))
  expect(rung).toEqual(["rung"])
})

test("long work lets others work once a slice is over, and a stop ends it between two steps", async () => {
  const clock = new ManualClock()
  const slices = new TimeSlices(clock)
  const steps = function* (most: number) {
    for (let step = 0; step < most; step++) {
      clock.sleep(SLICE_MS / 2)
      yield
    }
    return most
  }
  slices.begin()
  const done = slices.run(steps(3))
  await clock.idle()
  expect([clock.elapsed(), clock.alarms]).toEqual([SLICE_MS, 1])
  clock.step()
  expect([await done, clock.elapsed()]).toEqual([3, 1.5 * SLICE_MS])
  const stopped = slices.run(steps(9))
  await clock.idle()
  slices.stop()
  expect([await stopped, await slices.run(steps(1)), slices.stopped]).toEqual([null, null, true])
})

test("a crash file begins with the fault and has the last 2,000 frames, without secrets; alone where they can't be read", () => {
  const home = fileScratch()
  const lines = Array.from({ length: 2003 }, (_, i) => eventText(i, "app/note", { key: "sk-0123456789abcdefghij" }))
  const log = { length: 2003, lines: (from: number, to: number) => lines.slice(from, to), close: () => undefined }
  const written = (fault: unknown, now: number, openLog: () => typeof log | null) => {
    const path = writeCrash(home, fault, now, openLog) ?? ""
    return readFileSync(path, "utf8").trimEnd().split("\n")
  }
  const [note = "", ...rest] = written(new Error("of \x1b[2J ours"), 1, () => log)
  expect(JSON.parse(note)).toMatchObject({ kind: "sidecar", at: 1, what: "fault", bun: Bun.version })
  expect(note).toContain('"stack":"Error: of \\u001b[2J ours')
  expect([rest.length, rest[0], rest.at(-1)]).toEqual([
    2000,
    ...[3, 2002].map(seq => eventText(seq, "app/note", { key: "[redacted API key]" })),
  ])
  expect(written("a text", 2, () => null)[0]).toContain('"stack":"a text"')
  const failing = () => {
    throw new Error("no log")
  }
  expect(written("alone", 3, failing)).toHaveLength(1)
  expect(notPrivate(join(home, "crash"))).toEqual([])
  const names = readdirSync(join(home, "crash"))
  expect([writeCrash(home, "again", 3, () => null), readdirSync(join(home, "crash"))]).toEqual([null, names])
  writeFileSync(join(home, "file"), "")
  expect([writeCrash(join(home, "file"), "x", 4, () => null), existsSync(join(home, "file"))]).toEqual([null, true])
})

test("home's facts of a stored session: what it used, what it cost by its own word or by the prices, what it asks", () => {
  const prices = decodePrices('{"m":{"input_cost_per_token":1e-6,"output_cost_per_token":2e-6}}') ?? noPrices
  const session = { ...noFacts, id: "i\x07d", cli: "claude", activeAt: 9, path: "/p" }
  const used = { input: 1_000_000, cached: 400_000, output: 500_000, costUsd: null }
  const rows = [
    { ...session, directory: `${homedir()}/shop`, branch: " main ", title: "t".repeat(500), startedAt: 4 },
    { ...session, model: "m", usage: used },
    { ...session, model: "m", usage: { ...used, costUsd: 0.5 } },
    { ...session, model: "m", usage: { ...used, costUsd: 0 } },
    { ...session, model: "m", usage: { ...used, output: null } },
    { ...session, state: "waiting", last: " Well? " },
    { ...session, state: "waiting", context: 0.5, subagents: 2 },
  ] as const
  const told = rows.map(row => {
    const { session, ...facts } = sessionFacts(row, prices)
    return JSON.stringify({ ...facts, session: { ...session, title: session?.title.length } })
  })
  expect(told).toMatchSnapshot()
  expect(sessionFacts({ ...session, model: "m", usage: used }, noPrices).cost).toBeNull()
})

/** The time to notice the parent's end (docs/decisions.md 3.6); the rest of the 2 s is the terminal's. */
const SOON_MS = 1000

test("a parent process that is gone is noticed within a second, and told once; a living one never, and is looked at again", () => {
  const clock = new ManualClock()
  let calls = 0
  watchSpawner(process.ppid, () => calls++, clock)
  for (let look = 0; look < 100; look++) expect(clock.step()).toBeLessThanOrEqual(SOON_MS)
  expect([calls, clock.alarms]).toEqual([0, 1])
  const other = new ManualClock()
  // No process has this number, so our parent is another one, as for an orphan.
  watchSpawner(-1, () => calls++, other)
  other.advance(SOON_MS)
  expect(calls).toBe(1)
  other.advance(60_000)
  expect([calls, other.alarms]).toEqual([1, 0])
})

test("a terminal that is gone is noticed as soon, and none is looked at where stdout is none", () => {
  const [isTTY, clock] = [Object.getOwnPropertyDescriptor(process.stdout, "isTTY"), new ManualClock()]
  opened(() => Object.defineProperty(process.stdout, "isTTY", isTTY ?? { value: undefined, configurable: true }))
  let calls = 0
  for (const value of [false, true]) {
    Object.defineProperty(process.stdout, "isTTY", { value, configurable: true })
    watchTerminal(() => calls++, clock)
    expect(clock.alarms).toBe(value ? 1 : 0)
  }
  expect([calls, clock.step() <= SOON_MS, calls, clock.alarms]).toEqual([0, true, 1, 0])
})
