// Tests `sessions` as a process: a plain list into a pipe, a list to choose from in a terminal.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFile, mkdir, mkdtemp, rm, symlink, utimes } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fixture, root } from "../fixtures.ts"
import { expectAsItWas } from "../pty/as-it-was.ts"
import { openTerminal } from "../pty/terminal.ts"
import { sidecar } from "./ran.ts"

const bin = join(root, "bin/opentui-sidecar")

let scratch = ""
let runs = ""
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "sidecar-sessions-"))
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
afterAll(() => rm(scratch, { recursive: true, force: true }))

test("sessions into a pipe lists status, size, age and name, the latest first, as the header of each says", async () => {
  expect(await sidecar(["sessions"], { cwd: scratch })).toEqual({
    code: 0,
    out: [
      "finished    115 B  3h00m  done",
      "waits       120 B  5h15m  asks",
      "unfinished  218 B     2d  again",
      "error       115 B     3d  bad␛[2J",
      "error       150 B     4d  failed",
      "aborted     104 B     5d  stopped",
      "",
    ].join("\n"),
    err: "",
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

test("sessions in a terminal opens the run under the cursor on Enter", async () => {
  const place = join(scratch, "open")
  for (const name of ["one", "two"]) await mkdir(join(place, name), { recursive: true })
  await copyFile(fixture("prompts"), join(place, "two/transcript.jsonl"))
  await Bun.write(join(place, "one/transcript.jsonl"), '{"event":"runner/started","data":{}}\n')
  await utimes(join(place, "two/transcript.jsonl"), 1000, 1000)
  await using terminal = await openTerminal({ cmd: [bin, "sessions", "open"], cwd: scratch, cols: 100, rows: 30 })
  const rows = await terminal.waitFor("RUNS  open")
  expect(rows.slice(1, 3).map(row => row.split(/ {2,}/).at(-1))).toEqual(["one", "two"])
  expect(rows.at(-1)).toBe("Enter open  j k move  q quit   1 of 2")
  terminal.press("jj")
  await terminal.waitFor("2 of 2")
  terminal.press("k")
  await terminal.waitFor("1 of 2")
  terminal.press("\u001b[B\r")
  await terminal.waitFor("kiosk")
  terminal.press("\u0003")
  expect(await terminal.exited).toBe(0)
})

test.each([
  ["q", 0],
  ["\u0003", 0],
  ["\u001b", 0],
])("sessions quits on %j and restores the terminal", async (key, code) => {
  await using terminal = await openTerminal({ cmd: [bin, "sessions"], cwd: scratch, cols: 60, rows: 5 })
  const before = terminal.flags
  await terminal.waitFor("of 6")
  expect(terminal.flags).not.toEqual(before)
  expect(await terminal.screen()).toHaveLength(5)
  terminal.press(key)
  expect(await terminal.exited).toBe(code)
  expectAsItWas(terminal, before)
  expect(terminal.raw).not.toContain("\u001b[2J")
})

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGQUIT", 131],
] as const)("sessions restores the terminal on %s", async (signal, code) => {
  await using terminal = await openTerminal({ cmd: [bin, "sessions"], cwd: scratch })
  const before = terminal.flags
  await terminal.waitFor("of 6")
  terminal.kill(signal)
  expect(await terminal.exited).toBe(code)
  expectAsItWas(terminal, before)
})

test("sessions restores the terminal after an error while drawing, and exits with 1", async () => {
  const entry = join(scratch, "fault.ts")
  await Bun.write(
    entry,
    `process.on("SIGUSR2", () => {
       Object.defineProperty(process.stdout, "columns", { get() { throw new Error("a fault of the list") } })
       process.stdout.emit("resize")
     })
     await import(${JSON.stringify(join(root, "src/main.tsx"))})`,
  )
  await using terminal = await openTerminal({
    cmd: [process.execPath, "run", entry, "sessions", runs],
    cwd: root,
  })
  const before = terminal.flags
  await terminal.waitFor("of 6")
  terminal.kill("SIGUSR2")
  expect(await terminal.exited).toBe(1)
  expectAsItWas(terminal, before)
  const after = terminal.raw.slice(terminal.raw.lastIndexOf("\u001b[?1049l"))
  expect(after).toContain("opentui-sidecar: Error: a fault of the list")
})
