// Home in one process: runs are opened and left, and nothing of them stays.
import { beforeAll, expect, spyOn, test } from "bun:test"
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { HomeSession } from "../../src/app/home-session.ts"
import { keepRun } from "../../src/app/kept-runs.ts"
import { type HomeOptions, readOptions } from "../../src/cli/options.ts"
import { hookDirectory } from "../../src/hook/hook-desk.ts"
import type { ShownRun } from "../../src/screen/surface.ts"
import { shownPath } from "../../src/stores/stored-session.ts"
import { systemClock } from "../../src/transport/clock.ts"
import type { Effect } from "../../src/view/effect.ts"
import type { Intent } from "../../src/view/intent.ts"
import { homeList } from "../../src/view/select/home-rows.ts"
import { typingOf } from "../../src/view/view.ts"
import { play } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { type Agent, startAgent } from "../transport/agent.ts"
import { until } from "../until.ts"
import { FakeSurface, PlainFake, spanReceiver } from "./open-run.ts"
import { watchResources } from "./resources.ts"

const place = fileScratch()
beforeAll(() => {
  for (const name of ["a", "b", "c"]) {
    mkdirSync(join(place, "runs", name), { recursive: true })
    const text =
      '{"event":"runner/started","seq":0,"ts":1,"data":{}}\n{"event":"runner/done","seq":1,"ts":2,"data":{}}\n'
    writeFileSync(join(place, "runs", name, "transcript.jsonl"), text)
  }
})

/** Until the test ends no wait is long. */
function hurry(): void {
  const { after } = systemClock
  const spy = spyOn(systemClock, "after").mockImplementation((ms, run, keepAlive) =>
    after(Math.min(ms, 150), run, keepAlive),
  )
  opened(() => spy.mockRestore())
}

/** Nobody listens at this port. */
const NOBODY = "1"

function optionsOf(port: string, change: Partial<HomeOptions> = {}, more: Record<string, string> = {}): HomeOptions {
  const env = { XDG_STATE_HOME: join(place, "state"), OPENTUI_WS_PORT: port, ...more }
  const options = readOptions(["sessions", join(place, "runs")], env, true)
  if (options.command !== "home") throw new Error("expected the options of home")
  return { ...options, ...change }
}

const ask = (run: ShownRun | undefined, intent: Intent): void =>
  run?.perform(run.store.ask(intent, { now: Date.now(), page: 10, lines: 0 }))

async function withHome(
  options: HomeOptions,
  use: (home: HomeSession, surface: FakeSurface) => Promise<void>,
  surface: FakeSurface = new PlainFake(),
): Promise<void> {
  const home = new HomeSession(options, surface)
  try {
    await home.start()
    await use(home, surface)
  } finally {
    home.close()
    if (surface.front !== home) surface.front?.close()
  }
}

test("of 30 runs that were opened and left, no file, timer or listener stays, and the cursor stays where it was", async () => {
  using resources = watchResources()
  await withHome(optionsOf(NOBODY), async (home, surface) => {
    await until(() => home.store.get().home?.facts.size === 3)
    ask(home, { type: "cursor/move", by: { unit: "row", count: 1 } })
    const { selected } = home.store.get().view.home
    const round = async (intent: Intent): Promise<void> => {
      ask(home, intent)
      await until(() => surface.front !== home)
      const run = surface.front
      await until(() => (run?.store.get().run.frames.lines ?? 0) > 0)
      ask(run, { type: "front/quit" })
      expect(home.store.get().home?.agent).toMatchObject({ answers: false, facts: null })
      expect(run?.store.get().view.setup).toMatchObject({ isFromHome: true, isAttached: false, isKept: false })
      await until(() => surface.front === home)
    }
    await round({ type: "home/open" })
    await round({ type: "home/demo" })
    // What is loaded once stays.
    await until(() => readdirSync(join(place, "state/opentui-sidecar/spool")).length === 0)
    const timers = resources.timers().length
    const [listeners, descriptors] = [resources.listeners(), resources.descriptors()]
    for (let i = 0; i < 30; i++) await round({ type: i % 10 === 0 ? "home/demo" : "home/open" })
    await until(() => resources.timers().length <= timers)
    await until(() => resources.listeners() <= listeners)
    await until(() => resources.descriptors() <= descriptors)
    expect(readdirSync(join(place, "state/opentui-sidecar/spool"))).toEqual([])
    expect(home.store.get().view.home.selected).toBe(selected)
    expect(selected).not.toBeNull()
  })
  await until(() => resources.timers().length === 0)
})

test("a run that was kept is listed, and removed at the second press; no other run is", async () => {
  hurry()
  const state = join(place, "state/opentui-sidecar")
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, "spool.jsonl"), "{}\n")
  const from = { type: "run", command: ["claude", "Why?"], parser: { type: "own" } } as const
  expect(keepRun(from, { stateDir: state, keeps: { runs: 9, bytes: 1e9 } }, join(state, "spool.jsonl"), 0)).toEqual([])
  await withHome(optionsOf(NOBODY), async home => {
    const names = () => (home.store.get().home?.runs ?? []).map(({ name }) => name)
    await until(() => names().some(name => name.startsWith("kept/")))
    const kept = () => [...(home.store.get().home?.facts ?? [])].find(([name]) => name.startsWith("kept/"))?.[1]?.kept
    await until(() => kept() !== undefined)
    expect(kept()).toEqual({ place: shownPath(process.cwd()), prompt: "Why?" })
    const others = names().filter(name => !name.startsWith("kept/"))
    for (let row = 0; row < names().length; row++) {
      ask(home, { type: "cursor/move", by: { unit: "row", count: 1 } })
      ask(home, { type: "home/forget" })
    }
    expect(readdirSync(join(state, "runs"))).toHaveLength(1)
    for (let row = 0; row < 4; row++) {
      ask(home, { type: "home/forget" })
      ask(home, { type: "home/forget" })
      ask(home, { type: "cursor/move", by: { unit: "row", count: -1 } })
    }
    await until(() => readdirSync(join(state, "runs")).length === 0)
    await until(() => names().every(name => others.includes(name)) && names().length === others.length)
  })
})

const port = (agent: Agent): string => new URL(agent.url).port

/** Home beside an agent that lets it in when the test says so. */
async function slow() {
  const asked = Promise.withResolvers<() => void>()
  const agent = await startAgent({ verifyClient: (_, answer) => asked.resolve(() => answer(true)) })
  opened(() => agent.close())
  const surface = new PlainFake()
  const home = new HomeSession(optionsOf(port(agent), { attaches: true }), surface)
  return { agent, surface, home, started: home.start(), asked: asked.promise }
}

test("an agent that answers once a run was opened meanwhile leaves that run in front", async () => {
  const { home, surface, started, asked } = await slow()
  const answer = await asked
  await until(() => surface.front === home && home.store.get().home?.facts.size === 3)
  ask(home, { type: "home/open" })
  await until(() => surface.front !== home)
  answer()
  await started
  expect(surface.shown).toHaveLength(2)
  home.close()
  surface.front?.close()
})

test("an agent that said nothing at the first look is looked at again, and its row tells what it says", async () => {
  hurry()
  await using agent = await startAgent()
  const began = Date.now()
  await withHome(optionsOf(port(agent)), async home => {
    const facts = () => home.store.get().home?.agent.facts
    await until(() => facts() != null)
    expect(facts()?.lastTs).toBeNull()
    const again = await agent.connection(2)
    again.send('{"event":"runner/started","seq":0,"ts":77,"data":{}}')
    await until(() => facts()?.lastTs === 77)
    // An agent that said something is left alone for 30 s.
    expect(Date.now() - began).toBeLessThan(20_000)
  })
})

test("a run whose agent answers is one row, which attaches, with its directory", async () => {
  const runs = join(place, "own")
  mkdirSync(runs)
  const agent = await play(fixture("prompts"), { sessionDir: join(runs, "x") })
  await withHome({ ...optionsOf(new URL(agent.url).port), root: runs }, async (home, surface) => {
    await until(() => home.store.get().home?.agent.facts != null)
    const rows = () => {
      const { home: known, view, zone } = home.store.get()
      return known === null ? [] : homeList(known, view.home, zone, Date.now()).rows
    }
    await until(() => rows().length === 1 && rows()[0]?.url === agent.url)
    expect(rows()).toMatchObject([{ title: "x", mark: "asks", run: { directory: join(runs, "x") } }])
    ask(home, { type: "home/open" })
    await until(() => surface.front?.store.get().directory?.path === join(runs, "x"))
    await until(() => surface.front?.store.get().link.state === "open")
    expect(surface.front?.store.get().view.setup.isAttached).toBe(true)
    // Who asks for the list of runs sees it first, though an agent answers.
    expect(surface.shown[0]).toBe(home)
  })
})

test("home's own look at an agent is no trace and no recording, and a run that was left sends its spans before home ends", async () => {
  const firstEnds = Promise.withResolvers<void>()
  const { spans, url } = spanReceiver(firstEnds.promise)
  const agent = await play(fixture("parallel-60"), { speed: 0.1 })
  const OPENTUI_RECORD = join(place, "heard.jsonl")
  const options = optionsOf(new URL(agent.url).port, {}, { OPENTUI_OTLP: String(url), OPENTUI_RECORD })
  await withHome(options, async (home, surface) => {
    await until(() => home.store.get().home?.agent.facts != null)
    expect(existsSync(OPENTUI_RECORD)).toBe(false)
    for (let times = 0; times < 2; times++) {
      ask(home, { type: "home/open" })
      await until(() => (surface.front?.store.get().run.sessions.length ?? 0) > 0)
      ask(surface.front, { type: "front/quit" })
      expect(surface.front).toBe(home)
    }
    const sent = home.close()
    // The spans of the second run are there by then.
    systemClock.after(50, firstEnds.resolve)
    await sent
    expect(spans.filter(({ name }) => name.startsWith("invoke_workflow"))).toHaveLength(2)
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  })
})

test("home takes questions of hooks as long as it lasts, unless it is read-only or lists no sessions", async () => {
  const options = optionsOf(
    NOBODY,
    {},
    { XDG_STATE_HOME: join(place, "asked"), CLAUDE_CONFIG_DIR: join(place, "none") },
  )
  const hooks = hookDirectory(options.screen.stateDir)
  const sockets = () => (existsSync(hooks) ? readdirSync(hooks).length : 0)
  for (const how of ["lists, read-only", "", "lists"]) {
    const [lists, readOnly] = [how.includes("lists"), how.includes("read-only")]
    const use = async () => expect(sockets()).toBe(how === "lists" ? 1 : 0)
    await withHome({ ...options, lists, screen: { ...options.screen, readOnly } }, use)
  }
  await until(() => sockets() === 0)
})

test("home opens one run at a time, says below what was typed why it can't, and leaves with the code of its end", async () => {
  const surface = new FakeSurface()
  const stored = join(place, "claude/projects/-p/0a.jsonl")
  mkdirSync(join(place, "claude/projects/-p"), { recursive: true })
  writeFileSync(stored, '{"type":"user","sessionId":"0a","message":{"role":"user","content":"Hi"}}\n')
  using _ = spyOn(Bun, "which").mockImplementation(name => (name === "codex" ? "/bin/codex" : null))
  const use = async (home: HomeSession): Promise<void> => {
    const { store } = home
    const said = async (effect: Effect) => {
      store.dispatch({ type: "view", change: { notice: null } })
      const before = store.get().view
      home.perform([effect])
      await until(() => store.get().view !== before)
      const { notice, typing } = store.get().view
      return typing === null ? notice?.text : typing.error
    }
    const open = (path: string) => ({ type: "run/open", target: { type: "recording", path } }) as const
    expect(store.get().home?.clis).toEqual(["codex"])
    expect(await said({ type: "recording/toggle" })).toBe("Open a run first")
    expect(await said(open("/none"))).toBe("/none: no such file")
    expect(await said({ type: "session/terminal", path: "/none" })).toBe("The session is gone")
    expect(await said({ type: "session/terminal", path: stored })).toBe("Copied: claude --resume 0a")
    store.dispatch({ type: "view", change: { typing: typingOf("home-path", "/none") } })
    expect(await said(open("/none"))).toEqual({ at: 0, length: 5, message: "/none: no such file" })
    home.perform([open(join(place, "runs/a")), open(join(place, "runs/b"))])
    await until(() => surface.front !== home)
    const run = surface.front
    home.perform([open(join(place, "runs/b"))])
    await until(() => run?.store.get().link.state === "ended")
    expect([surface.shown, store.get().view.typing]).toEqual([[home, run as never], null])
    ask(run, { type: "front/quit" })
    expect([surface.front, store.get().view.backKey?.by]).toEqual([home, "q"])
    expect(home.fault(new Error("of ours"))).toContain("/crash/")
    await until(() => surface.calls.length > 0)
    home.perform([{ type: "program/exit", code: 3 }])
    expect(surface.calls).toEqual(["leave 1", "leave 3"])
  }
  await withHome(optionsOf(NOBODY, {}, { CLAUDE_CONFIG_DIR: join(place, "claude") }), use, surface)
})

test("a run that begins to ask while home shows rings the bell, unless there is to be none", async () => {
  hurry()
  const runs = join(place, "asks")
  const options = { ...optionsOf(NOBODY), root: runs }
  for (const bell of [true, false]) {
    const surface = new FakeSurface()
    const path = join(runs, `${bell}/transcript.jsonl`)
    mkdirSync(join(runs, `${bell}`), { recursive: true })
    writeFileSync(path, '{"event":"runner/started","seq":0,"ts":1,"data":{}}\n')
    const use = async (home: HomeSession): Promise<void> => {
      const asked = () => home.store.get().home?.facts.get(`${bell}`)?.asks
      await until(() => asked() === null)
      appendFileSync(path, '{"event":"human-input/start","seq":1,"ts":2,"data":{"invokeid":"q","prompt":"Well?"}}\n')
      await until(() => asked() === "Well?")
    }
    await withHome({ ...options, screen: { ...options.screen, bell } }, use, surface)
    expect(surface.calls).toEqual(bell ? ["bell"] : [])
  }
})

/** After what home has set a timer for, so many times. */
async function looked(times = 1): Promise<void> {
  for (let i = 0; i < times; i++) await new Promise<void>(done => void systemClock.after(2000, done))
}

/** An agent at a port that says something to whoever comes. */
async function talkative(at?: number): Promise<Agent> {
  const agent = await startAgent(at === undefined ? {} : { port: at })
  const talk = async (n: number): Promise<void> => {
    ;(await agent.connection(n)).send('{"event":"runner/started","seq":0,"ts":77,"data":{}}')
    await talk(n + 1)
  }
  void talk(1)
  opened(() => agent.close())
  return agent
}

test("an agent that answers at the start is attached to, after it was left once it was away, and not while a line is typed", async () => {
  hurry()
  const first = await talkative()
  await withHome(optionsOf(port(first), { attaches: true }), async (home, surface) => {
    const { store } = home
    const told = () => store.get().home?.agent
    // One that is cut off while home listens has a reason.
    const isAway = () => told()?.answers === false && told()?.refusal === null
    await until(() => surface.front?.store.get().link.state === "open")
    await looked()
    expect(surface.front).not.toBe(home)
    let later = 40_000
    const { now } = Date
    using _ = spyOn(Date, "now").mockImplementation(() => now() + later)
    ask(surface.front, { type: "front/quit" })
    await until(() => told()?.answers === true)
    await looked(3)
    // On a slow machine home may have shown before, until the agent answered. What was left is left alone for 30 s.
    expect([surface.front, surface.shown.filter(one => one !== home).length, first.tokens.length]).toEqual([home, 1, 1])
    later = 80_000
    await until(() => first.tokens.length === 2)
    await first.close()
    await until(isAway)
    store.dispatch({ type: "view", change: { typing: typingOf("home-path") } })
    for (let times = 0; times < 2; times++) {
      const agent = await talkative(first.port)
      await until(() => told()?.facts?.lastTs === 77)
      await agent.close()
      await until(isAway)
    }
    expect(surface.front).toBe(home)
    store.dispatch({ type: "view", change: { typing: null } })
    const last = await talkative(first.port)
    await until(() => surface.front?.store.get().run.lastTs === 77)
    await last.close()
    await until(() => surface.front?.store.get().link.state === "lost")
    ask(surface.front, { type: "front/quit" })
    expect([surface.front, told()?.answers, told()?.facts?.lastTs]).toEqual([home, false, 77])
    // While something is being opened, here a list of sessions, an agent has to wait.
    await looked(3)
    const go = join(place, "go")
    writeFileSync(join(place, "slow"), `until [ -e ${go} ]; do sleep 0.01; done\n`)
    home.perform([{ type: "sessions/list", command: `sh ${join(place, "slow")}` }])
    const late = await talkative(first.port)
    await looked(3)
    expect(late.tokens).toHaveLength(0)
    writeFileSync(go, "")
    await until(() => late.tokens.length === 1 && surface.front?.store.get().run.lastTs === 77)
  })
})

test("an agent that refuses home is told of with its reason, and one that answers a closed home is left alone", async () => {
  const refused = await startAgent({ verifyClient: (_, answer) => answer(false, 401) })
  opened(() => refused.close())
  await withHome(optionsOf(port(refused), { attaches: true }), async (home, surface) => {
    await until(() => home.store.get().home?.agent.refusal != null)
    const refusal = "the agent asks for its token (HTTP 401): set OPENTUI_WS_TOKEN to it"
    expect(home.store.get().home?.agent).toMatchObject({ answers: false, refusal })
    expect(surface.shown).toEqual([home])
  })
  const { agent, surface, home, started, asked } = await slow()
  const answer = await asked
  home.close()
  answer()
  await started
  const socket = await agent.connection(1)
  await until(() => socket.readyState === socket.CLOSED)
  const brief = await slow()
  brief.home.close()
  await brief.started
  const wasAsked = await Promise.race([brief.asked, Promise.resolve(null)])
  expect([...surface.shown, ...brief.surface.shown, wasAsked]).toEqual([null])
})
