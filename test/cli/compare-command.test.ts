// Tests `compare`, on hand-made recordings: differences and the first divergence.
import { beforeAll, expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { sidecarHere as sidecar } from "./called.ts"

const poet = { invokeid: "poet", "session-id": "p" }

/** A run that spends 10 s in each of these states, replies once, and retries this many times. */
function run(states: readonly string[], retries: number): readonly object[] {
  const rows: object[] = [{ event: "llm/start", ts: 0, data: poet }]
  for (let i = 0; i < retries; i++) rows.push({ event: "llm/retry", ts: 1000, data: { ...poet, attempt: i + 1 } })
  rows.push({ event: "llm/response", ts: 2000, data: { ...poet, content: [], usage: { "output-tokens": 1200 } } })
  for (const [i, state] of states.entries())
    rows.push({
      event: "runner/event-processed",
      ts: 10_000 * i,
      data: { entered: [state], exited: [], "config-after": [state] },
    })
  rows.push({ event: "runner/done", ts: 10_000 * states.length, data: { "final-config": states.slice(-1) } })
  return rows.map((row, seq) => ({ kind: "event", seq, ...row }))
}

const scratch = fileScratch()
beforeAll(async () => {
  const put = (name: string, rows: readonly object[]) =>
    Bun.write(join(scratch, name), rows.map(row => `${JSON.stringify(row)}\n`).join(""))
  await put("one.jsonl", run(["plan", "write", "judge"], 0))
  await put("other.jsonl", run(["plan", "draft", "judge", "done"], 2))
  await mkdir(join(scratch, "session"))
  await put("session/transcript.jsonl", run(["plan", "write", "judge"], 0))
})

const compare = (...args: string[]) => sidecar(["compare", ...args], { cwd: scratch })

test("compare shows the first turn that differs in a session, with its prompt or reply", async () => {
  const run = (texts: readonly string[]) =>
    texts
      .flatMap(text => [
        { event: "llm/start", data: poet },
        { event: "llm/response", data: { ...poet, content: [{ type: "text", text }], usage: { "output-tokens": 9 } } },
      ])
      .map((row, seq) => JSON.stringify({ kind: "event", seq, ts: 1000 * seq, ...row }))
      .join("\n")
  await Bun.write(join(scratch, "a.jsonl"), run(["The same.", "Then it rains.", "More."]))
  await Bun.write(join(scratch, "b.jsonl"), run(["The same.", "Then it \u001b[31msnows.", "More."]))
  await Bun.write(join(scratch, "c.jsonl"), run(["The same.", "Then it rains."]))
  const { code, out } = await compare("a.jsonl", "b.jsonl")
  expect(out.split("\n").filter(one => /^[!≠]/.test(one))).toEqual([
    "≠ poet          turn 2 reply: Then it rains.  turn 2 reply: Then it ␛[31msnows.  first divergence",
  ])
  expect(code).toBe(1)
  const shorter = await compare("a.jsonl", "c.jsonl")
  expect(shorter.out).toMatch(/^≠ poet +turn 3: 3 turns +turn 3: 2 turns {2}first divergence$/m)
})

test("compare shows the figures of the ledger, also of each state and model, within 80 columns", async () => {
  const failing = join(root, "fixtures/failing-run")
  const rows = (await Bun.file(join(failing, "transcript.jsonl")).text()).split("\n")
  // Until coder 2 has read the file: the planner, coder 1, the reviewer, and two turns of coder 2.
  const until = rows.findIndex(row => row.includes("human-input/start"))
  await Bun.write(join(scratch, "part.jsonl"), rows.slice(0, until).join("\n"))
  const { out } = await compare("--prices", join(failing, "prices.json"), failing, "part.jsonl")
  for (const row of [
    /^! cost +\$0\.3053\+ +\$0\.3022\+$/m,
    /^! requests +11 +10$/m,
    /^! in +65,000 +63,200$/m,
    /^ {2}thought +360 +360$/m,
    /^ {2}first tok +1\.3s +1\.3s$/m,
    /^ {2}failed +1 +1$/m,
    /^! people +31s +–$/m,
    /^ {2}by state +in +out +cost +in +out +cost$/m,
    /^ {2}coding +50,400 +1,376 +\$0\.0937\+ +50,400 +1,376 +\$0\.0937\+$/m,
    /^! deploying +1,800 +40 +\$0\.0031 +– +– +–$/m,
    /^ {2}opal\/opal-large +12,800 +1,120 +\$0\.2085 +12,800 +1,120 +\$0\.2085$/m,
    /^! birch-1 +1,800 +40 +\$0\.0031 +– +– +–$/m,
  ])
    expect(out).toMatch(row)
  await Bun.write(join(scratch, "cut.jsonl"), rows.slice(0, until - 20).join("\n"))
  const short = await compare("--prices", join(failing, "prices.json"), "cut.jsonl", "part.jsonl")
  const parts = short.out.split("\n").filter(row => row.includes("$") || row.includes("  in  "))
  expect(parts.length).toBeGreaterThan(5)
  expect(Math.max(...parts.map(row => row.length))).toBeLessThanOrEqual(80)
})

test("compare finds a recording equal to its session directory", async () => {
  const { code, out } = await compare("one.jsonl", "session")
  expect(out).not.toMatch(/^[!≠]/m)
  expect(out).toContain("one.jsonl   session")
  expect(code).toBe(0)
})

test("compare sets off a name that is wider than its column from what follows it", async () => {
  const data = { ...poet, invokeid: "poet-of-the-long-name" }
  await Bun.write(join(scratch, "long.jsonl"), JSON.stringify({ event: "llm/start", data }))
  expect((await compare("long.jsonl", "one.jsonl")).out).toContain("\n! poet-of-the-long… 1 turn ")
})
