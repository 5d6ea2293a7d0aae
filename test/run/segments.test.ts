// Tests the segments of model text, whose parser state is part of each turn buffer.
import { describe, expect, test } from "bun:test"
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyList, slice } from "../../src/run/model/chunked-list.ts"
import { initialRun, type Run } from "../../src/run/model/run.ts"
import type { SegmentPart, TurnBuffer } from "../../src/run/model/session.ts"
import { parseSegments } from "../../src/run/segments.ts"
import { deepFreeze } from "../freeze.ts"
import { delta, event, ids } from "./lines.ts"

function begun(strategy: ParserName): Run {
  return fold(initialRun({ strategy }), [event(0, "llm/start", ids)])
}

/** Each chunk as a delta of its own, from `seq` on; every state on the way is frozen. */
function streamed(run: Run, seq: number, chunks: readonly string[]): Run {
  return chunks.reduce((before, text, i) => deepFreeze(fold(before, [delta(seq + i, text)])), deepFreeze(run))
}

function streamOf(run: Run): TurnBuffer {
  const [stream] = run.turnBuffers
  if (stream === undefined) throw new Error("no stream")
  return stream
}

function shown(run: Run): readonly string[] {
  const { parts, part } = streamOf(run).segments ?? { parts: emptyList, part: null }
  const all: readonly SegmentPart[] = [...slice(parts, 0, parts.length), ...(part === null ? [] : [part])]
  return all.map(({ type, label, text }) => `${type}${label && ` ${label}`}: ${text}`)
}

const FILE = 'I write.\n<write_file path="a.txt">one\ntwo</write_file>Then <run_bash>ls -l</run_bash>.'

/** A strategy, and texts as they stream: `~` before one marks thinking, and `event` another event of the turn. */
const STREAMS: { readonly [what: string]: readonly string[] } = {
  "a file with its path and a command": [FILE],
  "a file with its path and a command, however the deltas split them": [...FILE],
  "no half tag": ["see <wri", "te_file pa"],
  "no tag that is none": ["a <run_", "around"],
  "the segment that thinking interrupted": ['<write_file path="a.md">ls', "~h", "~m", " -l</write_file>"],
  "the segment that long thinking interrupted": ["a", ...Array(3).fill(`~${"h".repeat(5000)}`), "b"],
  "nothing of the turn before": ["<run_bash>ls", "llm/start", "plain"],
  "nothing before a message": ["<run_bash>ls", "llm/user-message", "plain"],
}

describe("a stream parsed as xml", () => {
  test.each(Object.entries(STREAMS))("has %s", (_, chunks) => {
    const run = chunks.reduce((before, text, i) => {
      const type = text.startsWith("~") ? "thinking-delta" : "text-delta"
      const one = text.startsWith("llm/") ? event(i + 1, text, ids) : delta(i + 1, text.replace("~", ""), { type })
      return deepFreeze(fold(before, [one]))
    }, begun("xml"))
    expect(
      shown(run)
        .map(part => part.slice(0, 40))
        .join("\n"),
    ).toMatchSnapshot()
  })

  test.each(["text-delta", "thinking-delta"] as const)("goes on in another part after 4,096 units of %s", type => {
    const run = fold(
      begun("xml"),
      [4095, 1, 1, 1].map((units, i) => delta(i + 1, "x".repeat(units), { type })),
    )
    expect(shown(run).map(part => part.replace(/^.*?: /, "").length)).toEqual([4096, 2])
  })

  test("can be continued twice from one state", () => {
    const kept = streamed(begun("xml"), 1, ["a <run_"])
    const bash = streamed(kept, 2, ["bash>ls</run_bash>"])
    const text = streamed(kept, 2, ["around"])
    expect(shown(bash)).toEqual(["text: a ", "run_bash: ls"])
    const words = shown(text).map(part => part.replace("text: ", ""))
    expect(words.join("")).toBe("a <run_around")
    expect(shown(kept)).toEqual(["text: a "])
  })
})

test("a stream without a strategy is not parsed, and its text is kept once", () => {
  const run = streamed(begun("api_tool_call"), 1, ["<run_bash>", "ls</run_bash>"])
  expect(streamOf(run).segments).toBe(null)
  expect(shown(run)).toEqual([])
})

test("a complete text has its segments, the last marked if it is cut, and is one without a strategy", () => {
  const text = "so: <run_bash>rm -r"
  const parsed = (["xml", "api_tool_call"] as const).map(strategy => parseSegments(strategy, text))
  const told = parsed.map(all => all.map(({ type, text, end }) => `${end} ${type}: ${text}`))
  expect(told).toEqual([["whole text: so: ", "cut run_bash: rm -r"], [`whole text: ${text}`]])
})
