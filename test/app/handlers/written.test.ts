// Keeps what a bug report and an export write, from where the run is shown, and how each is told in the footer.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { exportRun, placeIn } from "../../../src/app/handlers/export-run.ts"
import { RunClock } from "../../../src/app/run-clock.ts"
import { openParts } from "../../../src/app/run-parts.ts"
import type { RunSession } from "../../../src/app/run-session.ts"
import type { ExportFormat } from "../../../src/run/select/export-format.ts"
import { decodeLine } from "../../../src/transport/message.ts"
import type { Effect } from "../../../src/view/effect.ts"
import { eventText } from "../../run/lines.ts"
import { fileScratch } from "../../scratch.ts"
import { opened } from "../../screen/open-screens.ts"
import { until } from "../../until.ts"
import { FakeSource, FakeSurface, live, open, REPLAY, screenOptions, sessionOf, stateDirectory } from "../open-run.ts"

const url = "ws://127.0.0.1:1/ws"
const KEY = "sk-0123456789abcdefghij"

async function put(directory: string, files: { readonly [name: string]: string }): Promise<string> {
  for (const [name, text] of Object.entries(files)) await Bun.write(join(directory, name), text)
  return directory
}

/** What an effect says once it is done, without places and times of this machine. */
async function said(run: RunSession, home: string, effect: Effect): Promise<string> {
  const before = run.store.get().view.notice
  run.perform([effect])
  await until(() => ![before, null].includes(run.store.get().view.notice))
  const text = run.store.get().view.notice?.text.split(" · ").at(-1) ?? ""
  return text.replaceAll(home, "HOME").replace(/\d{4}-?\d\d-?\d\dT[\d:.-]+Z(-\d+)?/g, "TIME")
}

/** Every file below a directory with its text, in the order of names. */
function filesIn(directory: string): string {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort()
  return names
    .filter(name => statSync(join(directory, name)).isFile())
    .map(
      name => `== ${name.replace(/TIME|\d{4}-\d\d[^/]*Z-\d+/, "TIME")}\n${readFileSync(join(directory, name), "utf8")}`,
    )
    .join("\n")
    .replace(/"versions":.*,"terminal":\{[^}]*\}/, '"versions":…')
}

const NOTE = JSON.stringify({ kind: "sidecar", at: 1, what: "link", state: "open" })
const refs = ["nodes/a/1.edn", "../out.edn", "top.edn", "nodes/x.txt", "nodes/./y.edn", "nodes/b.edn", "nodes/a/1.edn"]
const LINES = [
  NOTE,
  eventText(0, "runner/started", { "chart-id": ":tea" }),
  ...refs.map((ref, i) => eventText(i + 1, "llm/request", { invokeid: "cook", "session-id": "s", "io/ref": ref })),
  "torn {",
  eventText(8, "llm/error", { invokeid: "cook", "session-id": "s", message: `${KEY} is no key` }),
]
const CAPTURES = {
  "nodes/a/1.edn": `{:system "Keep ${KEY}"}`,
  "artifacts/nodes/b.edn": "{:user 1}",
  "artifacts/nodes/a/1.edn": "{:user 2}",
  ...{ "top.edn": "{}", "nodes/x.txt": "{}", "nodes/y.edn": "{}" },
}

test("a bug report has the lines around the moment shown and the captures that they name, without secrets", async () => {
  const home = fileScratch()
  const sessionDir = await put(join(home, "session"), { ...CAPTURES, "transcript.jsonl": `${LINES.join("\n")}\n` })
  await put(home, { "out.edn": "{}" })
  const screen = screenOptions(home)
  const path = join(sessionDir, "transcript.jsonl")
  const replay = await open({ ...REPLAY, path, at: { type: "frame", frame: 4 } }, { screen, sessionDir })
  opened(() => replay.close())
  await until(() => replay.store.get().run.frames.lines > 0)
  await until(() => replay.store.get().time.present?.frames.lines === LINES.length)
  const notice = await said(replay, home, { type: "bug-report/write" })
  const bugs = join(stateDirectory(home), "bugs")
  expect(`${notice}\n${filesIn(bugs)}`).toMatchSnapshot()
  // A page is about the run to its present end, also from a moment of its past.
  const moment = { frame: 10, at: "e1/8", ts: 1008, session: 0, turn: null }
  await said(replay, home, { type: "moment/export", moment })
  expect(filesIn(join(stateDirectory(home), "exports"))).toContain("is no key")
})

test("a bug report of a long run leaves out what is far before, and all but the last captures", async () => {
  const home = fileScratch()
  const names = Array.from({ length: 205 }, (_, i) => `nodes/n/${i}.edn`)
  const lines = Array.from({ length: 103_001 }, (_, i) => eventText(i, "app/note", { "io/ref": names[102_000 - i] }))
  const captures = Object.fromEntries(names.map(name => [name, "1"]))
  const sessionDir = await put(join(home, "session"), { ...captures, "transcript.jsonl": `${lines.join("\n")}\n` })
  const path = join(sessionDir, "transcript.jsonl")
  const at = { type: "frame", frame: 101_001 } as const
  const run = await open({ ...REPLAY, path, at }, { screen: screenOptions(home), sessionDir })
  opened(() => run.close())
  await until(() => run.store.get().time.present?.frames.lines === lines.length)
  expect(await said(run, home, { type: "bug-report/write" })).toEndWith(
    "Check it before you share it; without the first 1001 frames",
  )
  const bugs = join(stateDirectory(home), "bugs")
  const [report = ""] = readdirSync(bugs)
  const about = JSON.parse(readFileSync(join(bugs, report, "bug.json"), "utf8"))
  expect(about).toMatchObject({ at: 100_000, lines: { from: 1002, of: 103_001 }, captures: 200 })
  // The refs come from the last name to the first.
  expect(
    readdirSync(join(bugs, report, "nodes/n"))
      .map(name => Number.parseInt(name, 10))
      .sort((a, b) => a - b),
  ).toEqual(Array.from({ length: 200 }, (_, i) => i))
  expect(readFileSync(join(bugs, report, "transcript.jsonl"), "utf8").split("\n")).toHaveLength(101_001)
})

test("an export is named after its run, holds no secret, and says what it lacks; one of a moment tells how to open it", async () => {
  const home = fileScratch()
  const long = `{"event":"${"x".repeat(17 * 1024 * 1024)}"}`
  await put(home, {
    "run 7/transcript.jsonl": [...LINES, long, ""].join("\n"),
    "run 8/transcript.jsonl": `${LINES[1]}\n`,
  })
  const told: string[] = []
  const tell = async (run: RunSession, effects: readonly Effect[]) => {
    for (const effect of effects) told.push(await said(run, home, effect))
    run.close()
  }
  const moment = { frame: 3, at: "e1/2", ts: 1002, session: 0, turn: null }
  const [screen, named] = [screenOptions(home), screenOptions(home, [], { OPENTUI_CHART: "pour" })]
  const path = join(home, "run 7/transcript.jsonl")
  const replay = await open({ ...REPLAY, path }, { screen, sessionDir: join(home, "run 7") })
  await until(() => replay.store.get().link.state === "ended")
  const as = (format: ExportFormat): Effect => ({ type: "run/export", format, session: null })
  await tell(replay, [as("jsonl"), as("md"), { type: "moment/export", moment }])
  const from = { ...REPLAY, path: join(home, "run 8/transcript.jsonl"), shownAs: "logs/tea.log" }
  const file = await open(from, { screen: named })
  await until(() => file.store.get().link.state === "ended")
  await tell(file, [as("html"), { type: "moment/export", moment }])
  for (const one of [named, screen]) {
    const run = sessionOf(new FakeSource(live(url)).opened, { screen: one })
    run.frames(LINES.map(text => ({ text, frame: decodeLine(text) })))
    await tell(run, [
      ...[as("jsonl"), { type: "run/export", format: "md", session: 0 } as const],
      { type: "moment/export", moment },
    ])
  }
  const exports = join(stateDirectory(home), "exports")
  const openedBy = readdirSync(exports)
    .filter(name => name.includes("frame"))
    .map(name => {
      const html = readFileSync(join(exports, name), "utf8")
      return `${name.replace(/-2026.*|-\d{8}T.*/, "")}: ${/opentui-sidecar replay [^<]*/.exec(html)?.[0] ?? "not said"}`
    })
  expect([...told, ...openedBy.sort()]).toMatchSnapshot()
  const written = readdirSync(exports).filter(name => name.endsWith(".jsonl"))
  // A live run keeps what is no frame as a text.
  const texts = written.map(name => readFileSync(join(exports, name), "utf8").replace('"torn {"', "torn {"))
  expect(texts).toEqual(written.map(() => `${LINES.join("\n")}\n`.replace(KEY, "[redacted API key]")))
})

test("of an export whose run is closed before its end nothing stays", async () => {
  const home = fileScratch()
  const { store } = sessionOf(new FakeSource(live(url)).opened, { screen: screenOptions(home) })
  const abort = new AbortController()
  const [clock, signal] = [new RunClock(), abort.signal]
  const context = { store, clock, signal, ask: () => undefined, notify: () => undefined }
  const options = {
    ...{ opened: new FakeSource(live(url)).opened, screen: screenOptions(home), surface: new FakeSurface() },
    ...{ sessionDir: null, record: null },
  }
  const parts = openParts(context, options, null)
  abort.abort()
  await expect(exportRun(context, options, parts, { format: "md", session: null })).rejects.toThrow("aborted")
  expect(readdirSync(join(stateDirectory(home), "exports"))).toEqual([])
  clock.close()
})

test("a recording is named as it was typed, or from where the program was started, and never by a way through a home", () => {
  const here = "/home/ada/shop"
  const places = [
    ["runs/a.jsonl", "runs/a.jsonl", true],
    ["./runs/../a.jsonl", "a.jsonl", true],
    ["../other/run", "../other/run", true],
    ["/home/ada/shop/.escapement/sessions/7", ".escapement/sessions/7", true],
    ["/home/ada/shop", ".", true],
    ["/home/ada/private/run", "run", false],
    ["/tmp/run.jsonl", "run.jsonl", false],
    ["/home/ada/shop-old/run.jsonl", "run.jsonl", false],
  ] as const
  for (const [typed, path, isWhole] of places) expect(placeIn(here, typed)).toEqual({ path, isWhole })
})
