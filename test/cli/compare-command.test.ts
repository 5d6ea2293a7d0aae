// Keeps what `compare` prints of hand-made recordings: differences and the first divergence.
import { beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { called } from "./called.ts"

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

/** A run whose turns end with these replies. */
const replies = (texts: readonly string[]): readonly object[] =>
  texts
    .flatMap(text => [
      { event: "llm/start", data: poet },
      { event: "llm/response", data: { ...poet, content: [{ type: "text", text }], usage: { "output-tokens": 9 } } },
    ])
    .map((row, seq) => ({ kind: "event", seq, ts: 1000 * seq, ...row }))

const scratch = fileScratch()
const failing = join(root, "fixtures/failing-run")
beforeAll(async () => {
  const put = (name: string, rows: readonly object[]) =>
    Bun.write(join(scratch, name), rows.map(row => `${JSON.stringify(row)}\n`).join(""))
  await put("one.jsonl", run(["plan", "write", "judge"], 0))
  await put("other.jsonl", run(["plan", "draft", "judge", "done"], 2))
  await put("session/transcript.jsonl", run(["plan", "write", "judge"], 0))
  await put("a.jsonl", replies(["The same.", "Then it rains.", "More."]))
  await put("b.jsonl", replies(["The same.", "Then it \u001b[31msnows.", "More."]))
  await put("c.jsonl", replies(["The same.", "Then it rains."]))
  await put("long.jsonl", [{ event: "llm/start", data: { ...poet, invokeid: "poet-of-the-long-name" } }])
  const many = (text: string) =>
    Array.from({ length: 22 }, (_, i) => {
      const ids = { invokeid: "poet", "session-id": `s${i}` }
      return [
        { event: "llm/start", data: ids },
        { event: "llm/response", data: { ...ids, content: [{ type: "text", text }] } },
      ]
    }).flat()
  await put("many.jsonl", many("so"))
  await put("more.jsonl", many("otherwise"))
  const rows = (await Bun.file(join(failing, "transcript.jsonl")).text()).split("\n")
  // Until coder 2 has read the file: the planner, coder 1, the reviewer, and two turns of coder 2.
  const until = rows.findIndex(row => row.includes("human-input/start"))
  await Bun.write(join(scratch, "part.jsonl"), rows.slice(0, until).join("\n"))
  await Bun.write(join(scratch, "cut.jsonl"), rows.slice(0, until - 20).join("\n"))
})

test.each([
  ["the first turn that differs in a session, with its reply", "a.jsonl b.jsonl"],
  ["how many turns a session has where that differs", "a.jsonl c.jsonl"],
  ["states of which one differs, and where they part", "one.jsonl other.jsonl"],
  ["no difference of a recording and its session directory", "one.jsonl session"],
  ["a name that is wider than its column apart from what follows it", "long.jsonl one.jsonl"],
  ["the first 20 sessions that differ, and how many more do", "many.jsonl more.jsonl"],
  ["the figures of the ledger, also of each state and model", "FAILING part.jsonl --prices FAILING/prices.json"],
  [
    "many runs in a table with their shares, and a cost that lacks a part",
    "one.jsonl a.jsonl FAILING --prices FAILING/prices.json",
  ],
])("compare shows %s", async (_, line) => {
  expect(await called(`compare ${line.replaceAll("FAILING", failing)}`, scratch)).toMatchSnapshot()
})

test("the rows of states and models fit into 80 columns", async () => {
  const out = await called(`compare --prices ${failing}/prices.json cut.jsonl part.jsonl`, scratch)
  const parts = out.split("\n").filter(row => row.includes("$") || row.includes("  in  "))
  expect(parts.length).toBeGreaterThan(5)
  expect(Math.max(...parts.map(row => row.length))).toBeLessThanOrEqual(80)
})
