// Tests parsing arguments and calls from finished segments, in every form that models write.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import {
  getToolSyntaxSpec,
  JsonStringFieldExtractor,
  LLMProvider,
  parseJsonToolCall,
  parseXmlArguments,
  SegmentEvent,
  SegmentType,
  ToolInvocationAdapter,
  ToolSchemaProvider,
  toolSyntaxRegistryItems,
} from "../../src/streaming/index.ts"
import { cutAt } from "./parsing.ts"

test("parseXmlArguments never throws", async () => {
  const pieces = fc.constantFrom(
    "<a>",
    "</a>",
    "<arg name=",
    '"x">',
    "</arg>",
    "<arguments>",
    "<__proto__>",
    "</__proto__>",
    "x",
    " ",
  )
  await forAll([fc.array(pieces)], 100, parts => {
    expect(Object.getPrototypeOf(parseXmlArguments(parts.join("")))).toBe(Object.prototype)
  })
})

test("parseJsonToolCall reads names such as constructor as plain names, and finds no inherited keys", () => {
  expect(parseJsonToolCall('{"name":"__proto__","arguments":{"__proto__":1,"constructor":2}}')).toEqual(
    JSON.parse('{"name":"__proto__","arguments":{"__proto__":1,"constructor":2}}'),
  )
  expect(parseJsonToolCall('{"__proto__":{"name":"f"}}')).toBeNull()
})

describe("ToolInvocationAdapter", () => {
  const segment = (type: SegmentType, metadata: object, content: string, late?: object) => [
    SegmentEvent.start("s", type, { ...metadata }),
    SegmentEvent.content("s", content),
    SegmentEvent.end("s", late === undefined ? undefined : { ...late }),
  ]
  const made = (...parameters: Parameters<typeof segment>) =>
    new ToolInvocationAdapter().processEvents(segment(...parameters))

  test("shorthands become their tools", () => {
    expect(made(SegmentType.WRITE_FILE, { path: "/a" }, "")).toEqual([
      { id: "s", name: "write_file", arguments: { path: "/a", content: "" } },
    ])
    expect(made(SegmentType.EDIT_FILE, { path: "/a" }, "@@")).toEqual([
      { id: "s", name: "edit_file", arguments: { path: "/a", patch: "@@" } },
    ])
    expect(made(SegmentType.RUN_BASH, { background: false }, "ls", { timeout_seconds: 5 })).toEqual([
      { id: "s", name: "run_bash", arguments: { command: "ls", background: false, timeout_seconds: 5 } },
    ])
    expect(made(SegmentType.RUN_BASH, { command: "pwd" }, "")[0]?.arguments).toEqual({ command: "pwd" })
  })
  test("without a path, or a command, there is no call", () => {
    expect(made(SegmentType.WRITE_FILE, {}, "x")).toEqual([])
    expect(made(SegmentType.EDIT_FILE, { path: " " }, "x")).toEqual([])
    expect(made(SegmentType.RUN_BASH, {}, " \n")).toEqual([])
  })
  test("a sentinel's arguments are those of its header, else those of the call or object in its body", () => {
    expect(made(SegmentType.TOOL_CALL, { name: "f", arguments: { a: 1 } }, "x")[0]?.arguments).toEqual({ a: 1 })
    expect(made(SegmentType.TOOL_CALL, { tool_name: "f", arguments: '{"a":1}' }, "")[0]?.arguments).toEqual({ a: 1 })
    expect(made(SegmentType.TOOL_CALL, { name: "f" }, '{"name":"f","arguments":{"a":1}}')[0]?.arguments).toEqual({
      a: 1,
    })
    expect(made(SegmentType.TOOL_CALL, { name: "f" }, '{"a":1}')[0]?.arguments).toEqual({ a: 1 })
    expect(made(SegmentType.TOOL_CALL, { name: "f" }, '{"a":1')).toEqual([])
    expect(made(SegmentType.TOOL_CALL, { name: "f", arguments: "half {" }, "")).toEqual([])
  })
  test("text and reasoning make no call, and events of unknown segments are ignored", () => {
    expect(made(SegmentType.TEXT, { tool_name: "f" }, "x")).toEqual([])
    expect(made(SegmentType.REASONING, {}, "x")).toEqual([])
    expect(new ToolInvocationAdapter().processEvents([SegmentEvent.content("?", "x"), SegmentEvent.end("?")])).toEqual(
      [],
    )
  })
  test("lists open segments, clears them on reset, and invokes incomplete calls only on request", () => {
    const adapter = new ToolInvocationAdapter()
    adapter.processEvent(SegmentEvent.start("__proto__", SegmentType.RUN_BASH))
    expect(adapter.getActiveSegmentIds()).toEqual(["__proto__"])
    adapter.reset()
    expect(adapter.getActiveSegmentIds()).toEqual([])
    const cut = [
      SegmentEvent.start("s", SegmentType.RUN_BASH),
      SegmentEvent.content("s", "ls"),
      SegmentEvent.end("s", undefined, true),
    ]
    expect([adapter.processEvents(cut), adapter.getActiveSegmentIds()]).toEqual([[], []])
    expect(new ToolInvocationAdapter(undefined, { invokeTruncated: true }).processEvents(cut)).toHaveLength(1)
  })
})

test("the tool syntax registry maps types and shorthands to tools", () => {
  expect(getToolSyntaxSpec(SegmentType.WRITE_FILE)?.toolName).toBe("write_file")
  expect(getToolSyntaxSpec("EDIT_FILE")?.toolName).toBe("edit_file")
  expect(getToolSyntaxSpec("RUN_TERMINAL_CMD")?.toolName).toBe("run_bash")
  for (const name of [SegmentType.TEXT, "constructor", "__proto__"]) expect(getToolSyntaxSpec(name)).toBeUndefined()
  expect(toolSyntaxRegistryItems().map(([name, spec]) => `${name} ${spec.toolName}`)).toEqual([
    "write_file write_file",
    "edit_file edit_file",
    "run_bash run_bash",
    "run_terminal_cmd run_bash",
  ])
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
  test("a field called __proto__ is a field", () => {
    const { completed } = new JsonStringFieldExtractor([], ["__proto__"]).feed('{"__proto__":"x"}')
    expect(Object.entries(completed)).toEqual([["__proto__", "x"]])
  })
})

test("ToolSchemaProvider describes the tools of one's own", () => {
  const tool = { name: "f", description: "d", parameters: { type: "object" } }
  const provider = new ToolSchemaProvider(new Map([["f", tool]]))
  expect(provider.buildSchema(["f", "unknown"], LLMProvider.GEMINI)).toEqual([tool])
})
