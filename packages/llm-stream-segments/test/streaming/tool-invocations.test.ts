// Tests parsing arguments and calls from finished segments, in every form that models write.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import {
  EditFileContentStreamer,
  getToolSyntaxSpec,
  JsonStringFieldExtractor,
  LLMProvider,
  type Metadata,
  parseXmlArguments,
  SegmentEvent,
  SegmentType,
  TAG_PROFILES,
  ToolInvocationAdapter,
  ToolSchemaProvider,
  toolSyntaxRegistryItems,
  WriteFileContentStreamer,
} from "../../src/streaming/index.ts"
import { cutAt, PIECES } from "./parsing.ts"
import { streams } from "./picture.ts"

test("parseXmlArguments never throws", async () => {
  await forAll([fc.array(fc.constantFrom(...(PIECES.arguments ?? [])))], 100, parts => {
    expect(Object.getPrototypeOf(parseXmlArguments(parts.join("")))).toBe(Object.prototype)
  })
})

describe("ToolInvocationAdapter", () => {
  test("makes the call that a segment is, and none of one that lacks what it needs", () => {
    const told = streams<readonly [SegmentType, Metadata, string, Metadata?]>("segments").map(line => {
      const [type, metadata, content, late] = line
      const events = [
        SegmentEvent.start("s", type, metadata),
        SegmentEvent.content("s", content),
        SegmentEvent.end("s", late),
      ]
      return `${JSON.stringify(line)} → ${JSON.stringify(new ToolInvocationAdapter().processEvents(events))}`
    })
    expect(told.join("\n")).toMatchSnapshot()
    const unknown = [SegmentEvent.content("?", "x"), SegmentEvent.end("?")]
    expect(new ToolInvocationAdapter().processEvents(unknown)).toEqual([])
  })
  test("lists open segments, clears them on reset, and invokes incomplete calls only on request, by the caller's readers", () => {
    const adapter = new ToolInvocationAdapter()
    adapter.processEvent(SegmentEvent.start("__proto__", SegmentType.RUN_BASH))
    expect(adapter.getActiveSegmentIds()).toEqual(["__proto__"])
    adapter.reset()
    expect(adapter.getActiveSegmentIds()).toEqual([])
    const begun = (type: SegmentType) => [SegmentEvent.start("s", type), SegmentEvent.content("s", "ls")]
    const cut = [...begun(SegmentType.RUN_BASH), SegmentEvent.end("s", undefined, true)]
    expect([adapter.processEvents(cut), adapter.getActiveSegmentIds()]).toEqual([[], []])
    const kit = { specOf: () => ({ toolName: "sh", content: "", options: [], buildArguments: () => ({ x: 1 }) }) }
    const own = new ToolInvocationAdapter(undefined, { invokeTruncated: true, kit, tags: TAG_PROFILES.autobyteus })
    expect(own.processEvents(cut)).toEqual([{ id: "s", name: "sh", arguments: { x: 1 } }])
    const named = new ToolInvocationAdapter({ parse: text => [text, "g"].map(name => ({ name, arguments: {} })) })
    const whole = [...begun(SegmentType.TOOL_CALL), SegmentEvent.end("s")]
    expect(named.processEvents(whole).map(({ id, name }) => `${id} ${name}`)).toEqual(["s ls", "s.2 g"])
    // One event at a time gives the first call.
    expect(whole.map(event => named.processEvent(event)?.id)).toEqual([undefined, undefined, "s"])
  })
})

test("the tool syntax registry maps types and shorthands to tools", () => {
  expect(getToolSyntaxSpec(SegmentType.WRITE_FILE)?.toolName).toBe("write_file")
  expect(getToolSyntaxSpec("EDIT_FILE")?.toolName).toBe("edit_file")
  expect(getToolSyntaxSpec("RUN_TERMINAL_CMD")?.toolName).toBe("run_bash")
  for (const name of [SegmentType.TEXT, "constructor", "__proto__"]) expect(getToolSyntaxSpec(name)).toBeUndefined()
  const names = toolSyntaxRegistryItems().map(([name, { toolName }]) => `${name}=${toolName}`)
  expect(names.join(" ")).toBe("write_file=write_file edit_file=edit_file run_bash=run_bash run_terminal_cmd=run_bash")
})

describe("JsonStringFieldExtractor", () => {
  const value = fc.record({ content: fc.string({ unit: "binary" }), path: fc.string(), other: fc.json() })

  test("split anywhere, escaped or not, gives the fields that JSON.parse gives", () =>
    forAll([value, fc.boolean(), fc.array(fc.nat({ max: 400 }))], 300, (record, isEscaped, places) => {
      const plain = JSON.stringify(record)
      const hex = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
      const text = isEscaped ? plain.replace(/[^ -~]/g, hex) : plain
      const extractor = new JsonStringFieldExtractor(["content"], ["content", "path"])
      const updates = cutAt(text, places).map(chunk => extractor.feed(chunk))
      expect(updates.map(({ deltas }) => deltas.content ?? "").join("")).toBe(record.content)
      expect(Object.assign({}, ...updates.map(({ completed }) => completed))).toEqual({
        content: record.content,
        path: record.path,
      })
      expect(extractor.isDone).toBe(true)
    }))
  test("a streamer gives the whole content in the feed that completes it", () => {
    const write = new WriteFileContentStreamer()
    expect(write.feed('{"path":"/a","content":"x').contentComplete).toBeUndefined()
    expect(write.feed('\\ny"}')).toEqual({ contentDelta: "\ny", path: "/a", contentComplete: "x\ny" })
    const edit = new EditFileContentStreamer()
    expect(edit.feed('{"patch":"@@').contentComplete).toBeUndefined()
    expect(edit.feed('","path":"/b"}').contentComplete).toBe("@@")
    const { path } = new WriteFileContentStreamer().feed('{"path":" "}')
    expect([edit.content, edit.path, path]).toEqual(["@@", "/b", undefined])
  })
  test("a field called __proto__ is a field", () => {
    const { deltas, completed } = new JsonStringFieldExtractor(["__proto__"]).feed('{"__proto__":"x"}')
    expect([deltas, completed].map(Object.entries)).toEqual([[["__proto__", "x"]], [["__proto__", "x"]]])
  })
})

test("the schemas of tools for each provider", () => {
  const names = ["run_bash", "missing", "write_file"]
  const built = (provider: LLMProvider | null) => JSON.stringify(new ToolSchemaProvider().buildSchema(names, provider))
  expect([LLMProvider.ANTHROPIC, LLMProvider.GEMINI, LLMProvider.OPENAI].map(built).join("\n")).toMatchSnapshot()
  const others = [...Object.values(LLMProvider), null].filter(one => built(one) === built(LLMProvider.OPENAI))
  expect(others).toHaveLength(Object.values(LLMProvider).length - 1)
})

test("ToolSchemaProvider describes the tools of one's own", () => {
  const tool = { name: "f", description: "d", parameters: { type: "object" } }
  const provider = new ToolSchemaProvider(new Map([["f", tool]]))
  expect(provider.buildSchema(["f", "unknown"], LLMProvider.GEMINI)).toEqual([tool])
})
