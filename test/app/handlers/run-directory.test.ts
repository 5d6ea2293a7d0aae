// Tests what the screen is told of the files of a session directory, as they change and while another is asked for.
import { afterAll, expect, spyOn, test } from "bun:test"
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DirectoryInspection, RunDirectory } from "../../../src/app/handlers/run-directory.ts"
import { features } from "../../../src/panels/plan.ts"
import type { Action } from "../../../src/view/action.ts"
import { AGENT_LOG, type DirectoryRead } from "../../../src/view/directory-files.ts"
import { createStore } from "../../../src/view/store.ts"
import { capturedRun, openedDirectory } from "../../captured.ts"
import { replaying } from "../../panels/planned.ts"
import { fileScratch } from "../../scratch.ts"
import { opened } from "../../screen/open-screens.ts"
import { until } from "../../until.ts"

const MB = 1024 * 1024

// Looks a hundred times as often as it should.
const { setInterval: later, clearInterval: end } = globalThis
let looks = 0
const timers = new Set<unknown>()
const hasty = spyOn(globalThis, "setInterval").mockImplementation(((run: () => void, ms: number) => {
  const look = () => [looks++, run()]
  const timer = later(look, ms / 100)
  timers.add(timer)
  return timer
}) as typeof setInterval)
const ending = spyOn(globalThis, "clearInterval").mockImplementation(one => timers.delete(one) && end(one as never))
const looked = async (times: number) => {
  const enough = looks + times
  await until(() => looks >= enough)
}
afterAll(() => [hasty, ending].map(one => one.mockRestore()))

async function inspected(files: { readonly [name: string]: string }) {
  const path = fileScratch()
  mkdirSync(join(path, "artifacts"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  const told: Extract<Action, { readonly type: "files" }>["change"][] = []
  const directory = await openedDirectory(path)
  const inspection = new DirectoryInspection(directory, action => {
    if (action.type === "files") told.push(action.change)
  })
  opened(() => inspection.stop())
  const read = (request: DirectoryRead) => inspection.read(request)
  const show = (name: string | null) => read({ read: "file", name } as DirectoryRead)
  const shown = async (name: string) => {
    const count = told.length
    show(name)
    await until(() => told.length > count)
    return told.at(-1)?.open
  }
  return { path, directory, told, inspection, read, show, shown }
}

test("a file is shown as a person reads it: EDN with lines, the end of the agent's log, and why where it is not", async () => {
  const row = `${"é".repeat(49)}\0\n`
  const { shown } = await inspected({
    "artifacts/a.edn": "{:a [1 2]}",
    "artifacts/half.edn": "{:a [1",
    "artifacts/a.txt": "{:a [1 2é]}\x1b[2J",
    "artifacts/picture": `${"x".repeat(8191)}\0`,
    "artifacts/late": `${"x".repeat(8192)}\0`,
    "artifacts/long": "x".repeat(4 * MB + 1),
    [AGENT_LOG]: `first\n${row.repeat(3000)}`,
  })
  const told = async (name: string) => {
    const { title, text = null, why, isCut } = (await shown(name)) ?? {}
    return [title, text !== null && text.length > 100 ? text.length : text, why, isCut]
  }
  expect(await told("artifacts/a.edn")).toEqual(["a.edn", '{\n  "a": [\n    1,\n    2\n  ]\n}', null, false])
  expect(await told("artifacts/half.edn")).toEqual(["half.edn", "{:a [1", null, false])
  expect(await told("artifacts/a.txt")).toEqual(["a.txt", "{:a [1 2é]}␛[2J", null, false])
  expect(await told("artifacts/picture")).toEqual(["picture", null, "picture is binary (8.2 kB). o opens it", false])
  expect(await told("artifacts/late")).toEqual(["late", 8193, null, false])
  expect(await told("artifacts/long")).toEqual(["long", 4 * MB, null, true])
  expect(await told("artifacts/none\x07")).toEqual(["none␇", null, "artifacts/none␇: no such file", false])
  const log = await shown(AGENT_LOG)
  const young = await inspected({ [AGENT_LOG]: "one\ntwo\n" })
  expect((await young.shown(AGENT_LOG))?.text).toBe("one\ntwo\n")
  // 256 KB from its end, and from there the first whole line.
  expect([log?.text?.length, log?.text?.startsWith("é")]).toEqual([Math.floor(262_144 / 100) * 51, true])
})

test("a file is told again once it changes or goes, a slower one not after another was asked for, none after the end", async () => {
  const { path, directory, told, inspection, show, shown } = await inspected({
    "artifacts/a": "one",
    "artifacts/b": "x".repeat(4 * MB),
  })
  const texts = () => told.map(({ open }) => open?.text?.slice(0, 6) ?? open?.why)
  await shown("artifacts/a")
  appendFileSync(join(path, "artifacts/a"), "two")
  await until(() => told.length === 2)
  rmSync(join(path, "artifacts/a"))
  await until(() => told.length === 3)
  expect(texts()).toEqual(["one", "onetwo", "artifacts/a: no such file"])
  show("artifacts/b")
  writeFileSync(join(path, "artifacts/a"), "new")
  await shown("artifacts/a")
  show("artifacts/b")
  show(null)
  await shown("artifacts/a")
  const { read } = directory
  directory.read = (...args) => {
    directory.read = read
    show(null)
    return read.apply(directory, args)
  }
  show("artifacts/b")
  await until(() => directory.read === read)
  show("artifacts/b")
  inspection.stop()
  expect(timers.size).toBe(0)
  const other = await inspected({ "artifacts/b": "x".repeat(4 * MB) })
  await other.shown("artifacts/b")
  expect(texts().slice(3)).toEqual(["new", "new"])
})

test("artifacts are told while their list is open: at once, and again where one came, is longer or went", async () => {
  const now = Date.now()
  using clock = spyOn(Date, "now").mockImplementation(() => now)
  const { path, told, read } = await inspected({ "artifacts/a": "1" })
  const names = () => told.map(({ artifacts }) => artifacts?.map(({ title, size }) => `${title} ${size}`).join())
  read({ read: "artifacts", on: true })
  await until(() => told.length === 1)
  await looked(3)
  appendFileSync(join(path, "artifacts/a"), "2")
  await until(() => told.length === 2)
  rmSync(join(path, "artifacts/a"))
  await until(() => told.length === 3)
  await looked(3)
  read({ read: "artifacts", on: true })
  await until(() => told.length === 4)
  clock.mockImplementation(() => now + 30_000)
  await until(() => told.length === 5)
  read({ read: "artifacts", on: false })
  writeFileSync(join(path, "artifacts/b"), "")
  const other = await inspected({ "artifacts/a": "1" })
  other.read({ read: "artifacts", on: true })
  await looked(6)
  other.inspection.stop()
  expect(timers.size).toBe(0)
  expect(names()).toEqual(["a 1", "a 2", "", "", ""])
  expect(told[0]).toMatchObject({ hasMoreArtifacts: false, artifactsWhy: null })
})

test("a run's directory says why it can't be opened, gives no part of a text, and opens nothing after the end", async () => {
  await using run = await capturedRun()
  const store = createStore({ ...features, link: replaying })
  const directory = new RunDirectory(store)
  expect([await directory.text("x", 9), await directory.find("x"), await directory.capture("x")]).toEqual([
    ...[null, null, { why: "no session directory" }],
  ])
  expect(await directory.open("/none")).toBeNull()
  expect(store.get().directory).toEqual({ path: "/none", error: "/none: no such file" })
  await directory.open(`${run.path}/artifacts/..`)
  expect(store.get().directory).toEqual({ path: run.path, error: null })
  const verdict = "artifacts/judge.verdict.md"
  const [whole, part] = [await directory.text(verdict, 24), await directory.text(verdict, 23)]
  expect([whole, part]).toEqual(["# Verdict\n\nPoet 4 wins.\n", null])
  expect(await directory.find(verdict)).toBe(join(run.path, verdict))
  expect(await directory.capture("none.edn")).toHaveProperty("why")
  directory.read({ read: "captures", refs: ["none.edn"] })
  directory.read({ read: "artifacts", on: true })
  await until(() => store.get().files.artifacts !== null && store.get().captures.has("none.edn"))
  directory.close()
  expect(timers.size).toBe(0)
  const late = new RunDirectory(createStore({ ...features, link: replaying }))
  const opening = late.open(run.path)
  late.close()
  expect([await opening, await late.find(verdict)]).toEqual([null, null])
})
