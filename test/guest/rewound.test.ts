// Reads what real CLIs wrote while a person went back, forked, compacted and interrupted; served.jsonl was the truth.
import { beforeAll, expect, test } from "bun:test"
import { appendFile, cp, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { zstdCompressSync } from "node:zlib"
import { LOG_LINE } from "../../packages/wire/src/encode.ts"
import { chooseParser, isLog, startParser } from "../../src/guest/choose-parser.ts"
import { linesBefore } from "../../src/guest/codex-bases.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { openLines } from "../../src/guest/saved-log.ts"
import type { Run } from "../../src/run/model/run.ts"
import { listSessions, sessionFile } from "../../src/stores/list-sessions.ts"
import { sidecar } from "../cli/ran.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { blocksOf, logWords, runFrom } from "./reading.ts"

const FILES = join(root, "fixtures/agents/sessions")
const CLAUDE = "704110b5-1971-4d56-ba05-9994d5d8eaba.jsonl"
const THREAD = "01a218dd-c8d5-7922-8df8-f43e813c4063"
const CODEX = `rollout-2026-11-26T17-18-51-${THREAD}_01a218dd-fdad-7f12-a452-755b9e307960.jsonl`
const OLD = "rollout-2026-11-26T20-44-40-01a2199a-6cd4-79b0-b572-6013e2a9ea7a.jsonl"
const FORK = "rollout-2026-11-26T17-19-37-01a218de-b13f-71d0-872d-40f925f55819.jsonl"

const GEMINI = "session-2026-11-26T20-36-13c1ca2f.jsonl"
const RESUMED = "session-2026-11-26T20-39-13c1ca2f.jsonl"
const KIMI = "session_fc3225b3-abbc-4410-8fb7-fcf73f71cd31/agents/main/wire.jsonl"
const PI = "2026-11-26T21-35-29-209Z_01a219c8-f1ae-7776-8de3-a43bb1ce564a.jsonl"

const scratch = fileScratch()
/** Where the CLI of a log keeps it, by how its name begins. */
const PLACES: readonly (readonly [names: string, place: string, fixtures: readonly string[]])[] = [
  ["rollout", ".codex/sessions/2026/11/26", ["codex-0.169.0-rewound", "codex-0.110.0"]],
  ["session-", ".gemini/tmp/p/chats", ["gemini-0.61.0-interrupted"]],
  ["session_", ".kimi-code/sessions/wd_p", ["kimi-2.1.0-interrupted"]],
  ["2026", ".pi/agent/sessions/--p--", ["pi-0.73.1-rewound"]],
  ["", ".claude/projects/-p", ["claude-2.1.331"]],
]
const at = (log: string) => join(scratch, PLACES.find(([names]) => log.startsWith(names))?.[1] ?? "", log)
beforeAll(async () => {
  for (const [, place, fixtures] of PLACES) {
    for (const name of fixtures) await cp(join(FILES, name), join(scratch, place), { recursive: true })
  }
  for (const [index, log] of AGES.entries()) await utimes(at(log), 2_000_000_000 + index, 2_000_000_000 + index)
})
/** As they were written: what a fork has copied is the older file's. */
const AGES = [CLAUDE, "0eb4bcb7-ad19-4c96-a971-30a3cd4dbd8e.jsonl", CODEX, FORK, OLD, PI, KIMI, GEMINI, RESUMED]

const convert = (log: string, extent: { grows: boolean; end?: boolean } = { grows: false }) =>
  LogConversion.open(log, scratch, startParser(chooseParser(undefined, scratch)), extent)
const readRun = async ({ path }: LogConversion) => runFrom((await readFile(path, "utf8")).split("\n"))

/** The tokens of each session, and what was asked, said and noted in it. */
function sessionsOf(run: Run) {
  return run.sessions.map(({ account }, index) => {
    const blocks = blocksOf(run, index).filter(block => /^(text|user|note (rewound|compacted|interrupted))/.test(block))
    return [account.input, account.output, ...blocks.map(block => block.replace(/^\w+: /, ""))]
  })
}

test("what a fork copied, and what a process says of the session before, counts once", async () => {
  const { out } = await sidecar(["ledger", "--since", "2026-01-01", "--by", "cli", "--as", "json"], { cwd: scratch })
  const rows: readonly { cli: string; inputTokens: number; outputTokens: number }[] = JSON.parse(out).rows
  // As the models had served, but for titles, replies that were cut, and Gemini CLI's compaction, which no file tells.
  expect(rows.map(({ cli, inputTokens, outputTokens }) => [cli, inputTokens, outputTokens])).toEqual([
    ["claude", 15_921, 95],
    ["pi", 8200, 71],
    ["codex", 21_971, 170],
    ["kimi", 8920, 114],
    ["gemini", 7710, 111],
  ])
})

test("a log that is compressed, unpacked, cut and removed is read on, and what became of it is told", async () => {
  const [log, packed] = [at("rollout-fate.jsonl"), at("rollout-fate.jsonl.zst")]
  const text = await readFile(join(FILES, "codex-0.169.0.jsonl"), "utf8")
  await writeFile(packed, zstdCompressSync(text))
  expect(isLog(packed)).toBe(true)
  const conversion = await convert(packed, { grows: true })
  const says = (words: string) =>
    until(async () => logWords(await readRun(conversion)).some(row => row.includes(words)))
  // What a killed process leaves is known by its name.
  expect(`${await readdir(scratch)}`).not.toMatch(/(?:^|,)(?!run-\d+-)[^,]+\.jsonl/)
  const first = blocksOf(await readRun(conversion))
  expect(first).toContain("text: I wait.")
  await writeFile(log, text)
  await rm(packed)
  await says("was cut, rewritten or replaced, and read again from its start")
  expect(blocksOf(await readRun(conversion))).toEqual(first)
  await truncate(log, text.indexOf("\n", text.length / 2) + 1)
  await until(async () => blocksOf(await readRun(conversion)).length < first.length)
  await rm(log)
  await says("was removed; what was read of it is still shown")
  conversion.close()
})

test.each([
  [
    "its subagents",
    "codex-0.169.0-subagents",
    "rollout-2026-11-24T18-40-07-01a20edb-ae19-7c82-af46-852ddd270fc9.jsonl",
    3,
  ],
  ["what it goes on from", "codex-0.169.0-rewound", CODEX, 2],
])("a compressed session is shown with %s, compressed too", async (_, fixtures, log, sessions) => {
  const store = await mkdtemp(join(scratch, "packed-"))
  // What it goes on from is of another day.
  const place = (name: string) => join(store, "2026/11", name === log || sessions === 3 ? "26" : "25", `${name}.zst`)
  for (const name of await readdir(join(FILES, fixtures)))
    await Bun.write(place(name), zstdCompressSync(await readFile(join(FILES, fixtures, name))))
  const [plain, packed] = [await convert(join(FILES, fixtures, log)), await convert(place(log))]
  const shown = sessionsOf(await readRun(packed))
  expect(shown).toHaveLength(sessions)
  expect(shown).toEqual(sessionsOf(await readRun(plain)))
  plain.close()
  packed.close()
})

test("a rollout goes on from no more of a thread than the one between, and counts the prompts that a rewind left", async () => {
  const place = await mkdtemp(join(scratch, "bases-"))
  const id = (of: number) => `01a218dd-0000-7000-8000-00000000000${of}`
  const path = (of: number, own = "") =>
    join(place, `rollout-2026-11-26T17-18-5${own === "" ? of : 9}-${id(of)}${own}.jsonl`)
  const write = (file: string, ordinals: readonly number[], base = 0, end = 0): Promise<number> => {
    const rest = base === 0 ? "" : `"history_base":{"thread_id":"${id(base)}","end_ordinal_exclusive":${end}}`
    const item = '"payload":{"type":"item_completed","item":{"type":"UserMessage"}}'
    const lines = ordinals.map(at => `{"timestamp":"t","ordinal":${at},"type":"event_msg",${item}}`)
    return Bun.write(
      file,
      [`{"timestamp":"t","ordinal":0,"type":"session_meta","payload":{${rest}}}`, ...lines, ""].join("\n"),
    )
  }
  await write(path(1), [1, 2, 3, 4])
  await write(path(2), [4, 5, 6], 1, 4)
  await write(path(3), [3, 4], 2, 3)
  await write(path(4), [5], 4, 9)
  // Two that go on from each other.
  await write(path(5), [1, 2], 6, 2)
  await write(path(6), [1, 2], 5, 2)
  const own = path(1, `_${id(9)}`)
  await write(own, [3], 1, 3)
  const before = async (log: string): Promise<string> => {
    const lines = (await Array.fromAsync(linesBefore(log, place))).flat().map(line => JSON.parse(line))
    return lines.map(({ ordinal, payload }) => ordinal ?? payload.num_turns).join(" ")
  }
  const told = await Promise.all([path(1), path(2), path(3), path(4), own, path(5)].map(before))
  expect(told).toEqual(["", "0 1 2 3", "0 1 2", "", "0 1 2 3 4 2", "0 1"])
})

test("what is unpacked to read a log leaves no file, also if the log is damaged", async () => {
  const [place, unpacked] = [await mkdtemp(join(scratch, "log-")), await mkdtemp(join(scratch, "unpacked-"))]
  for (const [name, bytes] of [
    ["whole", zstdCompressSync("one\ntwo\n")],
    ["damaged", "no zstd"],
  ] as const) {
    const log = join(place, `${name}.jsonl`)
    await writeFile(`${log}.zst`, bytes)
    const reader = await openLines(log, unpacked).catch(() => null)
    expect(await reader?.next()).toEqual(name === "whole" ? ["one", "two"] : undefined)
    await reader?.close()
    expect(await readdir(unpacked)).toEqual([])
  }
})

test("the end of 2 GB is read with its head, and no more", async () => {
  const log = at("long.jsonl")
  const text = await readFile(at(CLAUDE), "utf8")
  const size = 2 * 1024 ** 3
  await writeFile(log, text)
  await truncate(log, size)
  await appendFile(log, `\n${text}`)
  const before = await bytesRead()
  const conversion = await convert(log, { grows: true, end: true })
  expect((await bytesRead()) - before).toBeLessThan(3 * 1024 * 1024)
  const run = await readRun(conversion)
  // Nobody knows the numbers of its lines.
  expect(await readFile(conversion.path, "utf8")).not.toContain(LOG_LINE)
  expect(blocksOf(run)).toContain("text: After the summary.")
  expect(logWords(run)).toContainEqual(
    expect.stringContaining("from its last MB on; the 2048 MB before are being read"),
  )
  conversion.close()
  await rm(log)
})

/** What this process has read from files so far. */
async function bytesRead(): Promise<number> {
  return Number(/rchar: (\d+)/.exec(await readFile("/proc/self/io", "utf8"))?.[1])
}

test("sessions whose files are several, or compressed, are listed once, and found by their ids", async () => {
  const ids = ["01a218dd-0000-7000-8000-000000000000", "01a218dd-1111-7000-8000-000000000000"]
  const text = await readFile(at(FORK), "utf8")
  // Random bytes can't be compressed: only the beginning of the second is read.
  const noise = Array.from({ length: 3 }, () => crypto.getRandomValues(new Uint8Array(65_000)).toBase64()).join("")
  for (const [index, id] of ids.entries()) {
    const packed = zstdCompressSync(text.replaceAll("01a218de-b13f-71d0-872d-40f925f55819", id) + noise.repeat(index))
    await writeFile(at(`rollout-2026-11-01T00-00-00-${id}.jsonl.zst`), packed)
  }
  const listed = (await listSessions({}, { home: scratch })).filter(({ cli }) => cli !== "claude")
  expect(listed.map(({ id, title, state, usage }) => [id, title, state, usage.output]).sort()).toEqual([
    [ids[0] ?? "", "In the fork.", "ended", 91],
    [ids[1] ?? "", "In the fork.", "quiet", null],
    [THREAD, "Go another way.", "ended", 81],
    ["01a218de-b13f-71d0-872d-40f925f55819", "In the fork.", "ended", 91],
    ["01a2199a-6cd4-79b0-b572-6013e2a9ea7a", "Hello", "ended", 73],
    ["01a219c8-f1ae-7776-8de3-a43bb1ce564a", "Hello", "ended", 71],
    ["13c1ca2f-f047-49d0-bddc-4a33f5f327da", "What is in note.txt", "quiet", 111],
    ["session_fc3225b3-abbc-4410-8fb7-fcf73f71cd31", "What is in note.txt", "ended", 114],
  ])
  expect(await sessionFile(THREAD, {}, scratch)).toBe(at(CODEX))
  // The newest file has nothing but the id of the session that goes on.
  for (const id of ["13c1ca2f", "latest"]) expect(await sessionFile(id, {}, scratch)).toBe(at(GEMINI))
})
