// Tests `check`: a line for each finding with its place, JSON, JUnit, limits and exit codes.
import { beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../../fixtures.ts"
import { fileScratch } from "../../scratch.ts"
import { sidecarHere as sidecar } from "../called.ts"

const coder = { invokeid: "coder", "session-id": "c" }
const good = [
  { event: "runner/started", ts: 0, data: {} },
  { event: "runner/event-processed", ts: 10, data: { entered: ["coding"], "config-after": ["coding"] } },
  { event: "llm/start", ts: 20, data: coder },
  { event: "llm/response", ts: 2000, data: { ...coder, content: [{ type: "text", text: "done" }] } },
  { event: "runner/done", ts: 2010, data: { status: "done" } },
]
const bad = [
  ...good.slice(0, 3),
  { event: "llm/tool-result", ts: 1000, data: { ...coder, tool: "run <tests>", "is-error": true } },
  { event: "llm/response", ts: 95_000, data: { ...coder, content: [], "stop-reason": "max_tokens" } },
  { event: "runner/error", ts: 95_010, data: { message: "no \u001b[2J& way" } },
]

const scratch = fileScratch()
beforeAll(async () => {
  const put = (name: string, rows: readonly object[]) =>
    Bun.write(
      join(scratch, name),
      rows.map((row, seq) => `${JSON.stringify({ kind: "event", seq, ...row })}\n`).join(""),
    )
  await put("good.jsonl", good)
  await put("bad.jsonl", bad)
  const delta = { event: "llm/delta", ts: 5000, data: { ...coder, type: "text-delta", text: "late" } }
  await put("odd.jsonl", [
    ...good.slice(0, 1),
    { event: "llm/error", ts: 5, data: coder },
    delta,
    { event: "app/note" },
  ])
})

const check = (...args: readonly string[]) => sidecar(["check", ...args], { cwd: scratch })

test("a finding has the time of what it follows, and no turn where none has begun", async () => {
  const { out } = await check("odd.jsonl", "--duration", "2")
  expect(out.replace(/ {2,}/g, "  ").split("\n").slice(0, 2)).toEqual([
    "odd.jsonl:2  +00:00.005  coder  error  llm/error",
    "odd.jsonl:4  +00:05.000  run  duration  took over 2 s, 5 s in all",
  ])
})

test("the findings of the failing run are those of its truth", async () => {
  const { out } = await check(join(root, "fixtures/failing-run"), "--as", "json", "--reach", "deployed")
  type Found = { kind: string; who: string; turn: number | null; at: { ts: number } }
  const found: readonly Found[] = JSON.parse(out)[0].findings
  const began = 1_000 * Math.floor((found[0]?.at.ts ?? 0) / 1000) - 36_000
  expect(found.map(({ kind, who, turn, at }) => [kind, who, turn, at.ts - began])).toEqual([
    ["growth", "coder 2", 2, 36_300],
    ["failed-tool", "coder 2", 2, 36_500],
    ["error", "coder 2", 3, 41_100],
    ["truncated", "coder 2", 4, 48_000],
    ["context", "coder 2", 4, 48_005],
    ["refused", "deployer", 1, 81_300],
    ["error", "run", null, 81_400],
    ["unreached", "run", null, 81_450],
  ])
})

test("the place, turn and words of a finding belong together, and its worst has a place of its own", async () => {
  const run = join(root, "fixtures/failing-run")
  const { out } = await check(run, "--prices", join(run, "prices.json"), "--as", "json")
  const found: readonly { kind: string }[] = JSON.parse(out)[0].findings
  const context = found.find(({ kind }) => kind === "context")
  const lines = (await Bun.file(join(run, "transcript.jsonl")).text()).split("\n")
  const lineOf = (words: string) => lines.findIndex(line => line.includes(words)) + 1
  expect(context).toMatchObject({
    turn: 2,
    at: { line: lineOf('"input-tokens":16400') },
    worst: { turn: 4, at: { line: lineOf('"input-tokens":17000') } },
  })
})

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
