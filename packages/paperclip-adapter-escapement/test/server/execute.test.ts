// Tests a run for Paperclip with a real process in place of the agent: inputs, outputs and each failure.
import { describe, expect, spyOn, test } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { isRunning } from "../../../../test/running.ts"
import { until } from "../../../../test/until.ts"
import { followTranscript, transcriptFrom } from "../../src/server/follow-transcript.ts"
import { execute } from "../../src/server/index.ts"
import { type Context, openHost } from "../host.ts"

const host = openHost()
/** A session that the agent doesn't have. */
const GONE = { sessionId: "gone", sessionParams: null, sessionDisplayId: null, taskKey: null }

test("execute reports the invocation before it starts the process, and a cancel after its end ends nothing", async () => {
  const order: string[] = []
  const controller = new AbortController()
  const ctx = host.context("works", {
    signal: controller.signal,
    onMeta: async () => void order.push("meta"),
    onCancellationReady: async () => void order.push("ready"),
    onSpawn: async () => void order.push("spawned"),
  })
  await execute(ctx)
  expect(order).toEqual(["meta", "ready", "spawned"])
  // By then the group's number may be another's.
  using killed = spyOn(process, "kill").mockImplementation(() => true)
  controller.abort()
  expect(killed).not.toHaveBeenCalled()
})

test("execute logs streamed text once and by whole lines, so that the host sees a secret in one piece", async () => {
  const ctx = host.context("streams")
  await execute(ctx)
  const [chunks = [], others] = ["stdout", "stderr"].map(name =>
    ctx.log.flatMap(({ stream, chunk }) => (stream === name ? chunk : [])),
  )
  const secret = chunks.findIndex(chunk => chunk.includes("Authorization: Bearer abcdefghijklmnop1234 to go on.\n"))
  // It begins a line where the host's redaction may have taken the last line's end.
  expect(chunks.flatMap((chunk, at) => (chunk.startsWith("\n") ? at : []))).toEqual([secret + 1])
  expect(others).toEqual(["Bearer abc\n", "\nand more\n"])
  expect(chunks.filter(chunk => chunk.trimStart().startsWith("planner │")).length).toBeLessThan(4)
})

test("execute survives a failing log and a failing onSpawn", async () => {
  const refuse = () => Promise.reject(new Error("no"))
  const ctx = host.context("works", { onLog: refuse, onSpawn: refuse, runtime: GONE })
  expect(await execute(ctx)).toMatchObject({ summary: "All is done." })
})

describe("execute ends the whole process group", () => {
  async function gone(ctx: Context): Promise<void> {
    expect(await isRunning(ctx.pids[0] ?? process.pid)).toBe(false)
    expect(await isRunning(Number(await Bun.file(host.fileOf(ctx, "grandchild.pid")).text()))).toBe(false)
  }

  test("at the time limit, and after the grace a grandchild that ignores SIGTERM", async () => {
    // On a slow machine the limit may pass before the grandchild starts.
    for (let timeoutSec = 1; ; timeoutSec *= 2) {
      const ctx = host.context("hangs", { config: { timeoutSec, graceSec: 0.2 } })
      expect(await execute(ctx)).toMatchObject({ timedOut: true, errorCode: "timeout" })
      if (!(await Bun.file(host.fileOf(ctx, "grandchild.pid")).exists())) continue
      await gone(ctx)
      break
    }
  })

  test("on a cancel, and gives an agent that tidies up the whole grace", async () => {
    const controller = new AbortController()
    const ctx = host.context("tidies", { config: { graceSec: 20 }, signal: controller.signal })
    const running = execute(ctx)
    // What streams is logged while the agent goes on.
    await until(() => ctx.log.some(({ chunk }) => chunk.includes("I am ready.")))
    controller.abort()
    const acknowledged = { executionCancellation: { state: "acknowledged", forced: false } }
    expect(await running).toMatchObject({ exitCode: 0, signal: null, resultJson: acknowledged })
    expect(await Bun.file(host.fileOf(ctx, "tidied")).exists()).toBe(true)
    expect(await isRunning(ctx.pids[0] ?? process.pid)).toBe(false)
  })

  test("at the first reason alone, even if the agent ignores SIGTERM, and without a limit for what is left of it", async () => {
    const told: string[] = []
    const waiting = new Map<unknown, () => void>()
    const { setTimeout: later, clearTimeout: clear } = globalThis
    const { kill } = process
    // The limit and the grace pass when we say so.
    const start = (run: () => void, ms: number) => {
      const name = ms === 500_000 ? "limit" : ms === 9000 ? "grace" : null
      if (name === null) return later(run, ms)
      told.push(`${name} begins`)
      return waiting.set(name, run) && name
    }
    const stop = (timer: NodeJS.Timeout | string) => {
      if (typeof timer !== "string") clear(timer)
      else if (waiting.delete(timer)) told.push(`${timer} is over`)
    }
    using _ = spyOn(globalThis, "setTimeout").mockImplementation(start as typeof setTimeout)
    using __ = spyOn(globalThis, "clearTimeout").mockImplementation(stop as typeof clearTimeout)
    using ___ = spyOn(process, "kill").mockImplementation((pid, signal) => {
      if (signal !== 0) told.push(`${signal}`)
      return kill.call(process, pid, signal)
    })
    const config = { timeoutSec: 500, graceSec: 9 }
    // A child that the agent leaves behind holds its output.
    const left = host.context("leaves", { config })
    expect(await execute(left)).toMatchObject({ timedOut: false, exitCode: 0, summary: "All is done." })
    expect(told.splice(0)).toEqual(["limit begins", "limit is over", "SIGTERM", "SIGKILL"])
    await gone(left)
    const controller = new AbortController()
    const ctx = host.context("deaf", { config, signal: controller.signal })
    const running = execute(ctx)
    await until(() => Bun.file(host.fileOf(ctx, "grandchild.pid")).size > 0)
    controller.abort()
    for (const name of ["limit", "grace"]) waiting.get(name)?.()
    const acknowledged = { executionCancellation: { state: "acknowledged", forced: true } }
    const ended = { errorCode: "cancelled", timedOut: false, signal: "SIGKILL", resultJson: acknowledged }
    expect(await running).toMatchObject(ended)
    await gone(ctx)
    const over = ["limit is over", "SIGTERM", "grace is over"]
    expect(told).toEqual(["limit begins", "SIGTERM", "grace begins", "SIGKILL", ...over])
  })

  test("on a cancel that comes while it is being started", async () => {
    const controller = new AbortController()
    // Right behind the last look before the start.
    const seen = [false]
    const get = () => {
      controller.abort()
      return seen.shift() ?? true
    }
    const signal = Object.defineProperty(controller.signal, "aborted", { get })
    const ctx = host.context("deaf", { config: { graceSec: 0 }, signal })
    expect(await execute(ctx)).toMatchObject({ errorCode: "cancelled" })
  })
})

test("execute forgets a session that is gone even if the one in its place is never started", async () => {
  const controller = new AbortController()
  const onMeta: Context["onMeta"] = async ({ commandArgs = [] }) => {
    if (!commandArgs.includes("--resume")) controller.abort()
  }
  const ctx = host.context("works", { runtime: GONE, signal: controller.signal, onMeta })
  expect(await execute(ctx)).toMatchObject({ errorCode: "cancelled", clearSession: true })
})

test("what is written to a transcript while its agent ends is read, up to half a line", async () => {
  const path = join(host.cwd, "bin/transcript.jsonl")
  writeFileSync(path, "earlier\n")
  const file = await transcriptFrom(path, host.cwd)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const lines: string[] = []
  const onLine = async (line: string) => void lines.push(line)
  const onLook = async () => {
    if (lines.length > 0) return
    writeFileSync(path, `late\n${"x".repeat(17 * 1024 * 1024)}\nhalf`, { flag: "a" })
    end()
    await new Promise(done => setImmediate(done))
  }
  await followTranscript(file, { ended, onLine, onLook })
  // Of a line that is longer than any row the beginning.
  expect(lines).toEqual(["late", "x".repeat(4096), "half"])
  // It has let the file go, so that a look finds it anew.
  expect(await file.look()).toBe("grown")
  await file.close()
})

test("execute links skills into a temporary directory and leaves the working directory alone", async () => {
  const source = join(host.cwd, "skills/paperclip")
  mkdirSync(source, { recursive: true })
  writeFileSync(join(source, "SKILL.md"), "how to")
  const key = "paperclipai/paperclip/paperclip"
  // Tests beside this one link skills in the usual one.
  const usual = process.env.TMPDIR
  const temporary = join(host.cwd, "deep/temporary")
  mkdirSync(temporary, { recursive: true })
  process.env.TMPDIR = temporary
  using _ = {
    [Symbol.dispose]: () => {
      if (usual === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = usual
    },
  }
  const found = (of: Context) => JSON.parse(readFileSync(host.fileOf(of, "skills.json"), "utf8"))
  const linked = { paperclipRuntimeSkills: [{ key, runtimeName: "paperclip", source }] }
  const ctx = host.context("works", { config: linked })
  await execute(ctx)
  expect(found(ctx)).toEqual(["paperclip/SKILL.md"])
  expect(await readdir(temporary)).toEqual([])
  expect(readFileSync(join(source, "SKILL.md"), "utf8")).toBe("how to")
  expect((await readdir(host.cwd)).sort()).toEqual([".escapement", "bin", "deep", "skills"])
  expect(ctx.metas[0]?.prompt).not.toContain("how to")
  // Of two skills with one name the first is linked, and none that is missing or not wanted; a failing run removes its links too.
  const two = [source, join(host.cwd, "elsewhere")].map(from => ({ key, runtimeName: "a/paperclip", source: from }))
  const gone = { key, runtimeName: "gone", source, sourceStatus: "missing" }
  const unwanted = { key: "company/rain", runtimeName: "rain", source }
  const odd = host.context("works", { config: { paperclipRuntimeSkills: [...two, gone, unwanted] } })
  await execute(odd)
  expect(found(odd)).toEqual(["paperclip/SKILL.md"])
  expect(await execute(host.context("fails", { config: linked }))).toMatchObject({ exitCode: 1 })
  expect(await readdir(temporary)).toEqual([])
  // The user's own variable goes before ours.
  const own = host.context("works", { config: { ...linked, env: { PAPERCLIP_SKILLS_DIR: source } } })
  await execute(own)
  expect(host.seen(`paperclip-${own.runId}`).env.PAPERCLIP_SKILLS_DIR).toBe(source)
})
