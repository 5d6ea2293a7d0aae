// Draws packages/paperclip-adapter-escapement/run.svg: a run's log in Paperclip, printed by the adapter from the rows of a short run.
import { join } from "node:path"
import { type CapturedFrame, RGBA } from "@opentui/core"
import { RunTotals } from "../../packages/paperclip-adapter-escapement/src/run-totals.ts"
import { chunksOf } from "../../packages/paperclip-adapter-escapement/src/server/print-lines.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { root } from "../../test/fixtures.ts"
import { svgOf } from "./svg.ts"

export const LOG_PICTURE = join(root, "packages/paperclip-adapter-escapement/run.svg")
const COLUMNS = 74
const PAPER = { background: "#12161d", foreground: "#b4bcc9", title: "The log of a run in Paperclip" }
const COLOURS: readonly (readonly [mark: string, colour: string])[] = [
  ["·", "#969fae"],
  ["┊", "#969fae"],
  ["✗", "#f2777a"],
  ["→", "#e5c07b"],
  ["←", "#e5c07b"],
  ["■", "#8fd19e"],
]

const planner = { invokeid: "planner", "session-id": "s" }
const call = { type: "tool_use", id: "toolu_01", name: "bash", input: { command: "bun test test/time.test.ts" } }
const text =
  "The test depends on the clock, so I pass it in:\n\n```ts\nexport const later = (now: number) => now + 1\n```\n"
const ROWS: readonly (readonly [event: string, data: JsonObject])[] = [
  ["runner/started", { "session-id": "session/paperclip-3f0c", model: "claude-sonnet-5" }],
  ["runner/start-config", { config: ["run", "fixing"] }],
  ["llm/user-message", { ...planner, text: "Fix the flaky test in src/time.ts." }],
  ["llm/delta", { ...planner, type: "thinking-delta", text: "I read the file before I guess.\n" }],
  ["llm/delta", { ...planner, type: "text-delta", text }],
  [
    "llm/response",
    {
      ...{ ...planner, model: "claude-sonnet-5", content: [{ type: "text", text }, call], "cost-usd": 0.0123 },
      usage: { "input-tokens": 2411, "output-tokens": 318, "cached-tokens": 2048 },
    },
  ],
  ["llm/tool-result", { ...planner, tool: "bash", "tool-use-id": "toolu_01", "content-preview": "2 pass\n0 fail\n" }],
  [
    "runner/event-processed",
    { "event-name": "tests.passed", "config-before": ["run"], "config-after": ["run", "judging"] },
  ],
  ["llm/error", { invokeid: "judge", message: "overloaded" }],
  ["llm/retry", { invokeid: "judge", attempt: 1, "max-retries": 3, category: "overloaded" }],
  ["llm/delta", { invokeid: "judge", type: "text-delta", text: "The fix is right, and nothing else changed.\n" }],
  ["runner/done", { status: "done", "final-config": ["run", "done"], "adapter/summary": "The clock is passed in." }],
]

/** The picture, the same for the same lines. */
export function logPicture(): string {
  const totals = new RunTotals()
  const chunks = ROWS.flatMap(([event, data]) => chunksOf(totals.annotate({ event, data })))
  const lines = chunks.join("").trimEnd().split("\n")
  const frame: CapturedFrame = { cols: COLUMNS, rows: lines.length, cursor: [0, 0], lines: lines.map(lineOf) }
  return svgOf(frame, PAPER)
}

function lineOf(line: string): CapturedFrame["lines"][number] {
  const [, colour = PAPER.foreground] = COLOURS.find(([mark]) => line.split(" ")[1] === mark) ?? []
  const [fg, bg] = [RGBA.fromHex(colour), RGBA.fromHex("#00000000")]
  return { spans: [{ text: line, width: Bun.stringWidth(line), fg, bg, attributes: 0 }] }
}

if (import.meta.main) await Bun.write(LOG_PICTURE, logPicture())
