// Keeps what providers' streams and callers' chunks are read as: chunks, events, calls, their arguments, and errors.
import { describe, expect, test } from "bun:test"
import {
  ApiToolCallStreamingResponseHandler,
  type ArgumentDelta,
  fromAnthropic,
  fromOpenAI,
  fromSSE,
  JsonStringFieldExtractor,
  ParserConfig,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  type SegmentChunk,
  type SegmentEvent,
  type StreamingResponseHandler,
  segments,
  TAG_PROFILES,
} from "../../src/streaming/index.ts"
import { cut } from "./parsing.ts"
import { streams, texts } from "./picture.ts"

type Named<Stream> = readonly [name: string, stream: Stream]
const CHUNKS = streams<Named<readonly unknown[]>>("chunks")
const ARGUMENTS = texts("json-arguments")
const CALLS = texts("json-calls")

/** Values that are no chunks. */
const WRONG = [undefined, new Uint8Array([65]), new Uint8Array(), new Date(0), ...streams<unknown>("no-chunks")]

/** Gives each id that is made anew a number, in the order of their first use. */
function numbered(text: string): string {
  const ids = new Map<string, number>()
  return text.replace(/[0-9a-f]{32}/g, id => {
    if (!ids.has(id)) ids.set(id, ids.size + 1)
    return `id${ids.get(id)}`
  })
}

const failure = (error: unknown) => `${error}`

/** The chunks of a stream, and what they are read as. */
async function read(make: (stream: readonly unknown[]) => ReturnType<typeof fromOpenAI>, stream: readonly unknown[]) {
  const lines: string[] = []
  try {
    for await (const { tool_calls, ...chunk } of make(stream)) {
      const calls = (tool_calls ?? []).map(one => JSON.stringify(one))
      lines.push([JSON.stringify(chunk), ...calls].join(" "))
    }
  } catch (error) {
    lines.push(failure(error))
  }
  try {
    for await (const segment of segments(make(stream))) {
      const { type, content, metadata, complete, invocations } = await segment.whole()
      const calls = invocations.map(({ id, name, arguments: args }) => `${id} ${name}(${JSON.stringify(args)})`)
      const end = complete ? "" : " incomplete"
      lines.push(`${type} ${JSON.stringify(content)} ${JSON.stringify(metadata)}${end} ${calls.join(" ")}`.trimEnd())
    }
  } catch (error) {
    lines.push(failure(error))
  }
  return numbered(lines.join("\n"))
}

describe("a stream of OpenAI's server", () => {
  test.each(streams<Named<readonly unknown[]>>("openai"))("%s", async (_, stream) =>
    expect(await read(fromOpenAI, stream)).toMatchSnapshot(),
  )
})

describe("a stream of Anthropic's server", () => {
  test.each(streams<Named<readonly unknown[]>>("anthropic"))("%s", async (_, stream) =>
    expect(await read(fromAnthropic, stream)).toMatchSnapshot(),
  )
})

test("the body of an answer, however it is cut", async () => {
  const told = await Promise.all(
    streams<Named<string>>("bodies").map(async ([name, body]) => {
      const bytes = new TextEncoder().encode(body)
      const readings = [1, 3, bytes.length + 1].map(async size => {
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.slice(i * size, (i + 1) * size),
        )
        return await Array.fromAsync(fromSSE(parts), one => JSON.stringify(one)).catch(failure)
      })
      const [first, ...others] = await Promise.all(readings)
      for (const other of others) expect<unknown>(other).toEqual(first)
      return [name, first]
    }),
  )
  expect(told).toMatchSnapshot()
  const refused = new Response("no key", { status: 401 })
  expect(await Array.fromAsync(fromSSE(refused)).catch(failure)).toMatchSnapshot()
})

/** An event on one line. */
function line({ event_type, segment_id, segment_type, payload }: SegmentEvent): string {
  const [, kind = ""] = /_(\w+)$/.exec(event_type) ?? []
  return `${kind.toLowerCase()} ${segment_id} ${segment_type ?? ""} ${JSON.stringify(payload)}`.replace(/ {2,}/, " ")
}

const HANDLERS: Readonly<Record<string, (onArgument: (delta: ArgumentDelta) => void) => StreamingResponseHandler>> = {
  parsing: onArgument => new ParsingStreamingResponseHandler({ parserName: "xml", onArgument }),
  native: onArgument => new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: "p:", onArgument }),
  "pass through": () => new PassThroughStreamingResponseHandler({ segmentIdPrefix: "p:" }),
}

describe.each(Object.keys(HANDLERS))("the %s handler reads", name => {
  test.each(CHUNKS)("%s", (_, chunks) => {
    const [ended, aborted] = [false, true].map(isAborted => {
      const lines: string[] = []
      const onArgument = ({ id, name, argument, delta, isJson, isAgain }: ArgumentDelta): void => {
        lines.push(
          `  ${id} ${name} ${argument}${isJson ? " as JSON" : ""}${isAgain ? " again" : ""}: ${JSON.stringify(delta)}`,
        )
      }
      const handler = HANDLERS[name]?.(onArgument)
      if (handler === undefined) throw new Error("no handler")
      for (const chunk of chunks) lines.push(...handler.feed(chunk as SegmentChunk).map(line), "-")
      lines.push(...(isAborted ? handler.abort() : handler.finalize()).map(line))
      lines.push(...handler.getAllInvocations().map(one => `calls ${JSON.stringify(one)}`))
      return lines
    })
    // An abort is told only where it differs from an end.
    const shown = Bun.deepEquals(ended, aborted) ? ended : [...(ended ?? []), "aborted:", ...(aborted ?? []).slice(-4)]
    expect(numbered((shown ?? []).join("\n"))).toMatchSnapshot()
  })
})

test("what is no chunk is refused with what it was", () => {
  const told = WRONG.map(chunk => {
    try {
      return new ApiToolCallStreamingResponseHandler().feed(chunk as SegmentChunk).length
    } catch (error) {
      return failure(error)
    }
  })
  expect(told.join("\n")).toMatchSnapshot()
})

/** What arguments join to, by call, argument and kind, and the calls made. */
function told(chunks: readonly string[], text: (piece: string) => string): string {
  const deltas = new Map<string, string>()
  const handler = new ParsingStreamingResponseHandler({
    config: new ParserConfig({ tags: TAG_PROFILES.hermes }),
    onArgument: ({ id, name, argument, delta, isJson, isAgain }) => {
      const key = `${id} ${name} ${argument}${isJson ? " as JSON" : ""}`
      deltas.set(key, `${isAgain === true ? "again: " : (deltas.get(key) ?? "")}${delta}`)
    },
  })
  for (const chunk of chunks) handler.feed(text(chunk))
  handler.finalize()
  const streamed = [...deltas].map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
  return [...streamed, ...handler.getAllInvocations().map(one => `  ${JSON.stringify(one)}`)].join("\n")
}

test("the arguments of calls in JSON, however they are cut", () => {
  const texts = [...ARGUMENTS.map(args => `{"name":"f","arguments":${args}}`), ...CALLS]
  const shown = texts.map(text => {
    const whole = `<tool_call>${text}</tool_call>`
    const [first, ...others] = [whole.length, 1, 2, 7].map(size => told(cut(whole, size), piece => piece))
    for (const other of others) expect<unknown>(other).toBe(first)
    return `${text}\n${first}`
  })
  expect(shown.join("\n")).toMatchSnapshot()
})

test("fields of an object, however its text is cut", () => {
  const texts = [
    ...ARGUMENTS,
    ...CALLS,
    '{"path":"/a","content":"x","path":"/b"}',
    '{"content":"x","path":7,"content":"y"}',
  ]
  const shown = texts.map(text => {
    const [first, ...others] = [text.length, 1, 3].map(size => {
      const reader = new JsonStringFieldExtractor(["q", "content", "name"], ["q", "path"])
      const deltas: Record<string, string> = {}
      const completed: Record<string, string> = {}
      for (const piece of cut(text, size)) {
        const told = reader.feed(piece)
        for (const [field, delta] of Object.entries(told.deltas)) deltas[field] = (deltas[field] ?? "") + delta
        Object.assign(completed, told.completed)
      }
      return JSON.stringify([deltas, completed, reader.isDone])
    })
    for (const other of others) expect<unknown>(other).toBe(first ?? "")
    return `${text}\n  ${first}`
  })
  expect(shown.join("\n")).toMatchSnapshot()
})
