// Keeps the frames that each recording of a real CLI is read as, and what becomes of them where a line is damaged.
import { beforeAll, expect, test } from "bun:test"
import { cp, readFile, utimes } from "node:fs/promises"
import { join } from "node:path"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { FrameDrawing } from "./drawn-frames.ts"
import { openDatabase } from "./opencode-rows.ts"

const scratch = fileScratch()
const LOGS = [...new Bun.Glob("{agents,cli,paperclip}/**/*.{jsonl,log}").scanSync(join(root, "fixtures"))]
  .filter(log => !/subagents\/.*\/|\/agent-\d|rows/.test(log))
  .sort()

beforeAll(async () => {
  await cp(join(root, "fixtures"), scratch, { recursive: true })
  // A fork is the younger file.
  const age = (log: string, at: number) => 2_000_000_000 + at - (log.includes("704110b5") ? 1000 : 0)
  for (const [at, log] of LOGS.entries()) await utimes(join(scratch, log), age(log, at), age(log, at))
})

/** The frames of a log, drawn, and its sessions. */
async function drawn(log: string): Promise<readonly string[]> {
  const parser = startParser(chooseParser(undefined, scratch))
  const conversion = await LogConversion.open(log, fileScratch(), parser, { grows: false })
  const frames = (await readFile(conversion.path, "utf8")).trimEnd().split("\n")
  conversion.close()
  const drawing = new FrameDrawing()
  const lines = frames.map(frame => drawing.draw(frame).join(" "))
  return [...drawing.sessions, ...lines]
}

test.each(LOGS)("%s", async log => {
  expect((await drawn(join(scratch, log))).join("\n")).toMatchSnapshot()
})

test("opencode's database, and what is rare in a session of one", async () => {
  using opened = await openDatabase()
  expect((await drawn(opened.path)).join("\n")).toMatchSnapshot()
  const rows = (await readFile(join(scratch, "guest/opencode-rows.jsonl"), "utf8")).trimEnd().split("\n")
  for (const { table, row } of rows.map(line => JSON.parse(line))) opened.add(table, row)
  for (const id of ["rare", "kid"]) expect((await drawn(`${opened.path}/ses_${id}`)).join("\n")).toMatchSnapshot()
})

test("the tokens of a reply of pi that failed are counted", async () => {
  const log = await readFile(join(scratch, "agents/pi-0.73.1-refused.jsonl"), "utf8")
  const path = join(scratch, "pi-failed.jsonl")
  await Bun.write(path, log.replaceAll('"input":0,"output":0', '"input":5,"output":3'))
  expect((await drawn(path)).join("\n")).toContain(
    `usage={"input-tokens":5,"cached-tokens":0,"cache-write-tokens":0,"output-tokens":3}`,
  )
})
