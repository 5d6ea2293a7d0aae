// Tests a run for Paperclip with a real process in place of the agent: inputs, outputs and each failure.
import { describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { AdapterExecutionContext } from "@paperclipai/adapter-utils"
import { until } from "../../../../test/until.ts"
import { execute } from "../../src/server/index.ts"
import { parseStdoutLine } from "../../src/ui-parser.ts"
import { type Context, isAlive, openHost } from "../host.ts"

const host = openHost()

const SANDBOX = { kind: "remote", transport: "sandbox", remoteCwd: "/work" } as const

describe("execute of a successful run", () => {
  const run = (async () => {
    const ctx = host.context("works", {
      authToken: "jwt-1",
      context: {
        ...{
          issueId: "issue-1",
          wakeReason: "assigned",
          commentId: "comment-1",
          approvalId: "a-1",
          approvalStatus: "ok",
        },
        ...{ issueIds: ["i-1", "i-2"], paperclipTaskMarkdown: '# Task\nShip "it"' },
      },
      config: {
        ...{
          model: "smart",
          backend: "ollama",
          logLevel: "debug",
          input: "in.edn",
          promptTemplate: "{{agent.name}} in {{run.id}}",
        },
        ...{
          params: 'depth=3\nname="x"',
          extraArgs: "--debug",
          env: { OWN: "1", SECRET_TOKEN: "s3cret", PAPERCLIP_WAKE_REASON: "mine" },
        },
      },
    })
    return { ctx, result: await execute(ctx) }
  })()

  test("returns the full result", async () => {
    const { result } = await run
    const transcript = join(host.cwd, ".escapement/paperclip-run-1/transcript.jsonl")
    expect(result).toEqual({
      exitCode: 0,
      signal: null,
      timedOut: false,
      usage: { inputTokens: 150, outputTokens: 25, cachedInputTokens: 60 },
      usageBasis: "per_run",
      ...{ sessionId: null, sessionParams: null, sessionDisplayId: null },
      provider: null,
      model: "gemma3:1b",
      costUsd: 0.03,
      summary: "All is done.",
      resultJson: { ending: "done", rows: 7, errors: [], transcript },
    })
  })

  test("passes the settings, and the prompt as an EDN string", async () => {
    await run
    expect(host.seen("paperclip-run-1").argv).toEqual([
      ...["run", "works", "--work-dir", join(host.cwd, ".escapement"), "--session", "paperclip-run-1"],
      ...["--input", "in.edn", "--param", "depth=3", "--param", 'name="x"'],
      ...["--param", 'prompt="Ada in run-1\\n\\n# Task\\nShip \\"it\\""'],
      ...["--backend", "ollama", "--model", "smart", "--log-level", "debug", "--no-tui", "--debug"],
    ])
  })

  test("sets every variable of Paperclip, overridden by the user's", async () => {
    await run
    const { env, cwd } = host.seen("paperclip-run-1")
    expect(cwd).toBe(host.cwd)
    expect(env).toMatchObject({
      PAPERCLIP_AGENT_ID: "agent-1",
      PAPERCLIP_COMPANY_ID: "company-1",
      PAPERCLIP_API_URL: expect.stringContaining("http"),
      PAPERCLIP_RUN_ID: "run-1",
      PAPERCLIP_TASK_ID: "issue-1",
      PAPERCLIP_WAKE_REASON: "mine",
      PAPERCLIP_WAKE_COMMENT_ID: "comment-1",
      PAPERCLIP_APPROVAL_ID: "a-1",
      PAPERCLIP_APPROVAL_STATUS: "ok",
      PAPERCLIP_LINKED_ISSUE_IDS: "i-1,i-2",
      PAPERCLIP_API_KEY: "jwt-1",
      OWN: "1",
      SECRET_TOKEN: "s3cret",
    })
  })

  test("reports the invocation, with secrets redacted, and the process", async () => {
    const { ctx } = await run
    const [meta] = ctx.metas
    expect(ctx.metas).toHaveLength(1)
    expect(meta).toMatchObject({
      adapterType: "escapement_local",
      cwd: host.cwd,
      prompt: 'Ada in run-1\n\n# Task\nShip "it"',
    })
    expect(meta?.env).toMatchObject({ OWN: "1", SECRET_TOKEN: "***REDACTED***", PAPERCLIP_API_KEY: "***REDACTED***" })
    expect(ctx.pids).toHaveLength(1)
  })

  test("logs whole lines that people can read, and the agent's own", async () => {
    const { ctx } = await run
    expect(ctx.log.filter(({ chunk }) => !chunk.endsWith("\n"))).toEqual([])
    const isOurs = (line: string) => /^\S+ [^\x00-\x7f⋮] /.test(line)
    const lines = ctx.log.flatMap(({ stream, chunk }) =>
      chunk
        .trimEnd()
        .split("\n")
        .map(line => ({ stream, line })),
    )
    expect(lines.filter(({ line }) => isOurs(line)).map(({ line }) => line)).toEqual([
      "run ▸ model smart, session :session/paperclip-run-1",
      "planner · a turn with gemma3:1b",
      "planner │ I look.",
      'planner → read {"path":"a"} #call-1',
      "planner · gemma3:1b, 100 in, 20 out",
      "planner ← read: text of a #call-1",
      "planner │ All is done.",
      "planner · a reply, 50 in, 5 out",
      "run ■ done: 150 in, 25 out, 60 cached, $0.03; All is done.",
    ])
    const others = lines.filter(({ line }) => !isOurs(line))
    expect(others.map(({ stream, line }) => `${stream}: ${line}`).sort()).toEqual([
      ...["stderr: a warning", "stdout: no line end", "stdout: plain words", "stdout: run ⋮ [fake] hello"],
    ])
  })

  test("logs what the host's stateless parser reads back as the run", async () => {
    const { ctx } = await run
    const lines = ctx.log.filter(({ stream }) => stream === "stdout").flatMap(({ chunk }) => chunk.split("\n"))
    const entries = lines.flatMap(line => parseStdoutLine(line, "T"))
    expect(entries.filter(({ kind }) => kind !== "system" && kind !== "stdout")).toEqual([
      { kind: "init", ts: "T", model: "smart", sessionId: ":session/paperclip-run-1" },
      { kind: "assistant", ts: "T", text: "I look.\n", delta: true },
      { kind: "tool_call", ts: "T", name: "read", input: { path: "a" }, toolUseId: "call-1" },
      { kind: "tool_result", ts: "T", toolUseId: "call-1", toolName: "read", content: "text of a", isError: false },
      { kind: "assistant", ts: "T", text: "All is done.\n", delta: true },
      {
        ...{ kind: "result" as const, ts: "T", text: "All is done.", inputTokens: 150, outputTokens: 25 },
        ...{ cachedTokens: 60, costUsd: 0.03, subtype: "done", isError: false, errors: [] },
      },
    ])
  })
})

test("execute uses Paperclip's default prompt, and keeps the user's own API key", async () => {
  const ctx = host.context("works", { authToken: "jwt", config: { env: { PAPERCLIP_API_KEY: "own" } } })
  await execute(ctx)
  const { argv, env } = host.seen(ctx)
  expect(argv).toContain('prompt="You are agent agent-1 (Ada). Continue your Paperclip work."')
  expect(env.PAPERCLIP_API_KEY).toBe("own")
})

test("execute prefers taskId and wakeCommentId to issueId and commentId, and the user's env to both", async () => {
  const context = { taskId: "task", issueId: "issue", wakeCommentId: "wake", commentId: "comment", issueIds: [] }
  const ctx = host.context("works", { context, config: { env: { PAPERCLIP_RUN_ID: "own" } } })
  await execute(ctx)
  const { env } = host.seen(ctx)
  expect(env).toMatchObject({ PAPERCLIP_TASK_ID: "task", PAPERCLIP_WAKE_COMMENT_ID: "wake", PAPERCLIP_RUN_ID: "own" })
  for (const absent of ["LINKED_ISSUE_IDS", "APPROVAL_ID", "APPROVAL_STATUS", "WAKE_REASON", "API_KEY"]) {
    expect(env).not.toHaveProperty(`PAPERCLIP_${absent}`)
  }
})

test("execute renders every variable of the template; unknown ones are empty", async () => {
  const promptTemplate =
    "{{agentId}} {{companyId}} {{runId}} {{company.id}} {{agent.name}} {{run.id}} {{context.wakeReason}} [{{context.none}}]"
  const ctx = host.context("works", { context: { wakeReason: "assigned" }, config: { promptTemplate } })
  await execute(ctx)
  const { runId } = ctx
  expect(ctx.metas[0]?.prompt).toBe(`agent-1 company-1 ${runId} company-1 Ada ${runId} assigned []`)
})

test("execute reports the invocation before it starts the process", async () => {
  const order: string[] = []
  const ctx = host.context("works", {
    onMeta: async () => void order.push("meta"),
    onCancellationReady: async () => void order.push("ready"),
    onSpawn: async () => void order.push("spawned"),
  })
  await execute(ctx)
  expect(order).toEqual(["meta", "ready", "spawned"])
})

test("execute treats settings of the wrong type as missing", async () => {
  const junk = {
    model: 7,
    backend: [],
    promptTemplate: {},
    params: 3,
    extraArgs: { a: 1 },
    env: [1],
    timeoutSec: "soon",
  }
  const ctx = host.context("works", { config: { ...junk, graceSec: null, workDir: 1, input: false } })
  expect(await execute(ctx)).toMatchObject({ exitCode: 0, summary: "All is done." })
  expect(host.seen(ctx).argv).not.toContain("--model")
})

test("execute keeps rows below 8 KiB", async () => {
  const ctx = host.context("long")
  expect(await execute(ctx)).toMatchObject({ exitCode: 0 })
  expect(ctx.log.filter(({ chunk }) => Buffer.byteLength(chunk) >= 8192)).toEqual([])
  expect(ctx.log.some(({ chunk }) => chunk.includes("[9") && chunk.includes("more]"))).toBe(true)
})

test("execute logs streamed text once and by whole lines, so that the host sees a secret in one piece", async () => {
  const ctx = host.context("streams")
  const { summary } = await execute(ctx)
  expect(summary).toContain("Now I write.")
  const replies = ctx.log.map(({ chunk }) => chunk.trimStart()).filter(chunk => chunk.startsWith("planner │"))
  expect(replies.length).toBeLessThan(4)
  expect(replies.join("")).toBe(
    [
      "planner │ I look at the plan first.\n",
      "planner │ It needs Authorization: Bearer abcdefghijklmnop1234 to go on.\n",
      "planner │ Now I write.\n",
    ].join(""),
  )
})

test("execute begins a line where the host's redaction may have taken the last line's end", async () => {
  const ctx = host.context("streams")
  await execute(ctx)
  const chunks = ctx.log.map(({ chunk }) => chunk)
  const secret = chunks.findIndex(chunk => chunk.includes("Bearer"))
  expect(chunks[secret + 1]).toStartWith("\n")
  expect(chunks.filter((_, index) => index !== secret + 1).filter(chunk => chunk.startsWith("\n"))).toEqual([])
})

describe("execute reports a failure", () => {
  test.each([
    ["fails", "escapement_chart_error", 1, /The chart fails failed: state planning failed\./],
    ["usage", "escapement_usage_error", 2, /rejected its arguments: Unknown option: --nonsense/],
    ["silent", "escapement_output_unreadable", 0, /no readable transcript/],
    ["asks", "escapement_asks_person", 1, /asked a question that nobody can answer here: Ship it\?/],
    ["aborts", "escapement_chart_error", 0, /ended as aborted: budget/],
    ["killed", "escapement_killed", null, /killed by SIGKILL\. Check/],
    ["mutters", "escapement_killed", null, /killed by SIGKILL\. Its words: a warning\. Check/],
    ["unresolved", "escapement_chart_error", 1, /failed\. Its words: Could not locate my\/team\. Its output/],
    ["keyless", "escapement_chart_error", 1, /failed\. Its words: Error: no LLM backend configured\. Its output/],
    ["unsaid", "escapement_failed", 3, /exited with code 3\. Read its stderr\./],
  ])("%s", async (chart, errorCode, exitCode, message) => {
    const result = await execute(host.context(chart))
    expect(result).toMatchObject({ errorCode, exitCode, errorMessage: expect.stringMatching(message) })
    expect(result.errorMeta?.hint).toMatch(/^[A-Z].*\.$/s)
    expect(result.resultJson).toMatchObject({ stdout: expect.any(String), stderr: expect.any(String) })
  })

  test("with the raw output if nothing can be parsed, and the question if one is open", async () => {
    const silent = await execute(host.context("silent"))
    expect(silent.resultJson?.stdout).toBe("nothing that anybody could read\n")
    expect(silent.sessionParams).toBeNull()
    const confirmed = [
      { key: "true", label: "Yes" },
      { key: "false", label: "No" },
    ]
    expect((await execute(host.context("asks"))).question).toEqual({ prompt: "Ship it?", choices: confirmed })
    const options = [
      { key: "a", label: "a" },
      { key: "2", label: "B" },
    ]
    expect((await execute(host.context("selects"))).question).toEqual({ prompt: "Which?", choices: options })
  })

  const cases: readonly [string, Partial<AdapterExecutionContext>, string][] = [
    ["no such command", { config: { command: join(host.cwd, "none/escapement") } }, "escapement_not_installed"],
    ["no chart", { config: { chart: "" } }, "escapement_chart_missing"],
    ["a chart that is a flag", { config: { chart: "--debug" } }, "escapement_chart_invalid"],
    ["a parameter without =", { config: { params: "tier gold\nx=1" } }, "escapement_param_invalid"],
    ["an invalid parameter name", { config: { params: { "-x": 1 } } }, "escapement_param_invalid"],
    ["no such directory", { config: { cwd: join(host.cwd, "none") } }, "escapement_cwd_invalid"],
    ["no such instructions", { config: { instructionsFilePath: "nowhere.md" } }, "escapement_instructions_unreadable"],
    ["a prompt too long", { config: { promptTemplate: "é".repeat(60_000) } }, "escapement_prompt_too_long"],
    ["a sandbox", { executionTarget: SANDBOX }, "escapement_remote_target"],
    ["a remote target of old", { executionTransport: { remoteExecution: { host: "h" } } }, "escapement_remote_target"],
  ]
  test.each(cases)("%s, and starts nothing", async (_, more, errorCode) => {
    const ctx = host.context("works", more)
    const result = await execute(ctx)
    expect(result).toMatchObject({ exitCode: null, timedOut: false, errorCode, errorMessage: expect.any(String) })
    expect(result.errorMeta?.hint).toMatch(/^[A-Z].*\.$/s)
    expect(ctx.pids).toEqual([])
  })

  test("a parameter without = in words", async () => {
    for (const params of ["tier gold\nmode: fast\nx=1", "x=1\n\n  tier gold  "]) {
      const { errorMessage } = await execute(host.context("works", { config: { params } }))
      expect(errorMessage).toStartWith("Write key=value: tier gold.")
    }
  })

  test("so that the host tries again if the provider was overloaded or out of quota, and else does not", async () => {
    const told: unknown[] = []
    for (const chart of ["overloads", "refused", "fails", "gives up", "breaks", "aborts"]) {
      const { errorCode, errorFamily, executionRecovery } = await execute(host.context(chart))
      expect(errorCode).toBe("escapement_chart_error")
      told.push([errorFamily, executionRecovery])
    }
    // Only a run that has done nothing may be repeated.
    const safe = { kind: "bootstrap", providerWorkStarted: false }
    const nothing = [undefined, undefined]
    expect(told).toEqual([
      ...[
        ["transient_upstream", safe],
        ["transient_upstream", safe],
        ["provider_quota", safe],
      ],
      ...[["transient_upstream", undefined], nothing, nothing],
    ])
  })

  test("a missing command by its path, with a hint", async () => {
    const command = join(host.cwd, "none/escapement")
    const { errorMessage, errorMeta } = await execute(host.context("works", { config: { command } }))
    expect(errorMessage).toContain(command)
    expect(String(errorMeta?.hint)).toMatch(/^Install/)
  })

  test("but logs an incomplete last row of a successful run", async () => {
    const ctx = host.context("incomplete")
    expect(await execute(ctx)).toMatchObject({ exitCode: 0, summary: "All is done." })
    expect(parseStdoutLine(ctx.log.at(-1)?.chunk ?? "", "T")).toBeArray()
    const row = ctx.log.map(({ chunk }) => chunk.trimEnd()).find(chunk => chunk.includes("half a w")) ?? ""
    expect(parseStdoutLine(row, "T")).toEqual([{ kind: "stdout", ts: "T", text: expect.stringMatching(/half a w$/) }])
  })
})

test("execute ignores a transcript that links out of the work directory", async () => {
  const ctx = host.context("links", { config: { workDir: "deep/sessions" } })
  expect(await execute(ctx)).toMatchObject({ errorCode: "escapement_output_unreadable" })
  expect(ctx.log.filter(({ chunk }) => chunk.startsWith("run ▸"))).toEqual([])
})

test("execute survives a failing log and a failing onSpawn", async () => {
  const refuse = () => Promise.reject(new Error("no"))
  expect(await execute(host.context("works", { onLog: refuse, onSpawn: refuse }))).toMatchObject({
    summary: "All is done.",
  })
})

describe("execute ends the whole process group", () => {
  async function gone(ctx: Context): Promise<void> {
    expect(await isAlive(ctx.pids[0] ?? 0)).toBe(false)
    expect(await isAlive(Number(await Bun.file(host.fileOf(ctx, "grandchild.pid")).text()))).toBe(false)
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

  test("on a cancel, even if the agent ignores SIGTERM", async () => {
    const controller = new AbortController()
    const ready: string[] = []
    const ctx = host.context("deaf", {
      config: { graceSec: 0.2 },
      signal: controller.signal,
      onCancellationReady: async () => void ready.push("ready"),
    })
    const running = execute(ctx)
    await until(
      () =>
        ctx.log.some(({ chunk }) => chunk.includes("a turn with")) &&
        Bun.file(host.fileOf(ctx, "grandchild.pid")).exists(),
    )
    expect(ready).toEqual(["ready"])
    controller.abort()
    const acknowledged = { executionCancellation: { state: "acknowledged", forced: true } }
    const ended = { errorCode: "cancelled", timedOut: false, signal: "SIGKILL", resultJson: acknowledged }
    expect(await running).toMatchObject(ended)
    await gone(ctx)
  })

  test("on a cancel, and gives an agent that tidies up the whole grace", async () => {
    const controller = new AbortController()
    const ctx = host.context("tidies", { config: { graceSec: 20 }, signal: controller.signal })
    const running = execute(ctx)
    await until(() => Bun.file(host.fileOf(ctx, "ready")).exists())
    controller.abort()
    const acknowledged = { executionCancellation: { state: "acknowledged", forced: false } }
    expect(await running).toMatchObject({ exitCode: 0, signal: null, resultJson: acknowledged })
    expect(await Bun.file(host.fileOf(ctx, "tidied")).exists()).toBe(true)
    expect(await isAlive(ctx.pids[0] ?? 0)).toBe(false)
  })

  test("when the agent exits but a child holds its output", async () => {
    const ctx = host.context("leaves")
    expect(await execute(ctx)).toMatchObject({ exitCode: 0, summary: "All is done." })
    await gone(ctx)
  })

  test("and does not start after an early cancel", async () => {
    const ctx = host.context("hangs", { signal: AbortSignal.abort() })
    const resultJson = { executionCancellation: { state: "acknowledged", forced: false } }
    expect(await execute(ctx)).toMatchObject({ errorCode: "cancelled", exitCode: null, resultJson })
    expect(ctx.pids).toEqual([])
  })
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
  const ctx = host.context("works", { config: { paperclipRuntimeSkills: [{ key, runtimeName: "paperclip", source }] } })
  await execute(ctx)
  const found = readFileSync(host.fileOf(ctx, "skills.json"), "utf8")
  expect(JSON.parse(found)).toEqual(["paperclip/SKILL.md"])
  expect(await readdir(temporary)).toEqual([])
  expect(readFileSync(join(source, "SKILL.md"), "utf8")).toBe("how to")
  expect((await readdir(host.cwd)).sort()).toEqual([".escapement", "bin", "deep", "skills"])
  expect(ctx.metas[0]?.prompt).not.toContain("how to")
  // Of two skills with one name the first is linked; a failing run removes its links too.
  const two = [source, join(host.cwd, "elsewhere")].map((from, i) => ({
    ...{ key: `${key}-${i}`, runtimeName: "paperclip", source: from },
  }))
  expect(await execute(host.context("fails", { config: { paperclipRuntimeSkills: two } }))).toMatchObject({
    exitCode: 1,
  })
  expect(await readdir(temporary)).toEqual([])
  // The user's own variable goes before ours.
  const linked = { paperclipRuntimeSkills: [{ key, runtimeName: "paperclip", source }] }
  const own = host.context("works", { config: { ...linked, env: { PAPERCLIP_SKILLS_DIR: source } } })
  await execute(own)
  expect(host.seen(`paperclip-${own.runId}`).env.PAPERCLIP_SKILLS_DIR).toBe(source)
})
