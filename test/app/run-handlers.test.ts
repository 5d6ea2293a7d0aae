// Tests what a run does for each effect, and which it does not do: after its end, without an agent, or where it fails.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Link } from "../../packages/wire/src/link.ts"
import { performer } from "../../src/app/run-handlers.ts"
import type { RunSession } from "../../src/app/run-session.ts"
import type { SourceOptions } from "../../src/cli/source-options.ts"
import { searches } from "../../src/panels/search/search-results.ts"
import type { Effect } from "../../src/view/effect.ts"
import { lost as cut, open, url } from "../panels/planned.ts"
import { eventText } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"
import { ASKED, FakeSurface, held, live, open as openRun, REPLAY, screenOptions, sessionOf } from "./open-run.ts"

const lost = { ...cut, retryAt: 9e15 }
const DONE = eventText(9, "runner/done", { status: "done" })

test.each([
  ["of an agent that is there", open, [], {}, "leave 0"],
  ["of an agent that was cut off", lost, [], {}, "leave 0: The agent was disconnected, so it was not told to quit"],
  ["of an agent that was never there", { ...lost, everOpen: false }, [], {}, "leave 0"],
  ["of a run that is over", lost, [DONE], {}, "leave 0"],
  ["of a run that a person attached to", lost, [], { isAttached: true }, "leave 0"],
] as const)("a person who quits %s is told whether it knows", async (_, link, lines, more, said) => {
  const { run, surface, come } = await held(live(url), [], more)
  run.link(open)
  if (lines.length > 0) come(...lines)
  run.link(link)
  run.perform([{ type: "program/exit", code: 0 }])
  expect(surface.calls).toEqual([said])
})

test("an answer is sent once nobody can take it back any more, or the run is closed; one that was taken back is not", async () => {
  const { run, source, come, ask, store } = await held()
  run.link(open)
  come(ASKED, ASKED.replace("q#1", "q#2"))
  ask({ type: "prompt/say", value: true })
  ask({ type: "prompt/take-back" })
  ask({ type: "prompt/say", value: true })
  const { until: due = 0 } = store.get().view.questions.heldAnswer ?? {}
  run.perform([{ type: "answer/hold", until: due - 1e6 }])
  await until(() => source.sent.length > 0)
  expect(Date.now()).toBeGreaterThanOrEqual(due)
  ask({ type: "prompt/say", value: true })
  expect(source.sent).toHaveLength(1)
  run.close()
  expect(source.sent.map(text => JSON.parse(text)["prompt-id"])).toEqual(["q#1", "q#2"])
  expect(source.isStopped).toBe(true)
})

test("a command that is shown ends before the program, which ends with its code; a signal that it takes ends both", async () => {
  const order: string[] = []
  const guest = {
    terminate: async () => order.push("terminated") + 6,
    forwardSignal: (signal: string) => order.push(signal) < 9 && signal !== "SIGQUIT",
    stop: () => undefined,
  }
  const from: SourceOptions = { type: "run", command: ["tea"], parser: { type: "own" } }
  const exited: Link = { state: "exited", command: "tea", code: 3 }
  const { run, surface } = await held(from, [], {}, guest)
  run.perform([{ type: "program/exit", code: 0 }])
  await until(() => surface.calls.length > 0)
  run.link(exited)
  expect(surface.calls).toEqual(["leave 7"])
  // One that it does not take changes nothing.
  const taken = (["SIGINT", "SIGQUIT"] as const).map(signal => run.forwardSignal(signal))
  expect([taken, order.splice(2)]).toEqual([[true, false], ["SIGQUIT"]])
  run.link({ state: "running", command: "tea" })
  run.link(exited)
  expect(surface.calls).toEqual(["leave 7", "leave 3"])
  run.forwardSignal("SIGTERM")
  // Its last lines may never be read.
  await until(() => surface.calls.length === 3)
  expect([surface.calls.at(-1), order]).toEqual(["leave 10", ["terminated", "SIGINT", "SIGTERM", "terminated"]])
  for (const one of [null, { ...guest, forwardSignal: () => false }])
    expect((await held(from, [], {}, one)).run.forwardSignal("SIGTERM")).toBe(false)
  expect(order).toHaveLength(4)
})

test("read-only, nothing is sent; home is shown where the run was opened there; a closed run does nothing", async () => {
  const send = { type: "agent/send", text: "{}", command: { type: "cancel", promptId: "q" } } as Effect
  const [reader, writer] = [await held(live(url), ["--read-only"]), await held()]
  let isLeft = 0
  const fromHome = await held(live(url), [], { goHome: () => isLeft++ })
  for (const { run } of [reader, writer, fromHome]) run.perform([send, { type: "run/leave" }])
  expect([reader.source.sent.length, writer.source.sent.length, isLeft]).toEqual([0, 1, 1])
  const { run, surface } = fromHome
  run.close()
  run.perform([send, { type: "run/leave" }, { type: "terminal/bell" }])
  expect([fromHome.source.sent.length, isLeft, surface.calls]).toEqual([1, 1, []])
  const read = Promise.withResolvers<object>()
  const eql = { readChart: () => read.promise } as never
  const screen = screenOptions(fromHome.home)
  const [there, gone] = [0, 1].map(() => sessionOf({ ...fromHome.source.opened, eql }, { screen }))
  for (const one of [there, gone]) one?.perform([{ type: "chart/read" }])
  gone?.close()
  read.resolve({ root: null, elements: [] })
  await until(() => there?.store.get().definition != null)
  expect(gone?.store.get().definition ?? null).toBeNull()
})

test("effects are handled in their order until the run ends, also by one of them, and one without a handler is told", () => {
  const done: string[] = []
  const abort = new AbortController()
  const perform = performer(
    { "terminal/bell": () => done.push("bell"), "run/leave": () => abort.abort() },
    { signal: abort.signal, other: () => done.push("other") },
  )
  perform([{ type: "terminal/bell" }, { type: "terminal/redraw" }, { type: "terminal/bell" }])
  expect(done).toEqual(["bell", "other", "bell"])
  perform([{ type: "run/leave" }])
  perform([{ type: "terminal/bell" }, { type: "terminal/redraw" }])
  expect(done).toHaveLength(3)
})

test("without an answer the program is left in time, and says after how long", async () => {
  const never = { ...lost, everOpen: false }
  const links: readonly (Link | null)[] = [open, lost, { ...never, api: true }, null, never]
  const runs: { run: RunSession; surface: FakeSurface }[] = []
  for (const link of links) {
    const one = await held()
    if (link !== null) one.run.link(link)
    runs.push(one)
  }
  for (const { run } of runs) run.leaveUnlessAnswered(20, 3)
  await until(() => runs.at(-1)?.surface.calls.length === 1)
  const left = "leave 3: no agent answered within 0.02 s"
  expect(runs.map(({ surface }) => surface.calls)).toEqual([[], [], [], [left], [left]])
})

test("a run that is stepped to its next state is stepped with what comes, until it is there", async () => {
  const { run, source, come, ask, notice } = await held()
  const state = (name: string) => eventText(1, "runner/start-config", { config: [name] })
  const [going, paused] = [1, 0].map(left => JSON.stringify({ kind: "debug", paused: true, "step-budget": left }))
  run.link(open)
  come(state("one"), `${paused}`)
  for (const type of ["debugger/step-to", "menu/choose"] as const) ask({ type })
  for (const line of [going, paused, state("two")]) come(`${line}`)
  expect([source.sent.length, notice()]).toEqual([2, "Reached the next state"])
})

/** What the lines of a file are about. */
function linesOf(path: string): readonly string[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n")
  return lines.map(text => JSON.parse(text)).map(({ kind, event, what, state }) => event ?? what ?? state ?? kind)
}

test("a command's run is kept to its last line, recorded where a person asks, searched, and written down with a fault", async () => {
  const guest = { terminate: async () => 0, forwardSignal: () => false, stop: () => undefined }
  const from: SourceOptions = { type: "run", command: ["tea"], parser: { type: "own" } }
  const { run, store, come, state, ask } = await held(from, [], {}, guest)
  const setup = () => store.get().view.setup
  const other = fileScratch()
  await Bun.write(join(other, "state/opentui-sidecar/runs"), "a file")
  const unkept = await held(from, [], { screen: screenOptions(other) }, guest)
  expect(unkept.store.get().view.setup.isKept).toBe(false)
  expect(setup()).toMatchObject({ isKept: true, isFromHome: false, isAttached: false })
  run.link({ state: "running", command: "tea" })
  const ids = { invokeid: "a", "session-id": "s" }
  come(eventText(0, "runner/started", ids), eventText(1, "llm/user-message", { ...ids, text: "a kettle" }))
  run.perform([
    { type: "recording/toggle" },
    { type: "bookmarks/write", bookmarks: [{ epoch: 0, seq: 1, note: "here" }] },
  ])
  expect(setup().recording).toBe(true)
  ask({ type: "search/begin" })
  ask({ type: "typing/text", text: "kettle" })
  ask({ type: "typing/take" })
  await until(() => searches.of(store.get().view).last?.isOver === true)
  expect(searches.of(store.get().view).last?.hits.map(({ what }) => what)).toEqual(["prompt"])
  come(DONE)
  const fault = run.fault(new Error("of ours")) ?? ""
  run.perform([{ type: "recording/toggle" }])
  expect(setup().recording).toBe(false)
  run.close()
  const below = (name: string) => readdirSync(join(state, name), { recursive: true, encoding: "utf8" })
  const files = [...below("recordings").map(name => `recordings/${name}`), ...below("runs").map(name => `runs/${name}`)]
  const told = files.filter(name => name.endsWith(".jsonl")).map(name => linesOf(join(state, name)))
  const lines = ["runner/started", "llm/user-message", "runner/done"]
  expect([...told, linesOf(fault), below("bookmarks").length]).toEqual([lines, lines, ["fault", ...lines], 1])
})

test("a condition pauses a recording and is told of in a live run, and a moment that isn't there ends the program", async () => {
  const flags = ["--pause-at", "event=app/kettle"]
  const { run, come, notice, store } = await held(live(url), flags)
  run.link(open)
  come(eventText(0, "runner/started"), eventText(1, "app/kettle"))
  expect(notice()).toContain("Breakpoint event=app/kettle: can't pause: no debugger is attached")
  run.restart()
  expect(store.get().run.frames.lines).toBe(0)
  const path = join(fileScratch(), "run.jsonl")
  writeFileSync(
    path,
    [0, 1, 2].map(seq => `${eventText(seq, ["runner/started", "app/kettle", "app/late"][seq] ?? "")}\n`).join(""),
  )
  const paused = await openRun({ ...REPLAY, path }, { screen: screenOptions(fileScratch(), flags) })
  opened(() => paused.close())
  await until(() => paused.store.get().view.notice !== null)
  expect([paused.store.get().view.notice?.text, paused.store.get().run.frames.lines]).toEqual([
    "Breakpoint event=app/kettle: paused at frame 2",
    2,
  ])
  const surface = new FakeSurface()
  const at = { type: "frame", frame: 9 } as const
  const missed = await openRun({ ...REPLAY, path, at }, { screen: screenOptions(fileScratch()), surface })
  opened(() => missed.close())
  await until(() => surface.calls.length > 0)
  expect(surface.calls).toEqual(["leave 2: --at: the recording doesn't have that moment"])
})

test("a live run is filled in from its directory, and a question hides from who is typing, where there is a keyboard", async () => {
  const { home, run, come, store } = await held()
  // The hub counts from 1.
  const rows = [0, 1, 2].map(seq => `${JSON.stringify({ event: "app/note", seq, ts: 1, data: {} })}\n`)
  writeFileSync(join(home, "run/transcript.jsonl"), rows.join(""))
  run.link(open)
  come(eventText(4, "app/note"))
  const hides = async (isPlain: boolean, isPressed: boolean) => {
    const one = await held()
    if (isPlain) one.surface.terminal = null
    if (isPressed) one.run.keyPressed()
    one.run.link(open)
    one.come(ASKED)
    return one.store.get().view.questions.promptHidden
  }
  const told = [await hides(false, false), await hides(false, true), await hides(true, true)]
  expect(told).toEqual([false, true, false])
  await until(() => (store.get().run.epochs[0]?.seen ?? 0) >= 3)
})
