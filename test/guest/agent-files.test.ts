// Tests when the files of subagents are read.
import { expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AgentFiles } from "../../src/guest/agent-files.ts"
import { fileScratch } from "../scratch.ts"

test("a subagent whose file is still empty when it is found is read once it is written", async () => {
  const agents = join(fileScratch(), "s/agents")
  const log = join(agents, "main/wire.jsonl")
  const own = join(agents, "a1/wire.jsonl")
  for (const name of ["main", "a1"]) mkdirSync(join(agents, name), { recursive: true })
  for (const path of [log, own]) writeFileSync(path, "")
  const files = new AgentFiles(log, fileScratch())
  await files.read()
  expect(files.areWaiting).toBe(false)
  writeFileSync(own, '{"profileName":"coder","time":1700000000000}\n')
  await files.read()
  mkdirSync(join(agents, "a2/wire.jsonl"), { recursive: true })
  await files.read()
  expect(files.until(Number.POSITIVE_INFINITY).map(({ text }) => text)).toEqual([
    '{"opentui-sidecar/agent":"a1","agentType":"coder","type":"opentui-sidecar/agent","timestamp":1700000000000}',
    '{"opentui-sidecar/agent":"a1","profileName":"coder","time":1700000000000}',
  ])
  await files.close()
})

test("a subagent of Claude Code of which no file tells what it is has the id in its own file's name", async () => {
  const log = join(fileScratch(), "s.jsonl")
  const agents = join(log.replace(".jsonl", ""), "subagents")
  mkdirSync(agents, { recursive: true })
  writeFileSync(join(agents, "agent-a1.jsonl"), '{"type":"user"}\n')
  const files = new AgentFiles(log, fileScratch())
  await files.read()
  expect(JSON.parse(files.until(0).at(0)?.text ?? "")).toMatchObject({ agentId: "a1", sessionId: "s" })
  await files.close()
})
