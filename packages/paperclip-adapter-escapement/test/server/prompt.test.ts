// Tests what a chart is told: its prompt, and what the host gives its own agents beside that.
import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createServerAdapter } from "../../src/index.ts"
import { ednString } from "../../src/server/prompt.ts"
import { openHost } from "../host.ts"

const host = openHost()
const { execute } = createServerAdapter()

const WAKE = {
  reason: "issue_commented",
  issue: { id: "i-1", identifier: "SNO-1", title: "Snow", description: "Count the flakes.", workMode: "planning" },
}

test("execute gives a chart what the host gives its own: connection tools, the wake and the issue's mode", async () => {
  const server = { mcpEndpoint: "http://127.0.0.1/mcp", bearerToken: "t0ken", expiresAt: "2026-11-22T02:00:00Z" }
  const rest = { connectionsSearch: "http://s", connectionRequest: "http://r" }
  const tools = ["connections_search", "connection_request"] as const
  const runtimeTools = { version: 1 as const, ...server, rest, tools, guidance: "Ask." }
  const ctx = host.context("works", { context: { paperclipWake: WAKE }, runtimeTools })
  await execute(ctx)
  const env = host.seen(ctx).env
  expect(env).toMatchObject({
    ...{ PAPERCLIP_RUNTIME_TOOLS_MCP_URL: "http://127.0.0.1/mcp", PAPERCLIP_RUNTIME_TOOLS_TOKEN: "t0ken" },
    ...{ PAPERCLIP_RUNTIME_TOOLS_AVAILABLE: tools.join(","), PAPERCLIP_ISSUE_WORK_MODE: "planning" },
  })
  expect(JSON.parse(env.PAPERCLIP_WAKE_PAYLOAD_JSON ?? "")).toMatchObject({ reason: "issue_commented" })
  expect(ctx.metas[0]?.env).toMatchObject({ PAPERCLIP_RUNTIME_TOOLS_TOKEN: "***REDACTED***", HOME: process.env.HOME })
})

test("execute starts although the wake's payload is longer than a variable may be, and leaves that out", async () => {
  const paperclipWake = { ...WAKE, issue: { ...WAKE.issue, description: "é".repeat(70_000) } }
  const ctx = host.context("works", { context: { paperclipWake, paperclipTaskMarkdown: "Brief." } })
  expect(await execute(ctx)).toMatchObject({ exitCode: 0 })
  expect(host.seen(ctx).env).not.toHaveProperty("PAPERCLIP_WAKE_PAYLOAD_JSON")
})

test("execute uses the host's prompt of a conversation, and says the host's contract if no instructions do", async () => {
  const promptOf = async (context: object, config: object = {}) => {
    const ctx = host.context("works", { context: { ...context }, config: { ...config } })
    await execute(ctx)
    return ctx.metas[0]?.prompt ?? ""
  }
  const conversation = await promptOf({ conversationMode: true, paperclipTaskMarkdown: "# Chat\nAnswer." })
  expect(conversation).toStartWith("You are agent agent-1 (Ada). Continue your Paperclip conversation")
  expect(conversation).toEndWith("# Chat\nAnswer.")
  const instructionsFilePath = join(host.cwd, "bin/AGENTS.md")
  writeFileSync(instructionsFilePath, "Be kind.")
  const contract = "Execution contract"
  const woken = await promptOf({ paperclipWake: WAKE })
  for (const part of [contract, "Count the flakes."]) expect(woken).toContain(part)
  const instructed = await promptOf({ paperclipWake: WAKE, paperclipTaskMarkdown: "Brief." }, { instructionsFilePath })
  expect(instructed).toStartWith("Be kind.\n\nYou are agent agent-1 (Ada). Continue your Paperclip work.")
  expect(instructed).not.toContain(contract)
  expect(instructed).not.toContain("Count the flakes.")
  writeFileSync(instructionsFilePath, "x".repeat(40_000))
  expect(/^x*/.exec(await promptOf({}, { instructionsFilePath }))?.[0]).toHaveLength(32 * 1024)
  expect(await promptOf({ paperclipSessionHandoffMarkdown: "You had counted to 3." })).toEndWith(
    "You had counted to 3.",
  )
})

test("execute tells a resumed session what is new, and the session that takes its place everything", async () => {
  const runtime = { sessionId: "gone", sessionParams: null, sessionDisplayId: null, taskKey: null }
  const task = { paperclipTaskMarkdown: "All of it.", paperclipTaskMarkdownCompact: "In short." }
  const ctx = host.context("works", { context: { paperclipWake: WAKE, ...task }, runtime })
  await execute(ctx)
  const told = ctx.metas.map(({ prompt = "" }) => [/^## .*/m.exec(prompt)?.[0], prompt.split("\n").at(-1)])
  expect(told).toEqual([
    ["## Paperclip Resume Delta", "In short."],
    ["## Paperclip Wake Payload", "All of it."],
  ])
})

test("ednString escapes a prompt", () => {
  expect(ednString('a "b" \\ c\r\n\td\0')).toBe('"a \\"b\\" \\\\ c\\r\\n\\td\\u0000"')
})
