// Tests `sessions` as a process whose output is a pipe: a plain list.
import { beforeAll, expect, test } from "bun:test"
import { mkdir, symlink, utimes } from "node:fs/promises"
import { join } from "node:path"
import { fileScratch } from "../scratch.ts"
import { sidecar } from "./ran.ts"

const scratch = fileScratch()
let runs = ""
beforeAll(async () => {
  runs = join(scratch, ".escapement")
  const started = '{"event":"runner/started","seq":0,"ts":1,"data":{}}\n'
  const put = async (name: string, text: string, hoursAgo: number) => {
    await mkdir(join(runs, name), { recursive: true })
    const path = join(runs, name, "transcript.jsonl")
    await Bun.write(path, text)
    const at = Date.now() / 1000 - hoursAgo * 3600
    await utimes(path, at, at)
  }
  await put("done", `${started}${'{"event":"runner/done","seq":1,"ts":2,"data":{}}\n'}{"event":"runn`, 3)
  await put("asks", `${started}{"event":"human-input/start","seq":1,"ts":2,"data":{"kind":"text"}}\n`, 5.25)
  const failed = ["start", "error"].map(name => `{"event":"human-input/${name}","data":{}}\n`).join("")
  await put("again", `${started}{"event":"runner/done","data":{}}\n${started.replace(`"ts":1`, `"ts":5`)}${failed}`, 50)
  await put("bad\u001b[2J", `${started}{"event":"runner/error","seq":1,"ts":2,"data":{"message":"x"}}\n`, 72)
  const failure = '{"event":"runner/error","data":{"message":"x"}}\n{"event":"runner/done","data":{"status":"error"}}\n'
  await put("failed", started + failure, 96)
  await put("stopped", `${started}{"event":"runner/done","data":{"status":"aborted"}}\n`, 120)
  await mkdir(join(runs, "no-run"))
  await symlink("/", join(runs, "link"))
})

/** What is printed, with the dates and times replaced by how long they are. */
async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await sidecar(args, { cwd: scratch, env })
  return `${out}${err}exit ${code}`
    .replaceAll(scratch, "HERE")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d|(?<="activeAt": )\d+/g, "DATE")
}

test("sessions into a pipe lists how each run ended, when, how long it took and what happened last", async () => {
  const told = await printed(["sessions"])
  expect(told).toMatchSnapshot()
  expect(await Promise.all([printed([]), printed(["--plain"])])).toEqual([told, told])
  expect(await printed(["sessions", "--as", "json"])).toMatchSnapshot()
})

test("what `run` kept is listed with the others, but not below a directory that was named", async () => {
  const env = { XDG_STATE_HOME: join(scratch, "elsewhere") }
  const kept = join(scratch, "elsewhere/opentui-sidecar/runs/2026-11-24T10-00-00.000Z-1-claude/transcript.jsonl")
  await Bun.write(kept, '{"event":"runner/started","seq":0,"ts":1}\n{"event":"runner/done","seq":1,"ts":2}\n')
  const [first = "", ...others] = (await printed(["sessions"], env)).split("\n")
  expect(first).toMatch(/^done .* claude .*chart done$/)
  expect(others.map(row => row.split(/ {2,}/)[3] ?? "")).toEqual([
    ...["done", "asks", "again", "bad␛[2J", "failed", "stopped", ""],
  ])
  expect(await printed(["sessions", ".escapement"], env)).not.toContain("claude")
  expect(await printed(["sessions", "--as", "json"], env)).toContain(
    `"path": "HERE/elsewhere/opentui-sidecar/runs/2026`,
  )
})

test("sessions fails if there is nothing to list", async () => {
  const told = ["sessions nowhere", "sessions .escapement/no-run", "sessions a b"].map(line => printed(line.split(" ")))
  expect(await Promise.all(told)).toMatchSnapshot()
  expect(await printed(["sessions", ".escapement/no-run", "--as", "json"])).toBe("[]\nexit 0")
})
