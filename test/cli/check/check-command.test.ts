// Keeps what `check` finds and how it tells it, and tests that it tells no likely secret, in any format.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../../fixtures.ts"
import { fileScratch } from "../../scratch.ts"
import { called, lines, sidecarHere as sidecar } from "../called.ts"

const { checked } = await Bun.file(join(root, "fixtures/scripts/calls-told.json")).json()
const told = (line: string) => called(line, join(root, "fixtures"))
test.each(lines(...checked))("%s", async line => expect(await told(line)).toMatchSnapshot())

const coder = { invokeid: "coder", "session-id": "c" }
const scratch = fileScratch()
const check = (...args: readonly string[]) => sidecar(["check", ...args], { cwd: scratch })

test("likely secrets are removed in every format and counted, unless they shall stay", async () => {
  const key = "sk-0123456789abcdefgh"
  const call = { type: "tool_use", name: "login", input: { password: "hunter2!", user: "ada" } }
  const rows = [
    { event: "llm/start", ts: 0, data: coder },
    ...[1, 2, 3].map(ts => ({ event: "llm/response", ts, data: { ...coder, content: [call] } })),
    { event: "llm/error", ts: 4, data: { ...coder, message: `401: ${key} is no key` } },
  ]
  const lines = rows.map((row, seq) => `${JSON.stringify({ kind: "event", seq, ...row })}\n`)
  await Bun.write(join(scratch, "secret.jsonl"), lines.join(""))
  for (const format of ["text", "json", "junit"]) {
    const { code, out, err } = await check("secret.jsonl", "--as", format)
    expect([code, err]).toEqual([1, "opentui-sidecar check: redacted 2 likely secrets: 1 password, 1 API key\n"])
    expect(out).toContain("[redacted password]")
    expect(out).toContain("401: [redacted API key] is no key")
    expect(out).not.toMatch(/hunter2|sk-0123/)
  }
  const kept = await check("secret.jsonl", "--no-redact")
  expect(kept.err).toBe("")
  expect(kept.out).toContain(key)
})

test("findings beyond those that are kept are counted", async () => {
  const errors = Array.from(
    { length: 1001 },
    (_, n) => `{"event":"llm/error","data":{"invokeid":"c","session-id":"s${n}","message":"m"}}\n`,
  )
  await Bun.write(join(scratch, "many.jsonl"), errors.join(""))
  const { out } = await check("many.jsonl")
  expect(out.split("\n").slice(-3)).toEqual(["many.jsonl: and 1 finding more", "1 run checked: 1,001 findings", ""])
})
