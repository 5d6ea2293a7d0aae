// Compares what the viewer shows as a run's tokens with what the run's own results say, for each published parser.
import { describe, expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { documentOf } from "../../src/export/document.ts"
import { FrameWriter } from "../../src/guest/frame-writer.ts"
import { report } from "../../src/run/select/report.ts"
import { textsInMemory } from "../../src/run/select/run-texts.ts"
import { show } from "../screen/screen.tsx"
import { parserOf, printed, runFrom } from "./reading.ts"
import { isServerParser, serverModules, withServerParser } from "./server-parsers.ts"

const EXPORT = { title: "t", session: null, picked: false, redactor: null, read: null, recall: null }

const claude = (usage: object, more: object = {}) => ({ type: "result", subtype: "success", usage, ...more })
const says = (text: string) => ({ type: "assistant", message: { content: [{ type: "text", text }] } })
const streams = (delta: string) => ({ type: "message_update", assistantMessageEvent: { type: "text_delta", delta } })

/** The agent, its parser, its lines, and the tokens that its results add up to. */
const RUNS: readonly (readonly [
  name: string,
  parser: string,
  lines: readonly (object | string)[],
  input: number,
  output: number,
])[] = [
  [
    "claude",
    "@paperclipai/adapter-claude-local",
    [
      { type: "system", subtype: "init", model: "opus", session_id: "s" },
      says("One."),
      claude({ input_tokens: 900, output_tokens: 41 }),
    ],
    900,
    41,
  ],
  [
    "codex, three turns",
    "@paperclipai/adapter-codex-local",
    [100, 50, 7].flatMap(output => [
      { type: "turn.started" },
      { type: "item.completed", item: { type: "agent_message", text: "Done." } },
      { type: "turn.completed", usage: { input_tokens: 10, output_tokens: output } },
    ]),
    30,
    157,
  ],
  [
    "codex, a turn that fails after one that did not",
    "@paperclipai/adapter-codex-local",
    [
      { type: "turn.completed", usage: { input_tokens: 300, output_tokens: 122 } },
      { type: "turn.failed", error: { message: "no credit" } },
    ],
    300,
    122,
  ],
  [
    "gemini",
    "@paperclipai/adapter-gemini-local",
    [
      { type: "message", role: "assistant", content: "One.", delta: true },
      { type: "result", status: "success", stats: { input_tokens: 70, output_tokens: 9 } },
    ],
    70,
    9,
  ],
  [
    "pi, with more deltas than tokens",
    "@paperclipai/adapter-pi-local",
    [
      ...["a", "b", "c", "d", "e", "f"].map(streams),
      { type: "tool_execution_start", toolCallId: "t", toolName: "read", args: {} },
      { type: "tool_execution_end", toolCallId: "t", result: "x" },
      { type: "agent_end", messages: [{ role: "assistant", content: "abcdef", usage: { input: 20, output: 4 } }] },
    ],
    20,
    4,
  ],
  [
    "opencode, two steps",
    "@paperclipai/adapter-opencode-local",
    [
      { type: "text", part: { text: "One." } },
      { type: "step_finish", part: { reason: "tool-calls", tokens: { input: 11, output: 5, reasoning: 2 } } },
      { type: "step_finish", part: { reason: "stop", tokens: { input: 12, output: 6 } } },
    ],
    23,
    13,
  ],
  [
    "cursor, two steps and a result",
    "@paperclipai/adapter-cursor-local",
    [
      { type: "assistant", message: { content: [{ type: "text", text: "One." }] } },
      { type: "step_finish", part: { reason: "stop", tokens: { input: 30, output: 12 } } },
      { type: "result", subtype: "success", usage: { input_tokens: 5, output_tokens: 2 } },
    ],
    35,
    14,
  ],
  ["qwen", "@superbiche/qwen-paperclip-adapter", [says("One."), claude({ input_tokens: 8, output_tokens: 3 })], 8, 3],
  [
    "omp, two messages",
    "@agentic-engineering-agency/paperclip-adapter-omp",
    [5, 6].map(output => ({
      type: "message_end",
      message: { role: "assistant", content: [{ type: "text", text: "Hm." }], usage: { input: 12, output } },
    })),
    24,
    11,
  ],
  [
    "ours, as the adapter logs it",
    "escapement",
    [
      "run ▸ model as the chart says, session s",
      "planner │ I look.",
      'planner → read {"path":"a"} #call-1',
      "planner ← read: x #call-1",
      "planner │ Done.",
      "run ■ done: 400 in, 80 out, $0.02; Done.",
    ],
    400,
    80,
  ],
]

describe("the tokens of a run are those of its results, in the header, the row, an export and fold", () => {
  for (const [title, name, lines, input, output] of RUNS) {
    const check = (path: string): Promise<void> => checkTotals(path, lines, input, output)
    if (!isServerParser(name)) test(title, () => check(name))
    // Paperclip's server brings these parsers: `bun run test:paperclip-host` fetches it, and runs these tests.
    else if (serverModules !== undefined) test(title, () => withServerParser(name, check))
  }
})

async function checkTotals(
  name: string,
  lines: readonly (object | string)[],
  input: number,
  output: number,
): Promise<void> {
  const parser = await parserOf(name)
  const texts = printed(...lines.map(line => (typeof line === "string" ? line : JSON.stringify(line))))
  const results = (await parser.read(texts)).flatMap(({ entries }) => entries.filter(entry => entry.kind === "result"))
  expect(results.reduce((sum, result) => sum + (result.input ?? 0), 0)).toBe(input)
  expect(results.reduce((sum, result) => sum + (result.output ?? 0), 0)).toBe(output)

  await parser.reset()
  const writer = new FrameWriter("guest")
  const frames = [...writer.begin(0), ...(await writer.write(parser, texts)), ...writer.pause(lines.length * 1000)]
  parser.close()
  const run = runFrom(frames)
  const folded = report(run)
  expect(folded).toMatchObject({ run: { tokens: output }, invocations: [{ tokens: output }] })
  expect(folded).toMatchObject({ invocations: [{ sessions: [{ totalTokens: output }] }] })

  const facts = new Map(documentOf(textsInMemory(run), EXPORT).facts.map(fact => [fact.name, fact.value]))
  expect(facts.get("Tokens out")).toBe(String(output))
  expect(facts.get("Tokens in")).toBe(String(input))
  expect(facts.get("Status")).not.toBe("running")

  const screen = await show({ columns: 160, rows: 30 })
  const rows = await screen.feed(...frames.map(decode)).rows()
  expect(rows[0]).toContain(`${input} in  ${output} out`)
  // The session's reader says it, too.
  expect(rows.slice(1).join("\n")).toContain(`${output} out`)
}
