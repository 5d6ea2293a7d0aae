// Tests reading a response with `for await` and as a TransformStream: live, safe by default, cut off and failing.
import { describe, expect, test } from "bun:test"
import { convertArrayToReadableStream } from "ai/test"
import {
  fromChunks,
  SegmentStream as MainStream,
  type SegmentOptions,
  type SegmentSource,
  segments as segmentsOfMain,
} from "../../src/streaming/core.ts"
import {
  createStreamingParser,
  fromOpenAI,
  ParsingStreamingResponseHandler,
  type SegmentEvent,
  SegmentStream,
  SegmentType,
  type StreamingSegment,
  segments,
  TAG_PROFILES,
  type WholeSegment,
} from "../../src/streaming/index.ts"
import { cut, readOf } from "./parsing.ts"

const FILE = '{"path":"a","content":"x"}'
const ANSWER = 'Listing:\n<run_bash>ls -la</run_bash>\n<write_file path="/a">x = 1\n</write_file>Done.'

async function* slowly<Chunk>(chunks: readonly Chunk[]): AsyncGenerator<Chunk> {
  for (const chunk of chunks) {
    await Promise.resolve()
    yield chunk
  }
}

async function wholeOf(read: AsyncIterable<StreamingSegment>): Promise<WholeSegment[]> {
  const all: WholeSegment[] = []
  for await (const segment of read) all.push(await segment.whole())
  return all
}

describe("segments()", () => {
  test("gives a segment when it starts, and its text as it comes", async () => {
    const seen: string[] = []
    async function* source() {
      for (const chunk of ["Hel", "lo <run_bash>sleep", " 60", "</run_bash>"]) {
        seen.push(`< ${chunk}`)
        yield chunk
      }
    }
    const onSegmentEvent = ({ event_type }: SegmentEvent) => told.push(event_type)
    const onToolInvocation = ({ name }: { readonly name: string }) => told.push(name)
    const told: string[] = []
    for await (const segment of segments(source(), { onSegmentEvent, onToolInvocation })) {
      seen.push(segment.type)
      for await (const delta of segment) seen.push(delta)
    }
    expect(seen).toEqual([
      ...["< Hel", "text", "Hel", "< lo <run_bash>sleep", "lo ", "run_bash", "sleep"],
      ...["<  60", " 60", "< </run_bash>"],
    ])
    expect(told.join(" ").replaceAll(/SEGMENT_(.)\w+/g, "$1")).toBe("S C C E S C C E run_bash")
  })

  test("gives all of a segment's text to who reads it later, or twice", async () => {
    const all = await Array.fromAsync(segments(slowly(cut(ANSWER, 4))))
    const texts = await Promise.all(all.map(async segment => (await Array.fromAsync(segment)).join("")))
    expect(texts).toEqual(["Listing:\n", "ls -la", "\n", "x = 1\n", "Done."])
    expect((await all[1]?.whole())?.content).toBe("ls -la")
    // Two who wait for more share what comes.
    let pulled = 0
    async function* counted() {
      for (const chunk of ["a", "<run_bash>", "ls"]) {
        pulled++
        yield chunk
      }
    }
    const first = (await segments(counted()).next()).value
    await Promise.all([first?.whole(), first?.whole()])
    expect(pulled).toBe(2)
  })

  test("takes strings, arrays, generators, streams without iteration, and providers' chunks", async () => {
    const stream = () => new Response(ANSWER).body?.pipeThrough(new TextDecoderStream()) ?? ANSWER
    const plain = stream() as ReadableStream<string>
    const uniterable = { getReader: () => plain.getReader() }
    for (const source of [ANSWER, [ANSWER], slowly([ANSWER]), stream(), uniterable, [{ content: ANSWER }]]) {
      expect((await wholeOf(segments(source))).map(({ content }) => content)).toHaveLength(5)
    }
    const native = [
      { reasoning: "Hm." },
      { tool_calls: [{ index: 0, call_id: "c", name: "f", arguments_delta: "{}" }] },
    ]
    const read = await wholeOf(segments(native, { parserName: "api_tool_call" }))
    expect(read.map(({ type, invocations }) => [type as string, invocations.length])).toEqual([
      ["reasoning", 0],
      ["tool_call", 1],
    ])
    expect(await wholeOf(segments(native, { parseToolCalls: false }))).toMatchObject([{ type: "reasoning" }])
  })

  test("reads the caller's tags in the text beside native calls, however it is cut", async () => {
    const call = { tool_calls: [{ index: 0, call_id: "c", name: "f", arguments_delta: "{}" }] }
    const before = "<think>a < b</think>Hi `<"
    for (let size = 1; size <= before.length; size++) {
      const source = [...cut(before, size), call, "<think>c</think>", "d"]
      const read = await wholeOf(segments(source, { parserName: "api_tool_call", tags: TAG_PROFILES.think }))
      expect(read.map(({ type, content }) => `${type}: ${content}`)).toEqual([
        "reasoning: a < b",
        "text: Hi `<",
        "tool_call: {}",
        "reasoning: c",
        "text: d",
      ])
      expect(new Set(read.map(({ id }) => id)).size).toBe(read.length)
      expect(read.every(({ complete }) => complete)).toBe(true)
    }
  })

  test("gives all although listeners fail", async () => {
    const fail = () => expect.unreachable("a listener's fault")
    const read = await wholeOf(segments(ANSWER, { onSegmentEvent: fail, onToolInvocation: fail, onArgument: fail }))
    expect(read).toEqual(await wholeOf(segments(ANSWER)))
  })

  test("of the main export knows AutoByteus' tags and file calls only where it is told", async () => {
    expect((await wholeOf(segmentsOfMain(ANSWER))).map(({ type }) => type as string)).toEqual(["text"])
    const tags = TAG_PROFILES.autobyteus
    expect(await wholeOf(segmentsOfMain(ANSWER, { tags }))).toEqual(await wholeOf(segments(ANSWER)))
    for (const safe of [undefined, false]) {
      const [cutOff] = await wholeOf(segmentsOfMain("<run_bash>ls", { tags, safe, invokeTruncated: true }))
      expect(cutOff?.invocations.length).toBe(safe === false ? 1 : 0)
    }
    const write = [{ tool_calls: [{ index: 0, call_id: "c", name: "write_file", arguments_delta: FILE }] }]
    expect((await wholeOf(segmentsOfMain(fromChunks(write)))).map(({ type }) => type as string)).toEqual(["tool_call"])
    expect(await wholeOf(segments(write))).toMatchObject([
      { type: "write_file", content: "x", metadata: { path: "a" } },
    ])
  })

  test("of the main export begins in a thought, ends a call with the stream, and reads none where it should not", async () => {
    const tags = { ...TAG_PROFILES.think, ...TAG_PROFILES.hermes }
    const call = '<tool_call>{"name":"f","arguments":{}}'
    const read = async (chunks: Parameters<typeof fromChunks>[0], options: SegmentOptions) =>
      (await wholeOf(segmentsOfMain(fromChunks(chunks), { tags, ...options }))).map(
        ({ type, content, complete }) => `${type} ${content} ${complete}`,
      )
    expect(await read(["Hm.</think>Hi"], { startIn: "think" })).toEqual(["reasoning Hm. true", "text Hi true"])
    expect(await read([call], { endCloses: true })).toEqual([`tool_call ${call.slice(11)} true`])
    const native = [{ tool_calls: [{ index: 0, call_id: "c", name: "f", arguments_delta: "{}" }] }, call]
    expect(await read(native, { parseToolCalls: false })).toEqual([`text ${call} true`])
  })

  test("of the main export reads mere text, and chunks only where a function brings their reader", async () => {
    const chunks = [{ reasoning: "Hm." }, { content: "Hi" }]
    const bare = JSON.parse(JSON.stringify(chunks)) as SegmentSource
    expect(await wholeOf(segmentsOfMain(bare)).catch(String)).toBe(
      "TypeError: expected text, got an object with reasoning: try fromOpenAI or fromChunks",
    )
    expect((await wholeOf(segmentsOfMain(fromChunks(chunks)))).map(({ content }) => content)).toEqual(["Hm.", "Hi"])
    const piped = convertArrayToReadableStream(chunks).pipeThrough(new MainStream())
    expect(readOf(await Array.fromAsync(piped)).map(({ content }) => content)).toEqual(["Hm.", "Hi"])
  })

  test("throws the source's error after what came before it", async () => {
    async function* source() {
      yield "Hi <run_bash>ls"
      throw new Error("the line is down")
    }
    const seen: StreamingSegment[] = []
    const reading = (async () => {
      for await (const segment of segments(source())) seen.push(segment)
    })()
    await expect(reading).rejects.toThrow("the line is down")
    expect((await Promise.all(seen.map(segment => segment.whole()))).map(({ complete }) => complete)).toEqual([
      true,
      false,
    ])
  })

  test("ends the source when the loop is left, and what was open as incomplete", async () => {
    let ended = false
    async function* source() {
      try {
        for (;;) yield "more "
      } finally {
        ended = true
      }
    }
    let first: StreamingSegment | undefined
    for await (const segment of segments(source())) {
      first = segment
      break
    }
    expect(ended).toBe(true)
    expect(await first?.whole()).toMatchObject({ content: "more ", complete: false })
  })

  test("gives who waits for more of a segment what came before the loop was left", async () => {
    const { promise: late, resolve } = Promise.withResolvers<string>()
    const reading = segments(
      (async function* () {
        yield "more "
        yield late
      })(),
    )
    const whole = (await reading.next()).value?.whole()
    const left = reading.return(undefined)
    resolve("late")
    expect(await whole).toMatchObject({ content: "more ", complete: false })
    await left
  })
})

/** An endless stream of one chunk, and whether it was let go. */
function endless(chunk: unknown) {
  let isCancelled = false
  const cancel = () => {
    isCancelled = true
  }
  const stream = new ReadableStream({ pull: controller => controller.enqueue(chunk), cancel })
  return { stream, isCancelled: () => isCancelled }
}

test("the source is let go where nobody can read a chunk of it, and where the reader of a server's answer stops, but not at its end", async () => {
  const odd = endless(7)
  expect(await Array.fromAsync(segments(odd.stream)).catch(String)).toMatch(/got 7$/)
  const served = endless(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"x"}}]}\n\n'))
  for await (const { type } of segments(fromOpenAI(new Response(served.stream)))) if (type === "text") break
  const bare = endless("x ")
  for await (const { type } of segments({ getReader: () => bare.stream.getReader() })) if (type === "text") break
  expect([odd, served, bare].map(one => one.isCancelled())).toEqual([true, true, true])
  let returned = 0
  for (const next of [
    async () => ({ done: true, value: undefined }) as const,
    () => Promise.reject(new Error("down")),
  ]) {
    const spent = { next, return: async () => ({ done: true, value: returned++ }) as const }
    await Array.fromAsync(segments({ [Symbol.asyncIterator]: () => spent })).catch(String)
  }
  const silent = { read: async () => ({ done: false }), cancel: async () => undefined }
  expect([returned, await Array.fromAsync(segments({ getReader: () => silent }))]).toEqual([0, []])
})

test("options that nobody knows are refused, and those of a parser need no ParserConfig", async () => {
  const options = JSON.parse('{"tags": {"a": "nope"}}')
  expect(() => createStreamingParser(options)).toThrow(/expected .* one of FORMATS, got "nope"/)
  expect(await Array.fromAsync(segments("", { strategyOrder: ["xml_tag", "xmltag"] })).catch(String)).toMatch(
    /Unknown strategy 'xmltag'/,
  )
  const events = createStreamingParser({ parserName: "xml", safe: true }).feedAndFinalize("`<run_bash>ls</run_bash>`")
  expect(events.flatMap(event => event.segment_type ?? [])).toEqual([SegmentType.TEXT])
  for (const startIn of ["thin", "kimiSection"])
    expect(() => createStreamingParser({ startIn, tags: { ...TAG_PROFILES.think, ...TAG_PROFILES.kimiK2 } })).toThrow(
      /expected startIn to be reasoning among the tags/,
    )
  expect(() => createStreamingParser({ tags: { "a b": "json" } })).toThrow(/expected a tag name/)
})

test("SegmentStream turns a piped text into the same events and calls as a handler", async () => {
  const source = new Blob([ANSWER]).stream().pipeThrough(new TextDecoderStream())
  const names: string[] = []
  const stream = new SegmentStream({ onToolInvocation: ({ name }) => names.push(name) })
  const events = await Array.fromAsync(source.pipeThrough(stream))
  expect(names).toEqual(["run_bash", "write_file"])
  const handler = new ParsingStreamingResponseHandler({ parserName: "xml" })
  expect(readOf(events)).toEqual(readOf([...handler.feed(ANSWER), ...handler.finalize()]))
})

test("a handler that keeps no events still tells its listeners", () => {
  const events: SegmentEvent[] = []
  const names: string[] = []
  const handler = new ParsingStreamingResponseHandler({
    parserName: "xml",
    keepEvents: false,
    onSegmentEvent: event => events.push(event),
    onToolInvocation: ({ name }) => names.push(name),
  })
  handler.feed(ANSWER)
  handler.finalize()
  expect([handler.getAllEvents(), handler.getAllInvocations()]).toEqual([[], []])
  expect(readOf(events)).toHaveLength(5)
  expect(names).toEqual(["run_bash", "write_file"])
})
