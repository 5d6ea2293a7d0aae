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

/** The list with the dates and times replaced by how long they are. */
async function listed(args: readonly string[]): Promise<readonly string[]> {
  const { code, out, err } = await sidecar(args, { cwd: scratch })
  expect([code, err]).toEqual([0, ""])
  return out
    .trimEnd()
    .split("\n")
    .map(row => row.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "DATE TIME"))
}

const LIST = [
  "done         DATE TIME  0.0s  done     chart done",
  "no activity  DATE TIME  0.0s  asks     asks: something",
  "no activity  DATE TIME  0.0s  again    human input error",
  "failed       DATE TIME  0.0s  bad␛[2J  x",
  "failed       DATE TIME  0.0s  failed   x",
  "stopped      DATE TIME  0.0s  stopped  chart done (aborted)",
]

test("sessions into a pipe lists how each run ended, when, how long it took and what happened last", async () => {
  expect(await listed(["sessions"])).toEqual(LIST)
})

test("the program alone, into a pipe or without a screen, prints the same list", async () => {
  expect(await listed([])).toEqual(await listed(["sessions"]))
  expect(await listed(["--plain"])).toEqual(await listed(["sessions"]))
})

test("what `run` kept is listed with the others, but not below a directory that was named", async () => {
  const state = join(scratch, "elsewhere")
  const kept = join(state, "opentui-sidecar/runs/2026-11-24T10-00-00.000Z-1-claude/transcript.jsonl")
  await Bun.write(kept, '{"event":"runner/started","seq":0,"ts":1}\n{"event":"runner/done","seq":1,"ts":2}\n')
  const listed = async (args: readonly string[]) =>
    (await sidecar(args, { cwd: scratch, env: { XDG_STATE_HOME: state } })).out.split("\n")
  const [first = "", ...others] = await listed(["sessions"])
  expect(first).toMatch(/^done .* claude .*chart done$/)
  expect(others.map(row => row.split(/ {2,}/)[3] ?? "")).toEqual([
    "done",
    "asks",
    "again",
    "bad␛[2J",
    "failed",
    "stopped",
    "",
  ])
  expect((await listed(["sessions", ".escapement"]))[0]).not.toContain("claude")
  expect(JSON.parse((await listed(["sessions", "--as", "json"])).join("\n"))[0]).toMatchObject({
    path: join(kept, ".."),
  })
})

test("sessions fails if there is nothing to list", async () => {
  const err = (words: string) => ({ code: 2, out: "", err: `opentui-sidecar sessions: ${words}\n` })
  expect(await sidecar(["sessions", "nowhere"], { cwd: scratch })).toEqual(err("nowhere: no such file"))
  expect(await sidecar(["sessions", ".escapement/no-run"], { cwd: scratch })).toEqual(
    err(".escapement/no-run: no runs found"),
  )
  expect((await sidecar(["sessions", "a", "b"], { cwd: scratch })).code).toBe(2)
})
