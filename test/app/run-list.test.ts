// Tests the list of the home screen, and the sessions in it, against real files: what changes shows, far rows are read late.
import { expect, spyOn, test } from "bun:test"
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import type { ToldSession, ToldSessions } from "../../src/app/handlers/told-sessions.ts"
import { RunList } from "../../src/app/run-list.ts"
import { StoredRuns } from "../../src/app/stored-runs.ts"
import { features } from "../../src/panels/plan.ts"
import { noPrices } from "../../src/run/model/prices.ts"
import { claudeStore } from "../../src/stores/claude-store.ts"
import { type Clock, systemClock } from "../../src/transport/clock.ts"
import type { Home, HomeView } from "../../src/view/home.ts"
import { homeList } from "../../src/view/select/home-rows.ts"
import { createStore, type Store } from "../../src/view/store.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"
import { watchResources } from "./resources.ts"

const place = fileScratch()

/** Waits far shorter than it should. */
const hasty: Clock = {
  ...systemClock,
  after: (ms, run, keepAlive) => systemClock.after(Math.min(ms, 10), run, keepAlive),
}

const started = '{"event":"runner/started","seq":0,"ts":1,"data":{"chart-id":":c"}}\n'
const asks = '{"event":"human-input/start","seq":1,"ts":2,"data":{"invokeid":"q","kind":"text","prompt":"Well?"}}\n'

function put(root: string, name: string, text: string, ago = 0): string {
  mkdirSync(join(root, name), { recursive: true })
  const path = join(root, name, "transcript.jsonl")
  writeFileSync(path, text)
  utimesSync(path, Date.now() / 1000 - ago, Date.now() / 1000 - ago)
  return path
}

async function withList(
  root: string,
  use: (store: Store, home: () => Home, asked: () => number, tell: (...all: ToldSession[]) => void) => Promise<void>,
  env: { readonly [name: string]: string } | null = null,
): Promise<void> {
  mkdirSync(root, { recursive: true })
  const store = createStore({ link: { state: "closed" }, ...features })
  const agent = { url: "ws://127.0.0.1:1/ws", answers: false, facts: null }
  store.dispatch({ type: "home", home: { root, runs: null, closed: [], facts: new Map(), agent, clis: [] } })
  let rings = 0
  const told = { all: [] as readonly ToldSession[] } as ToldSessions
  const list = new RunList({ root, kept: `${root}-kept`, env, told }, store, hasty, () => rings++)
  const home = (): Home => {
    const known = store.get().home
    if (known === null) throw new Error("expected home, got a run")
    return known
  }
  const tell = (...all: ToldSession[]): void => {
    Object.assign(told, { all })
    list.show()
  }
  try {
    await use(store, home, () => rings, tell)
    list.stop()
    store.dispatch({ type: "home", home: { ...home(), runs: null } })
    list.show()
    expect(home().runs).toBeNull()
  } finally {
    list.stop()
  }
}

test("a new run appears, one that begins to ask says so and rings once, and one that is gone disappears", async () => {
  const root = join(place, "changes")
  await withList(root, async (store, home, rings) => {
    await until(() => home().runs?.length === 0)
    const path = put(root, "one", started)
    put(root, "two", started + asks)
    const marks = () =>
      homeList(home(), store.get().view.home, 0, Date.now()).rows.map(({ title, mark }) => `${title} ${mark}`)
    await until(() => marks().join() === "two asks,one running")
    // What asked before it was seen rings no bell.
    expect(rings()).toBe(0)
    appendFileSync(path, asks)
    await until(() => marks().every(mark => mark.endsWith("asks")))
    expect(rings()).toBe(1)
    rmSync(join(root, "two"), { recursive: true })
    await until(() => marks().join() === "one asks")
    // Another question of the same length.
    put(root, "one", (started + asks).replace("Well?", "Next?"), 9)
    await until(() => home().facts.get("one")?.asks === "Next?")
    expect(rings()).toBe(1)
  })
})

test("a directory that is not there yet is empty but for kept runs, and is looked at again", async () => {
  const root = join(place, "later")
  await withList(root, async (_, home) => {
    const names = () => home().runs?.map(({ name }) => name)
    rmSync(root, { recursive: true })
    await until(() => home().runs?.length === 0)
    expect(home().closed).toEqual([])
    put(`${root}-kept`, "kept", started, -60)
    await until(() => names()?.join() === "kept/kept")
    put(root, "run", started)
    await until(() => names()?.join() === "kept/kept,run")
    rmSync(root, { recursive: true })
    // A link to itself.
    symlinkSync(root, root)
    await until(() => home().closed.length > 0)
    expect([home().closed, names()]).toEqual([[`${root}: too many symbolic links`], ["kept/kept"]])
    rmSync(root)
    await until(() => home().closed.length === 0)
  })
})

test("of many runs the newest are read, others when the cursor comes near them, and all for a filter", async () => {
  const root = join(place, "many")
  for (let i = 0; i < 1000; i++) put(root, `run-${i}`, started, 3600 + i)
  await withList(root, async (store, home) => {
    await until(() => home().facts.has("run-299"))
    await until(() => home().facts.size >= 300)
    expect([...home().facts.keys()].slice(0, 2)).toEqual(["run-0", "run-1"])
    expect(home().facts.has("run-999")).toBe(false)
    const look = (to: Partial<HomeView>): void =>
      store.dispatch({ type: "view", change: { home: { ...store.get().view.home, ...to } } })
    look({ selected: "run-999" })
    await until(() => home().facts.has("run-999") && home().facts.has("run-905"))
    expect(home().facts.has("run-600")).toBe(false)
    look({ filter: "c" })
    await until(() => home().facts.size === 1000)
  })
})

test("of 5,000 sessions all are listed, no more are read than of as many runs, and again only one that grows", async () => {
  const store = join(place, "store")
  for (const name of ["projects/-p", "sessions"]) mkdirSync(join(store, name), { recursive: true })
  const said = '{"type":"user","cwd":"/p","message":{"role":"user","content":"Mend the lamp"}}\n'
  for (let i = 0; i < 5000; i++) {
    const path = join(store, `projects/-p/${i.toString(16).padStart(8, "0")}-aaaa.jsonl`)
    writeFileSync(path, said)
    utimesSync(path, i, i)
  }
  const elsewhere = join(place, "none")
  using reads = spyOn(claudeStore, "read")
  const env = { CLAUDE_CONFIG_DIR: store, CODEX_HOME: elsewhere, GEMINI_CLI_HOME: elsewhere, KIMI_CODE_HOME: elsewhere }
  await withList(
    elsewhere,
    async (list, home, rings, tell) => {
      await until(() => home().runs?.length === 5000 && home().facts.size >= 300)
      expect(home().stores).toEqual([store])
      const { rows } = homeList(home(), list.get().view.home, 0, 10_000)
      expect(rows[0]?.facts?.session).toMatchObject({ place: "/p", title: "Mend the lamp" })
      expect(home().facts.size).toBe(300)
      const before = reads.mock.calls.length
      expect(before).toBe(300)
      const sessionId = `${(4999).toString(16).padStart(8, "0")}-aaaa`
      const grown = join(store, `projects/-p/${sessionId}.jsonl`)
      // An agent tells of a session that its store has too, then of another one.
      const said = (sessionId: string): ToldSession => {
        const talk = { command: ["tea"], sessionId, directory: "/shop" }
        const facts = home().facts.get(grown) ?? rows[0]?.facts
        if (facts == null) throw new Error("expected facts")
        return { run: { name: `tea ${sessionId}`, directory: "/shop", changedAt: 1, size: 0, talk }, facts }
      }
      const talks = () => home().runs?.flatMap(({ name, talk }) => (talk ? [`${name} ${talk.sessionId}`] : []))
      tell(said(sessionId))
      expect([home().runs?.length, talks()]).toEqual([5000, [`${grown} ${sessionId}`]])
      const other = said("other")
      tell(said(sessionId), other)
      expect([home().runs?.length, talks()?.length]).toEqual([5001, 2])
      appendFileSync(
        grown,
        '{"type":"assistant","message":{"model":"m","content":[{"type":"text","text":"It burns"}]}}\n',
      )
      await until(() => home().facts.get(grown)?.last === "It burns")
      expect(reads.mock.calls.slice(before).map(([{ path }]) => path)).toEqual([grown])
      expect(home().facts.get("tea other")).toBe(other.facts)
      const stat = readFileSync("/proc/self/stat", "utf8")
      const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
      const status = { pid: process.pid, procStart, sessionId, status: "waiting" }
      writeFileSync(join(store, "sessions/1.json"), JSON.stringify(status))
      await until(() => home().facts.get(grown)?.asks === "It burns")
      expect(rings()).toBe(1)
    },
    { ...env, PI_CODING_AGENT_DIR: elsewhere, XDG_DATA_HOME: elsewhere },
  )
})

const home = fileScratch()

const ID = "0000000a-aaaa-4bbb-8ccc-dddddddddddd"
const path = join(home, `.claude/projects/-p/${ID}.jsonl`)
const line = (type: string, content: string) =>
  `${JSON.stringify({ type, cwd: "/p", sessionId: ID, message: { role: type, model: "m", content: [{ type: "text", text: content }] } })}\n`

test("a session that comes, grows, waits and goes is seen by its own file", async () => {
  mkdirSync(dirname(path), { recursive: true })
  mkdirSync(join(home, ".claude/sessions"), { recursive: true })
  let told = 0
  const began = Date.now()
  const runs = new StoredRuns({}, () => told++, home)
  opened(() => runs.stop())
  await until(() => told > 0)
  expect(runs.runs).toEqual([])
  writeFileSync(path, line("user", "Mend the lamp"))
  await until(() => runs.runs.length === 1)
  expect(runs.roots).toEqual(["~/.claude"])
  const read = async () => {
    const [run] = runs.runs
    return run?.stored === undefined ? null : await runs.read(run.stored, noPrices)
  }
  expect((await read())?.session).toMatchObject({ id: ID, title: "Mend the lamp", place: "/p", state: "ended" })
  const { size = 0 } = runs.runs[0] ?? {}
  appendFileSync(path, line("assistant", "It burns"))
  await until(() => (runs.runs[0]?.size ?? 0) > size)
  expect((await read())?.last).toBe("It burns")
  const stat = await Bun.file("/proc/self/stat").text()
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  const status = { pid: process.pid, procStart, sessionId: ID, status: "waiting" }
  writeFileSync(join(home, `.claude/sessions/${process.pid}.json`), JSON.stringify(status))
  await until(() => runs.facts(noPrices)[0]?.[1]?.asks === "It burns")
  // It is told once.
  expect(runs.facts(noPrices)).toEqual([])
  rmSync(path)
  await until(() => runs.runs.length === 0)
  expect(Date.now() - began).toBeLessThan(20_000)
  // Also where the folder itself goes, and comes back.
  rmSync(join(home, ".claude"), { recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, line("user", "Mend the stove"))
  await until(() => runs.runs.length === 1)
})

test("a session is one run, whatever files it has, without those that it started, and changes as theirs do", async () => {
  const other = fileScratch()
  const sessions = join(root, "fixtures/agents/sessions")
  for (const [name, place] of [
    ["codex-0.169.0-subagents", ".codex/sessions/2026/11/24"],
    ["codex-0.169.0-rewound", ".codex/sessions/2026/11/25"],
    ["kimi-2.1.0-subagents", ".kimi-code/sessions/wd_p"],
  ] as const)
    cpSync(join(sessions, name), join(other, place), { recursive: true })
  let told = 0
  using resources = watchResources()
  const runs = new StoredRuns({}, () => told++, other)
  opened(() => runs.stop())
  await until(() => told > 0)
  expect([runs.runs.length, runs.roots]).toEqual([7, ["~/.codex", "~/.kimi-code"]])
  for (const { stored } of runs.runs) if (stored !== undefined) await runs.read(stored, noPrices)
  expect(runs.runs.map(({ name }) => /01a2[\w-]{32}|session_\w+/.exec(name)?.[0]).sort()).toEqual([
    ...["01a20edb-ae19-7c82-af46-852ddd270fc9", "01a218dd-c8d5-7922-8df8-f43e813c4063"],
    ...["01a218de-b13f-71d0-872d-40f925f55819", "session_05be34ce"],
  ])
  expect(runs.facts(noPrices)).toEqual([])
  const [before, began] = [told, Date.now()]
  appendFileSync(
    join(other, ".kimi-code/sessions/wd_p/session_05be34ce-b04b-4855-a9c9-ba4b34c674c7/agents/agent-0/wire.jsonl"),
    "\n",
  )
  await until(() => told > before)
  expect(runs.runs).toHaveLength(4)
  // All files are looked at every 30 s.
  expect(Date.now() - began).toBeLessThan(20_000)
  const { name = "" } = runs.runs.find(one => one.name.includes("01a20edb-ae19")) ?? {}
  rmSync(name)
  // Those that it started are runs of their own where it is not there.
  await until(() => runs.runs.length === 5)
  runs.stop()
  await until(() => resources.timers().length === 0)
})
