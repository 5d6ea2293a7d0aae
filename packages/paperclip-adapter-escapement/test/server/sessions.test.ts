// Tests which session a run for Paperclip resumes, and when a run is started again.
import { describe, expect, test } from "bun:test"
import { execute } from "../../src/server/index.ts"
import { openHost } from "../host.ts"

const host = openHost()

/** A run of a chart in a host that has stored this of a session. */
const resuming = (
  chart: string,
  sessionParams: Record<string, unknown> | null = null,
  sessionId: string | null = null,
) => host.context(chart, { runtime: { sessionId, sessionParams, sessionDisplayId: null, taskKey: null } })

describe("execute with sessions", () => {
  test("resumes in the same directory, however its path was written", async () => {
    const first = await execute(host.context("breaks"))
    const sessionParams = { ...first.sessionParams, cwd: `${host.cwd}/`, workDir: `${host.cwd}/bin/../.escapement/` }
    await execute(resuming("breaks", sessionParams))
    expect(host.seen(first.sessionId ?? "").argv).toContain("--resume")
  })

  test("resumes a legacy id if nothing else is stored", async () => {
    const { sessionId = null } = await execute(host.context("breaks"))
    expect(await execute(resuming("breaks", null, sessionId))).toMatchObject({ exitCode: 0, summary: "All is done." })
    expect(host.seen(sessionId ?? "").argv).toContain("--resume")
  })

  test("never uses an id that is a path or a flag", async () => {
    for (const sessionId of ["../../etc", "-x", "a b", "..", ""]) {
      const ctx = resuming("breaks", { sessionId }, sessionId)
      expect((await execute(ctx)).sessionId).toBe(`paperclip-${ctx.runId}`)
    }
  })
})
