// Tests which session a run for Paperclip resumes, and when a run is started again.
import { afterAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { execute } from "../../src/server/index.ts"
import { openHost } from "../host.ts"

const host = openHost()
afterAll(() => host[Symbol.dispose]())

/** The fake agent's command line. */
function argvOf(session: string): string[] {
  return JSON.parse(readFileSync(join(host.cwd, ".escapement", session, "seen.json"), "utf8")).argv
}

/** The runtime of a run without an earlier one. */
const nothing = { sessionId: null, sessionParams: null, sessionDisplayId: null, taskKey: null }

describe("execute with sessions", () => {
  test("resumes in the next run, and counts only its own rows", async () => {
    const first = await execute(host.context("breaks"))
    const runtime = { ...nothing, sessionParams: first.sessionParams ?? null }
    const ctx = host.context("breaks", { runtime })
    const second = await execute(ctx)
    expect(argvOf(first.sessionId ?? "")).toContain("--resume")
    expect(second).toMatchObject({ exitCode: 0, usage: { inputTokens: 150 }, resultJson: { rows: 7 } })
    expect(ctx.log.filter(({ chunk }) => chunk.startsWith("run ■"))).toHaveLength(1)
  })

  test("reads a rewritten transcript of a resumed run from its beginning", async () => {
    const first = await execute(host.context("restarts"))
    const ctx = host.context("restarts", { runtime: { ...nothing, sessionParams: first.sessionParams ?? null } })
    expect(await execute(ctx)).toMatchObject({ exitCode: 0, resultJson: { rows: 7 } })
    expect(ctx.metas[0]?.commandArgs).toContain(first.sessionId ?? "")
  })

  test("does not resume a session of another directory or chart", async () => {
    const first = await execute(host.context("breaks"))
    for (const change of [{ cwd: "/elsewhere" }, { chart: "other" }, { workDir: "/elsewhere" }]) {
      const sessionParams = { ...first.sessionParams, ...change }
      const ctx = host.context("breaks", { runtime: { ...nothing, sessionParams } })
      expect((await execute(ctx)).sessionId).toBe(`paperclip-${ctx.runId}`)
    }
  })

  test("resumes in the same directory, however its path was written", async () => {
    const first = await execute(host.context("breaks"))
    const sessionParams = { ...first.sessionParams, cwd: `${host.cwd}/`, workDir: `${host.cwd}/bin/../.escapement/` }
    const ctx = host.context("breaks", { runtime: { ...nothing, sessionParams } })
    await execute(ctx)
    expect(argvOf(first.sessionId ?? "")).toContain("--resume")
  })

  test("never starts a run again that has charged a card, whatever it says of sessions afterwards", async () => {
    const first = await execute(host.context("breaks"))
    const sessionParams = { ...first.sessionParams, chart: "charges" }
    const ctx = host.context("charges", { runtime: { ...nothing, sessionParams } })
    const result = await execute(ctx)
    const starts = readFileSync(join(host.cwd, ".escapement", first.sessionId ?? "", "starts"), "utf8")
    // One start of the earlier run, one of this one.
    expect(starts).toHaveLength(2)
    expect(ctx.pids).toHaveLength(1)
    expect(result).toMatchObject({ exitCode: 1, errorCode: "escapement_chart_error", sessionId: first.sessionId })
    expect(result.errorMessage).toContain("checkout session cs_123 not found")
    expect(result.clearSession).toBeUndefined()
  })

  test("forgets a session whose chart has ended, since the agent only ends it again", async () => {
    const first = await execute(host.context("breaks"))
    const runtime = { ...nothing, sessionParams: first.sessionParams ?? null }
    for (const ended of [await execute(host.context("works")), await execute(host.context("breaks", { runtime }))])
      expect(ended).toMatchObject({ exitCode: 0, sessionId: null, sessionParams: null, sessionDisplayId: null })
  })

  test("starts a new session if the stored one had ended, so that the wake is not lost", async () => {
    const { resultJson } = await execute(host.context("works"))
    const sessionId = basename(dirname(String(resultJson?.transcript)))
    const ctx = host.context("works", { runtime: { ...nothing, sessionParams: { sessionId } } })
    expect(await execute(ctx)).toMatchObject({ usage: { inputTokens: 150 }, summary: "All is done." })
    expect(ctx.metas.map(({ commandArgs = [] }) => commandArgs.includes("--resume"))).toEqual([true, false])
    expect(ctx.log.map(({ chunk }) => chunk)).toContain(
      `[escapement] session ${sessionId} can't go on, starting a new one\n`,
    )
  })

  test("keeps a session that was stopped on its way, also a new one in place of a missing one", async () => {
    const runtime = { ...nothing, sessionParams: { sessionId: "gone-0" } }
    const ctx = host.context("overloads", { runtime })
    expect(await execute(ctx)).toMatchObject({ exitCode: 1, clearSession: false, sessionId: `paperclip-${ctx.runId}` })
  })

  test("retries with a new session if the old one is missing", async () => {
    const ctx = host.context("works", { runtime: { ...nothing, sessionParams: { sessionId: "gone-1" } } })
    const result = await execute(ctx)
    expect(result).toMatchObject({ exitCode: 0, resultJson: { ending: "done" } })
    expect(result.usage).toEqual({ inputTokens: 150, outputTokens: 25, cachedInputTokens: 60 })
    expect(ctx.log.map(({ chunk }) => chunk)).toContain("[escapement] session gone-1 can't go on, starting a new one\n")
    expect(ctx.metas).toHaveLength(2)
  })

  test("tells the host to forget a missing session if the new one did not begin either", async () => {
    const runtime = { ...nothing, sessionParams: { sessionId: "gone-2" } }
    const result = await execute(host.context("silent", { runtime }))
    expect(result).toMatchObject({ errorCode: "escapement_output_unreadable", clearSession: true, sessionId: null })
  })

  test("resumes a legacy id if nothing else is stored", async () => {
    const { sessionId = null } = await execute(host.context("breaks"))
    const ctx = host.context("breaks", { runtime: { ...nothing, sessionId } })
    expect(await execute(ctx)).toMatchObject({ exitCode: 0, summary: "All is done." })
    expect(argvOf(sessionId ?? "")).toContain("--resume")
  })

  test("never uses an id that is a path or a flag", async () => {
    for (const sessionId of ["../../etc", "-x", "a b", "..", ""]) {
      const ctx = host.context("breaks", { runtime: { ...nothing, sessionId, sessionParams: { sessionId } } })
      expect((await execute(ctx)).sessionId).toBe(`paperclip-${ctx.runId}`)
    }
  })
})
