// Runs of one process, one after the other: a closed run leaves nothing behind, and the next shows nothing of it.
import { expect, spyOn, test } from "bun:test"
import { appendFileSync, existsSync, readdirSync, writeFileSync } from "node:fs"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { RunSearch } from "../../src/app/handlers/run-search.ts"
import { openSource } from "../../src/app/open-source.ts"
import type { SessionOptions } from "../../src/app/run-context.ts"
import type { RunSession } from "../../src/app/run-session.ts"
import { TraceOutput } from "../../src/app/trace-output.ts"
import type { ScreenOptions } from "../../src/cli/screen-options.ts"
import type { SourceOptions } from "../../src/cli/source-options.ts"
import { features } from "../../src/panels/plan.ts"
import { searches } from "../../src/panels/search/search-results.ts"
import { traces as shownTraces } from "../../src/panels/status/index.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import type { Surface } from "../../src/screen/surface.ts"
import { createStore } from "../../src/view/store.ts"
import { generate } from "../../tools/bench/generate.ts"
import { fixture, root } from "../fixtures.ts"
import { open as linkOpen } from "../panels/planned.ts"
import { event, ids, eventText as row } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { type Agent, startAgent } from "../transport/agent.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { until } from "../until.ts"
import {
  FakeSource,
  FakeSurface,
  live,
  open as openRun,
  screenOptions as optionsIn,
  REPLAY,
  sessionOf,
  spanReceiver,
  stateDirectory,
} from "./open-run.ts"
import { watchResources } from "./resources.ts"

const home = fileScratch()

const stateDir = (): string => stateDirectory(home)

const screenOptions = (...flags: readonly string[]): ScreenOptions => optionsIn(home, flags)

const open = (source: SourceOptions, surface: Surface, more: Partial<SessionOptions> = {}): Promise<RunSession> =>
  openRun(source, { screen: screenOptions(), surface, ...more })

/** Rows of a run with one session that asks a question. */
function greet(socket: { send(text: string): void }, name: string): void {
  socket.send(row(0, "runner/started", { "chart-id": `:${name}/chart` }))
  socket.send(row(1, "llm/start", { invokeid: name, "session-id": name, model: "m" }))
  socket.send(JSON.stringify({ kind: "prompt", "prompt-id": `${name}#1`, type: "text", opts: { prompt: `${name}?` } }))
}

/** A session directory with all that the inspector reads. */
async function sessionDirectory(name: string): Promise<string> {
  const path = join(home, name)
  await mkdir(join(path, "artifacts"), { recursive: true })
  await writeFile(join(path, "artifacts/report.md"), "# report\n")
  await writeFile(join(path, "agent.log"), "started\n")
  await writeFile(join(path, "transcript.jsonl"), `${row(0, "runner/started", { "chart-id": ":x" })}\n`)
  return path
}

/** Has the run hold as much as it can: files that are followed, searches, waits, a moment of the past. */
function occupy(run: RunSession): void {
  run.perform([
    { type: "directory/read", request: { read: "file", name: "agent.log" } },
    { type: "directory/read", request: { read: "artifacts", on: true } },
    { type: "runs/search", text: "nowhere", scope: "runs" },
    { type: "log/scan", lines: [0] },
    { type: "chart/read" },
    { type: "time/seek", moment: { type: "frame", frame: 1 } },
  ])
}

async function attached(agent: Agent, name: string, surface: Surface): Promise<RunSession> {
  const record = join(home, `${name}.jsonl`)
  const run = await open(live(agent.url), surface, { sessionDir: await sessionDirectory(name), record })
  greet(await agent.connection(1), name)
  await until(() => run.store.get().run.prompts.length > 0)
  return run
}

test("a burst of more rows than memory keeps loses no span", async () => {
  const { spans, url } = spanReceiver()
  await using agent = await startAgent()
  const screen = screenOptions("--otlp", `${url}v1/traces`)
  const run = await openRun(live(agent.url), { screen })
  const socket = await agent.connection(1)
  const ids = { invokeid: "one", "session-id": "one" }
  for (let turn = 0; turn < 3000; turn++) {
    socket.send(row(2 * turn, "llm/start", { ...ids, model: "m" }))
    socket.send(row(2 * turn + 1, "llm/response", { ...ids, usage: { "input-tokens": 1, "output-tokens": 1 } }))
  }
  const chats = (): number => spans.filter(({ name }) => name.startsWith("chat")).length
  await until(() => chats() >= 3000)
  await run.close()
  expect(chats()).toBe(3000)
})

/** Sends the spans of a run that a test drives; `leave` returns what stderr gets when the process ends. */
function tracing(url: URL) {
  const [clock, store] = [new ManualClock(), createStore({ ...features, link: linkOpen })]
  const notices: string[] = []
  const { signal } = new AbortController()
  const context = { store, clock, signal, ask: () => undefined, notify: (text: string) => notices.push(text) }
  const traces = new TraceOutput(context, { url: `${url}v1/traces`, headers: {}, content: false })
  const come = (...frames: readonly Decoded[]): void => {
    store.dispatch({ type: "frames", frames })
    traces.folded()
  }
  const leave = async () => {
    const ends: (() => void)[] = []
    using _ = spyOn(process, "once").mockImplementation(((_: string, end: () => void) => ends.push(end)) as never)
    using wrote = spyOn(process.stderr, "write").mockImplementation(() => true)
    await traces.close()
    for (const end of ends) end()
    return wrote.mock.calls.map(([text]) => text)
  }
  return { clock, store, notices, come, leave, told: () => shownTraces.of(store.get().view) }
}

test("a run that begins again soon after its end keeps its spans open as long as it lasts", async () => {
  const { spans, url } = spanReceiver()
  const { clock, come, leave } = tracing(url)
  come(event(0, "runner/started"), event(1, "runner/done"))
  come(event(0, "runner/started"), event(1, "llm/start", { ...ids, model: "m" }))
  clock.advance(60_000)
  come(event(2, "llm/response", { ...ids, "stop-reason": "end_turn" }))
  const chats = () => spans.filter(({ name }) => name === "chat m")
  await until(() => chats().length > 0)
  expect(chats().map(({ attributes }) => attributes["gen_ai.response.finish_reasons"])).toEqual([["end_turn"]])
  come(event(3, "runner/done"))
  clock.advance(2000)
  await until(() => spans.some(({ name }) => name.startsWith("invoke_workflow")))
  expect(await leave()).toEqual([])
})

test("spans that are refused, not those that wait, are told of once, counted each second, and named on leaving", async () => {
  let status = 503
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("", { status }) })
  const to = `${server.url.host}/v1/traces`
  const busy = tracing(server.url)
  busy.come(event(0, "llm/start", ids), event(1, "llm/response", ids))
  await until(() => {
    busy.clock.advance(1000)
    return busy.told().why !== null
  })
  expect([busy.told().dropped, ...busy.notices]).toEqual([0])
  expect(await busy.leave()).toEqual([`opentui-sidecar: 3 spans not sent to ${to}: ${busy.told().why}\n`])
  status = 400
  const { clock, notices, come, leave, told } = tracing(server.url)
  expect(told()).toEqual({ to, sent: 0, waiting: 0, dropped: 0, why: null })
  for (const turn of [1, 2]) {
    come(event(2 * turn, "llm/start", { ...ids, model: "m" }), event(2 * turn + 1, "llm/response", ids))
    await until(() => {
      clock.advance(1000)
      return told().dropped === turn
    })
  }
  expect(notices).toEqual([`Spans are dropped: ${told().why}`])
  come(event(6, "llm/start", { ...ids, model: "m" }))
  expect(clock.alarms).toBe(0)
  expect(await leave()).toEqual([`opentui-sidecar: 5 spans not sent to ${to}: ${told().why}\n`])
})

test("the second of two live runs shows nothing of the first, which rings no bell any more", async () => {
  await using one = await startAgent()
  await using other = await startAgent()
  const surface = new FakeSurface()
  const first = await attached(one, "first", surface)
  occupy(first)
  first.close()
  const left = first.store.get().view
  const socket = await one.connection(1)
  const second = await attached(other, "second", surface)
  expect(surface.shown).toEqual([first, second])
  const { run, view, directory } = second.store.get()
  expect(run.chart.chartId).toBe(":second/chart")
  expect(run.sessions.map(({ title }) => title)).toEqual(["second"])
  expect(run.prompts.map(({ frame }) => frame.question)).toEqual(["second?"])
  expect([searches.of(view).last, view.overlays, directory?.path]).toEqual([null, [], join(home, "second")])
  const { calls } = surface
  calls.length = 0
  // By the time that the same search is over, that of the first run would have reported.
  const report = Promise.withResolvers<unknown>()
  const of = { recording: () => join(home, "first.jsonl"), directory: join(home, "first") }
  new RunSearch({ ...of, report: ({ isOver }) => isOver && report.resolve(isOver) }).search("nowhere", "runs")
  await report.promise
  const before = first.store.get()
  expect(before.view).toBe(left)
  first.perform([{ type: "terminal/bell" }, { type: "program/exit", code: 1 }])
  socket.send(JSON.stringify({ kind: "prompt", "prompt-id": "late", type: "text", opts: { prompt: "late?" } }))
  expect(calls).toEqual([])
  expect(first.store.get()).toBe(before)
  second.close()
})

test("of a closed run no timer, listener, connection or file of its own is left", async () => {
  await using agent = await startAgent()
  // The agent's own timers are not ours.
  using resources = watchResources()
  const log = join(home, "other.log")
  writeFileSync(log, "a line\n")
  const replay = { ...REPLAY, timing: "wallclock", loop: true } as const
  const sources: readonly SourceOptions[] = [
    live(agent.url),
    { ...replay, path: fixture("demo") },
    { ...replay, path: log, parser: { type: "own" } },
    { type: "run", command: ["sh", "-c", "echo hello; exec sleep 600"], parser: { type: "open", hint: null } },
  ]
  const sessionDir = await sessionDirectory("kept")
  const record = join(home, "kept.jsonl")
  const round = async (source: SourceOptions): Promise<void> => {
    const run = await open(source, new FakeSurface(), { sessionDir, record })
    if (source.type === "live") greet(await agent.connection(connections++), "kept")
    await until(() => run.store.get().run.frames.lines > 0)
    occupy(run)
    expect(resources.timers()).not.toEqual([])
    run.close()
    run.close()
  }
  let connections = 1
  // What is loaded once stays.
  for (const source of sources) await round(source)
  await until(() => resources.timers().length === 0)
  const [listeners, descriptors] = [resources.listeners(), resources.descriptors()]
  for (const source of sources) {
    await round(source)
    await until(() => resources.timers().length === 0)
    expect(resources.timers()).toEqual([])
    expect(resources.listeners()).toBe(listeners)
    await until(() => resources.descriptors() <= descriptors)
    expect(readdirSync(join(stateDir(), "spool"))).toEqual([])
  }
  expect(existsSync(record)).toBe(true)
})

test("a long recording opened again is there at once, with its moments and bookmarks, and goes on as it grows", async () => {
  const path = join(home, "long.jsonl")
  const lines = generate({ frames: 80_000, sessions: 8, seed: 5 })
  // Its first line is too long to be read, and names the run nevertheless.
  writeFileSync(path, [`{"${"x".repeat(17 * 1024 * 1024)}"}`, ...lines, ""].join("\n"))
  const screen = screenOptions()
  const from = { ...REPLAY, path, keepsIndex: true }
  const opened = async (): Promise<RunSession> => {
    const run = sessionOf(await openSource(from, screen, "this build"), { screen })
    await run.start()
    return run
  }
  const names = (of = "index"): readonly string[] => {
    const directory = join(stateDir(), of)
    return existsSync(directory) ? readdirSync(directory) : []
  }
  const first = await opened()
  await until(() => names().some(name => name.endsWith(".index")))
  first.perform([{ type: "time/seek", moment: { type: "frame", frame: 50_000 } }])
  await until(() => first.store.get().time.present !== null)
  const before = first.store.get()
  first.perform([{ type: "bookmarks/write", bookmarks: [{ epoch: 0, seq: 5, note: "here" }] }])
  await until(() => names("bookmarks").some(name => name.endsWith(".json")))
  first.close()
  // Plain lines tell the run from its beginning.
  const plain = await openSource(from, { ...screen, plain: true }, "this build")
  const unkept = await openSource({ ...from, keepsIndex: false }, screen, "this build")
  expect([plain.index ?? null, unkept.index ?? null]).toEqual([null, null])
  for (const one of [plain, unkept]) one.close()

  const again = await opened()
  const at = again.store.get()
  const { frames, sessions } = before.time.present ?? before.run
  expect(at.run.frames).toEqual(frames)
  expect(at.run.sessions.map(({ turns }) => turns)).toEqual(sessions.map(({ turns }) => turns))
  expect(at.time.marks).toEqual(before.time.marks)
  again.perform([{ type: "time/seek", moment: { type: "frame", frame: 50_000 } }])
  await until(() => again.store.get().time.present !== null)
  expect(again.store.get().run.turnBuffers).toEqual(before.run.turnBuffers)
  // The log shows the oldest rows, whose frames have left memory.
  again.showRows(slice(again.store.get().run.log.rows, 0, 2))
  expect([...again.store.get().recalled.values()].map(frame => frame?.kind)).toEqual(["event", "event"])
  appendFileSync(path, `${row(80_001, "llm/delta", { invokeid: "new", "session-id": "new", text: "on" })}\n`)
  await until(() => (again.store.get().time.present?.frames.lines ?? 0) === 80_002)
  await until(() => again.store.get().view.log.bookmarks.at(0)?.note === "here")
  again.close()
  expect(names()).toHaveLength(1)
})

const LOG = { ...REPLAY, parser: { type: "cli", cli: "claude" } } as const
const openLog = (path: string): Promise<RunSession> => open({ ...LOG, path }, new FakeSurface())

test("a long log of a CLI is shown from its end, then whole, and goes on as it grows", async () => {
  const path = join(home, "claude.jsonl")
  const said = (id: number, text: string): string => {
    const message = { id: `m${id}`, model: "m", content: [{ type: "text", text }], stop_reason: "end_turn" }
    return `${JSON.stringify({ type: "assistant", uuid: `u${id}`, sessionId: "s", parentUuid: null, message })}\n`
  }
  const block = { type: "tool_result", tool_use_id: "t", is_error: true, content: "no" }
  const failed = { type: "user", uuid: "e", sessionId: "s", parentUuid: null, message: { content: [block] } }
  const replies = Array.from({ length: 500 }, (_, id) => said(id, "word ".repeat(2000)))
  writeFileSync(path, `${replies[0]}${JSON.stringify(failed)}\n${replies.slice(1).join("")}`)
  const run = await openLog(path)
  const turns = () => run.store.get().run.sessions[0]?.turns ?? 0
  await until(() => turns() > 0)
  expect(turns()).toBeLessThan(110)
  await until(() => turns() === 500)
  expect(run.store.get().view.notice?.text).toBe("The whole log is read")
  // Played or from a moment on, it is shown from its beginning at once.
  const parts = [{}, { loop: true }, { at: { type: "frame", frame: 1 } }, { timing: "paced" }] as const
  const isPart = parts.map(async more => {
    const { log, close } = await openSource({ ...LOG, path, ...more }, screenOptions())
    const told = await Promise.race([log?.isToBeRead, Promise.resolve(null)])
    close()
    return told !== null
  })
  expect(await Promise.all(isPart)).toEqual([true, false, false, false])
  // What fails before the shown end is marked on the timeline, too.
  expect(run.store.get().time.marks.error.length).toBe(1)
  appendFileSync(path, said(500, "and on"))
  await until(() => turns() === 501)
  run.perform([{ type: "time/seek", moment: { type: "frame", frame: 10 } }])
  await until(() => run.store.get().time.present !== null)
  expect(turns()).toBeLessThan(10)
  run.close()
  expect(readdirSync(join(stateDir(), "spool"))).toEqual([])
  // It is closed while the whole log is still read.
  const brief = await openLog(path)
  await until(() => (brief.store.get().run.sessions[0]?.turns ?? 0) > 0)
  brief.close()
  await until(() => readdirSync(join(stateDir(), "spool")).length === 0)
  const gone = sessionOf(await openSource({ ...LOG, path }, screenOptions()), { screen: screenOptions() })
  await rm(path)
  await gone.start()
  await until(() => gone.store.get().view.notice !== null)
  expect(gone.store.get().view.notice?.text).toStartWith("What precedes this is not shown: ")
  gone.close()
})

test("a rewind moves what is left while the session is open, and the view stays", async () => {
  const file = "agents/sessions/claude-2.1.331/704110b5-1971-4d56-ba05-9994d5d8eaba.jsonl"
  const lines = (await Bun.file(join(root, "fixtures", file)).text()).split("\n")
  const rewind = lines.findIndex(line => line.includes('"Go another way."'))
  const path = join(home, "rewound.jsonl")
  writeFileSync(path, `${lines.slice(0, rewind).join("\n")}\n`)
  const run = await openLog(path)
  const names = () => run.store.get().run.sessions.map(({ sessionId }) => sessionId)
  await until(() => run.store.get().link.state === "ended")
  const [main = ""] = names()
  const reader = { text: { ...run.store.get().view.reader.text, first: { block: "", row: 3 } } }
  run.store.dispatch({ type: "view", change: { focus: "text", reader } })
  const seen = new Set<string>()
  run.store.subscribe(() => void seen.add(String(names())))
  appendFileSync(path, lines.slice(rewind).join("\n"))
  await until(() => names().includes("rewound-1"))
  // Back to the beginning.
  const anew = { type: "user", uuid: "anew", parentUuid: null, message: { content: "Begin anew." } }
  appendFileSync(path, `\n${JSON.stringify(anew)}\n`)
  await until(() => names().length === 3)
  expect(names()).toEqual(["rewound-2", main, "rewound-1"])
  expect([...seen].filter(shown => !shown.includes(main))).toEqual([])
  expect(run.store.get().view).toMatchObject({ focus: "text", reader })
  run.close()
  await until(() => readdirSync(join(stateDir(), "spool")).length === 0)
})

test("a question notifies a person who looks elsewhere when it comes, and only then", async () => {
  await using agent = await startAgent()
  const surface = new FakeSurface()
  const run = await open(live(agent.url), surface)
  const socket = await agent.connection(1)
  for (const [id, focused] of Object.entries({ here: true, away: false, back: true })) {
    Object.assign(surface.terminal ?? {}, { focused: () => focused })
    socket.send(JSON.stringify({ kind: "prompt", "prompt-id": id, invokeid: id, type: "text", opts: { prompt: "?" } }))
    await until(() => run.store.get().run.prompts.some(({ frame }) => frame.promptId === id))
  }
  expect(surface.calls.filter(call => call.startsWith("notify"))).toEqual(["notify away asks: ?"])
  run.close()
})

test("a fault while frames are taken in is left to the process, and the run goes on", async () => {
  await using agent = await startAgent()
  const surface = new FakeSurface()
  const faults: string[] = []
  const { setImmediate: later } = globalThis
  using _ = spyOn(globalThis, "setImmediate").mockImplementation(((run: () => void) =>
    later(() => {
      try {
        run()
      } catch (error) {
        faults.push(String(error))
      }
    })) as typeof setImmediate)
  surface.taken = () => {
    throw new Error("of ours")
  }
  const run = await attached(agent, "faulty", surface)
  await until(() => faults.length > 0)
  expect(new Set(faults)).toEqual(new Set(["Error: of ours"]))
  expect(run.store.get().run.prompts).toHaveLength(1)
  run.close()
})

test("a fault is written with what a recording told; a bug report that can't be written says why, and leaves nothing", async () => {
  const path = join(home, "gone.jsonl")
  await writeFile(path, `${row(0, "runner/started", {})}\n`)
  // Its spans were sent when it ran.
  const screen = screenOptions("--otlp", "http://127.0.0.1:1")
  const run = await open({ ...REPLAY, path }, new FakeSurface(), { screen })
  await until(() => run.store.get().run.frames.lines === 1)
  expect(shownTraces.of(run.store.get().view)).toBe(
    shownTraces.of(createStore({ ...features, link: linkOpen }).get().view),
  )
  const fault = await Bun.file(run.fault(new Error("of ours")) ?? "").text()
  expect(fault.trim().split("\n")).toHaveLength(2)
  await rm(path)
  run.perform([{ type: "bug-report/write" }])
  await until(() => run.store.get().view.notice !== null)
  expect(run.store.get().view.notice?.text).toStartWith("Can't save the bug report")
  expect(readdirSync(join(stateDir(), "bugs"))).toEqual([])
  run.close()
})

test("a run begins with its options, with what is wrong with them and unsafe of its connection, and one that was closed does not", async () => {
  const keys = new Map([["no-such-action", ["x"]]])
  const config = { ...screenOptions().config, path: "c", keys, mistakes: ["config.toml: no tea"] }
  const prices = join(root, "fixtures/failing-run/prices.json")
  const screen = { ...screenOptions("--prices", prices), config }
  const from = { type: "live", url: "ws://127.0.0.1:1/ws", token: null, warning: "Others can read it" } as const
  const [one, other] = [new FakeSource(from), new FakeSource(from)]
  const run = sessionOf(one.opened, { screen, sessionDir: join(home, "none") })
  await run.start()
  expect(run.store.get().view.notice?.text).toBe(
    "config.toml: no tea · c: keys.no-such-action: unknown action · Others can read it",
  )
  const { options } = run.store.get().run
  expect([options.prices === screen.prices, options.limits === screen.limits]).toEqual([true, true])
  expect([one.sink, run.store.get().directory?.error]).toEqual([run, `${home}/none: no such file`])
  run.close()
  const closed = sessionOf(other.opened, { screen, sessionDir: home })
  const starting = closed.start()
  closed.close()
  await starting
  expect([other.sink, other.isStopped, closed.store.get().directory]).toEqual([null, true, null])
})

test("an agent's API is used unless nothing may be sent, a session goes on in its directory, a command that can't start says why", async () => {
  const apis = [[], ["--read-only"]].map(async flags => {
    const { eql, close } = await openSource(live("ws://127.0.0.1:1/ws"), screenOptions(...flags))
    close()
    return eql !== null
  })
  expect(await Promise.all(apis)).toEqual([true, false])
  writeFileSync(join(home, "file"), "")
  const start = (command: string) =>
    openSource({ type: "run", command: [command], parser: { type: "own" } }, screenOptions())
  const earlier = { id: "s", directory: home }
  const talk = { protocol: "acp", command: [], prompt: null, once: false, asks: true, earlier } as const
  const command = ["sh", "-c", "pwd > here"]
  const goesOn = await openSource({ type: "run", command, parser: { type: "own" }, talk }, screenOptions())
  await until(() => Bun.file(join(home, "here")).size > 0)
  goesOn.close()
  await expect(start("/none/at\x07all")).rejects.toThrow("Can't start /none/at␇all: command not found")
  await expect(start("no-such-command")).rejects.toThrow("Can't start no-such-command: command not found")
  await expect(start(join(home, "file"))).rejects.toThrow(/^Can't start .*file: permission denied$/)
})
