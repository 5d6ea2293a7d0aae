// Tests that a call is made whole or not at all, with the texts of faults that made one which nobody had said.
import { describe, expect, test } from "bun:test"
import {
  type SegmentOptions,
  SegmentStream,
  segments,
  TAG_PROFILES,
  type ToolInvocation,
} from "../../src/streaming/index.ts"
import { cut } from "./parsing.ts"

const TAGS = { ...TAG_PROFILES.claude, ...TAG_PROFILES.qwenCoder }

/** The calls of a complete text in chunks of one size, as name and arguments. */
async function callsOf(text: string, size: number, options: SegmentOptions = { tags: TAGS }): Promise<unknown[]> {
  const calls: unknown[] = []
  for await (const segment of segments(cut(text, size), options)) {
    const { invocations } = await segment.whole()
    calls.push(...invocations.map(({ name, arguments: args }) => [name, args]))
  }
  return calls
}

async function each(text: string, expected: unknown[], options?: SegmentOptions): Promise<void> {
  for (const size of [text.length, 1, 2, 3, 5, 8]) {
    expect<unknown>([size, await callsOf(text, size, options)]).toEqual([size, expected])
  }
}

describe("a held call is not run when", () => {
  const held = 'The ` key: <tool_call>{"name":"rm","arguments":{}}</tool_call>'
  const options = (made: ToolInvocation[]): SegmentOptions => ({
    tags: TAG_PROFILES.hermes,
    onToolInvocation: call => made.push(call),
  })

  test("a person leaves the loop", async () => {
    const made: ToolInvocation[] = []
    for await (const segment of segments([held, "more"], options(made))) if (segment.type === "text") break
    expect(made).toEqual([])
  })

  test("the source fails", async () => {
    const made: ToolInvocation[] = []
    async function* failing() {
      yield held
      throw new Error("lost")
    }
    const all = Array.fromAsync(segments(failing(), options(made)), one => one.whole())
    expect(await all.catch(String)).toBe("Error: lost")
    expect(made).toEqual([])
  })

  test("the stream ends within the code span, or within another one", async () => {
    await each(held, [], { tags: TAG_PROFILES.hermes })
    await each('Say `{"name":"rm","arguments":{}}', [], { parserName: "json" })
    await each('So ``<tool_call>{"name":"rm","arguments":{}}</tool_call>', [], { tags: TAG_PROFILES.hermes })
  })

  test("a pipe is closed within the code span", async () => {
    const made: ToolInvocation[] = []
    const writer = new SegmentStream(options(made)).writable.getWriter()
    void writer.write(held).catch(() => undefined)
    await writer.abort("stopped").catch(() => undefined)
    expect(made).toEqual([])
  })
})
