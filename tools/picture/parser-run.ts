// Draws packages/llm-stream-segments/segments.svg: what the streaming parser makes of a reply, chunk by chunk.
import { join } from "node:path"
import { type CapturedFrame, RGBA } from "@opentui/core"
import { segments, TAG_PROFILES } from "../../packages/llm-stream-segments/src/streaming/index.ts"
import { root } from "../../test/fixtures.ts"
import { svgOf } from "./svg.ts"

export const SEGMENTS_PICTURE = join(root, "packages/llm-stream-segments/segments.svg")
const PAPER = {
  background: "#12161d",
  foreground: "#b4bcc9",
  title: "A reply in chunks, and what the parser tells of it",
}
const COLUMNS = 78
/** Where what the parser tells begins. */
const TOLD = 40
const COLOURS: { readonly [kind: string]: string } = { reasoning: "#969fae", text: "#eef1f6", call: "#f5c451" }

const CHUNKS = [
  "<think>The test ha",
  "ngs on the clock.</thi",
  "nk>I run it: <tool",
  '_call>{"name": "run", "argum',
  'ents": {"command": "bun test"}}',
  "</tool_call> It pas",
  "ses now.",
]

type DrawnLine = CapturedFrame["lines"][number]

/** The picture, the same for the same chunks. */
export async function segmentsPicture(): Promise<string> {
  const lines: DrawnLine[] = [lineOf("what the model streams", "what you read", PAPER.foreground)]
  const chunks = CHUNKS.values()
  let written = ""
  const source = function* (): Generator<string> {
    for (const chunk of chunks) {
      if (written !== "") lines.push(lineOf(written, "", PAPER.foreground))
      written = chunk
      yield chunk
    }
  }
  const tell = (kind: string, text: string): void => {
    lines.push(lineOf(written, `${kind.padEnd(10)} ${text}`, COLOURS[kind] ?? PAPER.foreground))
    written = ""
  }
  for await (const segment of segments(source(), { tags: { ...TAG_PROFILES.think, ...TAG_PROFILES.hermes } })) {
    if (segment.type !== "tool_call") for await (const delta of segment) tell(segment.type, delta)
    const { invocations } = await segment.whole()
    for (const { name, arguments: args } of invocations) tell("call", `${name} ${JSON.stringify(args)}`)
  }
  return svgOf({ cols: COLUMNS, rows: lines.length, cursor: [0, 0], lines }, PAPER)
}

function lineOf(left: string, right: string, colour: string): DrawnLine {
  const part = (text: string, width: number, fg: string) => ({
    ...{ text: text.padEnd(width), width, attributes: 0 },
    ...{ fg: RGBA.fromHex(fg), bg: RGBA.fromHex("#00000000") },
  })
  return { spans: [part(left, TOLD, "#6cb6ff"), part(right, COLUMNS - TOLD, colour)] }
}

if (import.meta.main) await Bun.write(SEGMENTS_PICTURE, await segmentsPicture())
