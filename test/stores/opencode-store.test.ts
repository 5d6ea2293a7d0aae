// Tests that opencode's sessions are listed from its database while opencode writes it.
import { expect, test } from "bun:test"
import { readdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { StoredRuns } from "../../src/app/stored-runs.ts"
import { noPrices } from "../../src/run/model/prices.ts"
import { listSessions, sessionFile } from "../../src/stores/list-sessions.ts"
import { runOfLog } from "../../tools/agents/log-run.ts"
import { openDatabase } from "../guest/opencode-rows.ts"
import { blocksOf } from "../guest/reading.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"

const ID = "ses_df29c3ef3ffenvaoLZ3Ic1IGLx"
const dataIn = (home: string) => join(home, ".local/share/opencode")

test("lists opencode's sessions with what they and their subagents used, once it can be copied, and opens one by its id", async () => {
  const home = fileScratch()
  using opened = await openDatabase(dataIn(home))
  const before = await readdir(dirname(opened.path))
  const temporary = tmpdir()
  process.env.TMPDIR = "/none"
  const uncopied = await listSessions({}, { home })
  process.env.TMPDIR = temporary
  const [session, ...others] = await listSessions({}, { home })
  expect(uncopied).toEqual([])
  expect(others).toEqual([])
  expect(await listSessions({ XDG_DATA_HOME: join(home, ".local/share") }, { home: "/none" })).toMatchObject([
    { id: ID, cli: "opencode" },
  ])
  expect(session).toMatchObject({
    ...{ id: ID, cli: "opencode", directory: "/home/ada/kettle", title: "A title", model: "fake-1", state: "ended" },
    ...{ subagents: 2, last: "After the compaction all is well.", path: `${opened.path}/${ID}` },
    // The main loop, the summary of its compaction, and the replies of both subagents.
    usage: { input: 34_940 + 1765 + 1770, cached: 28_200 + 800 + 801, output: 393 + 36 + 38 },
  })
  expect(session?.usage.costUsd).toBeCloseTo(0.034575 + 0.003675 + 0.0037173, 9)
  opened.add("session", { id: "ses_other", time_created: 3, time_updated: Date.now() })
  opened.add("message", { id: "m", session_id: "ses_other", time_created: 3, time_updated: 3, data: { role: "user" } })
  const part = { type: "text", text: "Another." }
  opened.add("part", { id: "p", session_id: "ses_other", message_id: "m", time_created: 3, data: part })
  expect(await sessionFile("latest", {}, home)).toBe(`${opened.path}/${ID}`)
  expect(await sessionFile("ses_othe", {}, home)).toBe(`${opened.path}/ses_other`)
  expect(blocksOf(await runOfLog(`${opened.path}/ses_other`))).toEqual(["user: Another."])
  expect(await readdir(dirname(opened.path))).toEqual(before)
  opened.add("session", { id: "ses_others", time_created: 3, time_updated: 3 })
  opened.add("message", { id: "o", session_id: "ses_others", time_created: 3, time_updated: 3, data: {} })
  expect(await sessionFile("ses_othe", {}, home)).toBeNull()
})

test("a reply that is not complete is quiet and has no tokens; one that is says how it ended", async () => {
  const home = fileScratch()
  using opened = await openDatabase(dataIn(home))
  let at = Date.now()
  const told = async (data: object) => {
    opened.add("session", { id: `ses_${++at}`, time_created: at, time_updated: at })
    opened.add("message", { id: `m${at}`, session_id: `ses_${at}`, time_created: at, time_updated: at, data })
    const { id, state, usage, model } = (await listSessions({}, { home }))[0] ?? {}
    expect(id).toBe(`ses_${at}`)
    return [state, usage?.input, usage?.output, usage?.costUsd, model]
  }
  const tokens = (input: number, output: number) => ({ input, output, reasoning: 0, cache: { read: 0, write: 0 } })
  const begun = { role: "assistant", time: { created: 1 }, cost: 0, modelID: "m" }
  const over = { ...begun, time: { created: 1, completed: 2 }, tokens: tokens(5, 2), cost: 0.5 }
  const aborted = { name: "MessageAbortedError" }
  // Until it knows, opencode writes 0.
  expect(await told({ ...begun, tokens: tokens(0, 0) })).toEqual(["quiet", null, null, null, "m"])
  expect(await told(over)).toEqual(["ended", 5, 2, 0.5, "m"])
  expect(await told({ ...over, tokens: tokens(5, 0), model: { modelID: "n" } })).toEqual(["ended", 5, 0, 0.5, "m"])
  expect(await told({ ...over, tokens: tokens(0, 2) })).toEqual(["ended", 0, 2, 0.5, "m"])
  expect(await told({ ...over, finish: "tool-calls" })).toEqual(["quiet", 5, 2, 0.5, "m"])
  expect(await told({ ...over, error: { name: "APIError" } })).toEqual(["failed", 5, 2, 0.5, "m"])
  expect(await told({ ...over, error: aborted })).toEqual(["ended", 5, 2, 0.5, "m"])
  expect(await told({ role: "user", model: { modelID: "n" } })).toEqual(["quiet", null, null, null, "n"])
  for (const { id } of await listSessions({}, { home })) opened.remove(id)
  expect(await listSessions({}, { home })).toEqual([])
})

test("home sees a session of opencode that comes and one that goes while it shows, and watches no longer", async () => {
  const home = fileScratch()
  using opened = await openDatabase(dataIn(home))
  /** What this process watches in any of its open files. */
  const watched = () =>
    Bun.spawnSync(["sh", "-c", `cat /proc/${process.pid}/fdinfo/*`])
      .stdout.toString()
      .split("inotify ").length
  const before = watched()
  const runs = new StoredRuns({}, () => undefined, home)
  try {
    await until(() => runs.runs.length === 1)
    opened.add("session", { id: "ses_new", title: "New", time_created: 3, time_updated: 3 })
    opened.add("message", { id: "n", session_id: "ses_new", time_created: 3, time_updated: 3, data: { role: "user" } })
    opened.remove(ID)
    const news = () => runs.runs.flatMap(({ stored }) => (stored?.path.endsWith("ses_new") ? [stored] : []))
    await until(() => news().length === 1)
    expect(runs.runs).toHaveLength(1)
    const [file] = news()
    expect(file === undefined ? null : (await runs.read(file, noPrices))?.session?.title).toBe("New")
    expect(runs.roots).toEqual(["~/.local/share/opencode"])
    expect(watched()).toBeGreaterThan(before)
  } finally {
    runs.stop()
  }
  expect(watched()).toBe(before)
})
