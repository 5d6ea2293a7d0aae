// Compares what the viewer shows as a run's tokens with what the run's own results say, for published parsers.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { documentOf } from "../../src/export/document.ts"
import { FrameWriter } from "../../src/guest/frame-writer.ts"
import { report } from "../../src/run/select/report.ts"
import { textsInMemory } from "../../src/run/select/run-texts.ts"
import { show } from "../screen/screen.tsx"
import { parserOf, printed, runFrom } from "./reading.ts"

const EXPORT = { title: "t", session: null, where: null, redactor: null, read: null, recall: null }

const claude = (usage: object, more: object = {}) => ({ type: "result", subtype: "success", usage, ...more })
const says = (text: string) => ({ type: "assistant", message: { content: [{ type: "text", text }] } })

/** The agent, its parser, its lines, and the tokens that its results add up to. */
const RUNS: readonly (readonly [
  name: string,
  parser: string,
  lines: readonly (object | string)[],
  input: number,
  output: number,
])[] = [
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

test.each(RUNS)(
  "the tokens of a run are those of its results, in the header, the row, an export and fold: %s",
  async (_, name, lines, input, output) => {
    const parser = await parserOf(name)
    const texts = printed(...lines.map(line => (typeof line === "string" ? line : JSON.stringify(line))))
    const results = (await parser.read(texts)).flatMap(({ entries }) =>
      entries.filter(entry => entry.kind === "result"),
    )
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
  },
)
