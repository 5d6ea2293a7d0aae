// Tests registered state classes, and runs the exported states directly.
import { describe, expect, test } from "bun:test"
import {
  BaseState,
  createStreamingParser,
  extractSegments,
  ParserConfig,
  type ParserConfigOptions,
  ParserContext,
  parseCompleteResponse,
  registerXmlToolParsingState,
  SegmentType,
  SentinelContentState,
  StreamingParser,
  StreamScanner,
  TextState,
  ToolInvocationAdapter,
  XmlEditFileToolParsingState,
  XmlRunBashToolParsingState,
  XmlToolParsingState,
  XmlToolParsingStateRegistry,
  XmlWriteFileToolParsingState,
} from "../../src/streaming/index.ts"
import { cut, readOf } from "./parsing.ts"

/** What a text is read as, the same in several chunk sizes. */
function readAll(text: string) {
  const [first, ...others] = [10_000, 1, 3, 8].map(size => {
    const parser = createStreamingParser({ parserName: "xml" })
    const events = cut(text, size).flatMap(chunk => parser.feed(chunk))
    return readOf([...events, ...parser.finalize()])
  })
  for (const other of others) expect(other).toEqual(first ?? [])
  return (first ?? []).map(one => JSON.stringify(one)).join("\n")
}

describe("a registered class", () => {
  test("costs what a built-in state costs, also for many blocks in one chunk", () => {
    registerXmlToolParsingState("cheap", class extends XmlToolParsingState {})
    const text = '<tool name="cheap"></tool>\n'.repeat(80_000)
    const parser = createStreamingParser({ parserName: "xml" })
    // A chunk copied for each block takes minutes.
    expect(extractSegments(parser.feed(text)).length).toBe(160_000)
    expect(parser.context.scanner.hasMoreChars()).toBe(false)
  })

  test("can be given to one parser alone, before those of the registry", () => {
    class Own extends XmlToolParsingState {
      override get shape() {
        return { ...super.shape, type: SegmentType.MEDIA }
      }
    }
    const text = '<tool name="Mine">a</tool><tool name="run_bash">b</tool>'
    const types = (toolStates = {}) =>
      extractSegments(createStreamingParser({ parserName: "xml", toolStates }).feedAndFinalize(text)).map(
        ({ type }) => type,
      )
    expect<string[]>(types({ MINE: Own, run_bash: XmlToolParsingState })).toEqual(["media", "tool_call"])
    expect<string[]>(types()).toEqual(["tool_call", "text"])
    const safe = createStreamingParser({ parserName: "xml", safe: true, toolStates: { mine: Own } })
    const read = readOf(safe.feedAndFinalize('<tool name="mine"><arg name="a">x</tool>y</arg></tool>'))
    expect(read.map(({ content }) => content)).toEqual(['<arg name="a">x</tool>y</arg>'])
  })

  test("reads held text of an earlier chunk again where a tool turns out to be text", () => {
    registerXmlToolParsingState("again", class extends XmlToolParsingState {})
    const inner = '<tool name="again">b</tool>'
    expect(readAll(`<tool name="run_bash"><arg name="command">a</arg></arguments> ${inner}c`)).toMatchSnapshot()
  })

  test("that hands over to another without reading ends in an error, not in a hang", () => {
    class Ping extends XmlToolParsingState {
      override run() {
        this.context.transitionTo(new Ping(this.context, this.openingTag))
      }
    }
    registerXmlToolParsingState("ping", Ping)
    const parser = createStreamingParser({ parserName: "xml" })
    expect(() => parser.feed('<tool name="ping">x</tool>')).toThrow(/expected a state to read/)
  })

  test("without changes reads like its parent, in any case of the tool's name", () => {
    class MyCustomToolState extends XmlToolParsingState {}
    registerXmlToolParsingState("My_Tool", MyCustomToolState)
    expect(new XmlToolParsingStateRegistry().getStateForTool("my_tool")).toBe(MyCustomToolState)
    expect(readAll('a<tool name="MY_TOOL"><arg name="x">1 < 2</arg></tool>b<tool name="my_tool">')).toMatchSnapshot()
  })

  test("with its own markers streams the text between them", () => {
    class Marked extends XmlEditFileToolParsingState {
      override get shape() {
        return { ...super.shape, startMarker: "<<<BEGIN", endMarker: "END>>>" }
      }
    }
    registerXmlToolParsingState("my_patch", Marked)
    const text =
      '<tool name="my_patch"><arg name="path">/a</arg><arg name="patch">\n<<<BEGIN\n-a </arg>\nEND>>>\n</arg></tool>.'
    expect(readAll(text)).toMatchSnapshot()
    expect(new ToolInvocationAdapter().processEvents(parseCompleteResponse(text))).toEqual([
      { id: "seg_1", name: "my_patch", arguments: { path: "/a", patch: "-a </arg>\n" } },
    ])
  })

  test("with its own run and finalize reads characters, emits, and hands over", () => {
    class Shout extends XmlToolParsingState {
      #started = false
      override run(): void {
        const { scanner, emitter } = this.context
        if (!this.#started) {
          this.#started = true
          emitter.emitSegmentStart(SegmentType.TOOL_CALL, { tool_name: this.toolName })
        }
        while (scanner.hasMoreChars()) {
          if (scanner.peek() === "!") {
            scanner.advance()
            emitter.emitSegmentEnd({ loud: true })
            this.context.transition_to(new TextState(this.context))
            return
          }
          emitter.emitSegmentContent(scanner.advance().toUpperCase())
        }
      }
      override finalize(): void {
        this.context.emitter.emitSegmentContent("…")
        this.context.emitter.emitSegmentEnd()
      }
    }
    registerXmlToolParsingState("shout", Shout)
    expect(
      readAll('a<tool name="shout">hey😀!b<run_bash>x</run_bash><tool name="shout">!<tool name="shout">cut'),
    ).toMatchSnapshot()
    const parser = createStreamingParser({ parserName: "xml" })
    parser.feed('<tool name="shout">hey')
    expect(parser.context.scanner.substring(0)).toBe("")
  })

  test("that hands over to a text of its own has that finalized", () => {
    class Own extends TextState {
      override finalize() {
        this.context.emitter.emitSegmentContent("∎")
        super.finalize()
      }
    }
    class Handed extends XmlToolParsingState {}
    registerXmlToolParsingState("hand_over", Handed)
    class Handing extends XmlToolParsingState {
      override run() {
        this.context.transition_to(new Own(this.context))
      }
    }
    registerXmlToolParsingState("hand", Handing)
    expect(readAll('<tool name="hand">a<b')).toMatchSnapshot()
    // What opens last in it is entered at once.
    const parser = createStreamingParser({ parserName: "xml" })
    parser.feed('<tool name="hand">a')
    parser.feed('b<tool name="hand_over">')
    expect(parser.context.currentState).toBeInstanceOf(Handed)
  })

  test("that reads lines keeps unread text, and loses nothing at the end", () => {
    class Lines extends XmlToolParsingState {
      override run(): void {
        const { scanner, emitter } = this.context
        if (emitter.segmentType !== SegmentType.TOOL_CALL) emitter.emitSegmentStart(SegmentType.TOOL_CALL)
        for (let at = scanner.indexOf("\n"); at !== -1; at = scanner.indexOf("\n")) {
          const line = scanner.advance(at + 1 - scanner.position)
          if (line === ".\n") {
            emitter.emitSegmentEnd()
            this.context.transitionTo(new TextState(this.context))
            return
          }
          emitter.emitSegmentContent(line)
        }
      }
      override finalize(): void {}
    }
    registerXmlToolParsingState("lines", Lines)
    expect(readAll('<tool name="lines">a\nbc\n.\nd<tool name="lines">half')).toMatchSnapshot()
  })

  test("that wraps its parent is called at the start, for each chunk, and at the end", () => {
    const seen: string[] = []
    class Watched extends XmlRunBashToolParsingState {
      override run(): void {
        seen.push("run")
        super.run()
      }
      override finalize(): void {
        seen.push("finalize")
        super.finalize()
      }
    }
    registerXmlToolParsingState("watched", Watched)
    const parser = createStreamingParser({ parserName: "xml" })
    const events = ['<tool name="watched"><arg name="comm', 'and">ls', " -l"].flatMap(chunk => parser.feed(chunk))
    expect(parser.context.currentState).toBeInstanceOf(Watched)
    expect(readOf([...events, ...parser.finalize(), ...parser.abort()])).toEqual([
      { type: "run_bash", metadata: { tool_name: "watched" }, content: "ls -l", end: { complete: false } },
    ])
    expect(seen).toEqual(["run", "run", "run", "finalize"])
  })
})

test("the registry is process-wide, has the three tools, and keeps the case of names", () => {
  class Other extends XmlToolParsingState {}
  new XmlToolParsingStateRegistry().registerToolState("Exact_Name", Other)
  const registry = new XmlToolParsingStateRegistry()
  expect(registry.getStateForTool("Exact_Name")).toBe(Other)
  expect(registry.getStateForTool("exact_name")).toBeUndefined()
  expect(registry.getStateForTool("write_file")).toBe(XmlWriteFileToolParsingState)
  expect(registry.getStateForTool("edit_file")).toBe(XmlEditFileToolParsingState)
  expect(registry.getStateForTool("run_bash")).toBe(XmlRunBashToolParsingState)
  for (const name of ["constructor", "__proto__"]) expect(registry.getStateForTool(name)).toBeUndefined()
})

describe("a state run directly", () => {
  const context = () => new ParserContext(new ParserConfig())

  test("TextState reads to the end of the scanner, and ends each segment whole", () => {
    const shared = context()
    const state = new TextState(shared)
    expect(state).toBeInstanceOf(BaseState)
    shared.transition_to(state)
    shared.scanner.append("a<run_bash>b</run_bash>c")
    state.run()
    state.finalize()
    const read = readOf(shared.emitter.getAndClearEvents())
    expect(read.map(({ content, end = "whole" }) => `${content} ${end}`)).toEqual(["a whole", "b whole", "c whole"])
    expect(shared.scanner.hasMoreChars()).toBe(false)
  })
  test("a tool state ends with its block and leaves the rest unread", () => {
    const shared = context()
    const state = new XmlWriteFileToolParsingState(shared, '<tool name="write_file">')
    shared.transition_to(state)
    shared.scanner.append('<arg name="path">/a</arg><arg name="content">x</arg></tool>rest')
    state.run()
    expect(shared.currentState).toBeInstanceOf(TextState)
    const { position } = shared.scanner
    expect([position, shared.scanner.takeRest()]).toEqual([59, "rest"])
    expect(readOf(shared.emitter.getAndClearEvents())).toEqual([
      { type: "write_file", metadata: { path: "/a" }, content: "x" },
    ])
  })
  test("SentinelContentState reads to the end marker", () => {
    const shared = context()
    const state = new SentinelContentState(shared, SegmentType.EDIT_FILE, { path: "/a" })
    shared.scanner.append("@@[[SEG_END]] rest")
    state.run()
    expect(shared.scanner.takeRest()).toBe(" rest")
    expect(readOf(shared.emitter.getAndClearEvents())).toEqual([
      { type: "edit_file", metadata: { path: "/a" }, content: "@@" },
    ])
  })
  test("the emitter appends text to text, and ends what is none before it", () => {
    const { emitter } = context()
    emitter.appendTextSegment("a")
    expect([emitter.segmentId, emitter.emitSegmentStart(SegmentType.TOOL_CALL)]).toEqual(["seg_1", "seg_2"])
    for (const text of ["b", "c"]) emitter.appendTextSegment(text)
    const read = extractSegments(emitter.getAndClearEvents()).map(({ type, content }) => `${type} ${content}`)
    expect(read).toEqual(["text a", "tool_call ", "text bc"])
  })
  test("the context shows the configuration", () => {
    const { parseToolCalls, strategyOrder } = new ParserContext(
      new ParserConfig({ parseToolCalls: false, strategyOrder: ["sentinel"] }),
    )
    expect([parseToolCalls, strategyOrder]).toEqual([false, ["sentinel"]])
  })
  test("the scanner drops read text and keeps its positions", () => {
    const scanner = new StreamScanner()
    scanner.append("abc")
    expect([scanner.peek(), scanner.peek(2), scanner.peek(3)]).toEqual(["a", "c", undefined])
    expect([scanner.advance(2), scanner.advance(-1)]).toEqual(["ab", ""])
    scanner.append("def")
    expect([scanner.position, scanner.end, scanner.indexOf("e"), scanner.substring(0)]).toEqual([2, 6, 4, "cdef"])
    expect([scanner.substring(0, 1), scanner.substring(3, 5)]).toEqual(["", "de"])
    scanner.setPosition(99)
    expect([scanner.position, scanner.hasMoreChars()]).toEqual([6, false])
    scanner.setPosition(0)
    expect([scanner.position, scanner.advance(99), scanner.position]).toEqual([2, "cdef", 6])
  })
})

describe("StreamingParser", () => {
  test("throws on misuse", () => {
    const parser = new StreamingParser()
    expect(parser.isFinalized).toBe(false)
    parser.finalize()
    expect(parser.isFinalized).toBe(true)
    expect(() => parser.feed("x")).toThrow(/Cannot feed/)
    expect(() => parser.finalize()).toThrow(/already been called/)
    expect(parser.abort()).toEqual([])
    expect(() => createStreamingParser({ parserName: "nonsense" })).toThrow(/Unknown parser strategy/i)
    expect(() => createStreamingParser({ parserName: "constructor" })).toThrow(/Unknown parser strategy/i)
  })
  test("is created by name, with that name's strategies", () => {
    const own = { segmentIdPrefix: "o:", safe: true, parseToolCalls: false }
    const config = new ParserConfig({ strategyOrder: ["sentinel"], ...own })
    const parser = createStreamingParser({ config, parserName: "json", segmentIdPrefix: "p:" })
    expect(parser).toBeInstanceOf(StreamingParser)
    expect(parser.config).toMatchObject({ ...own, strategyOrder: ["json_tool"], segmentIdPrefix: "p:" })
    expect(parser.feed('{"name":1}')[0]?.segment_id).toBe("p:seg_1")
    expect(createStreamingParser({ parserName: "api_tool_call" }).feed("<run_bash>x</run_bash>")).toHaveLength(2)
  })
  test("copies its configuration", () => {
    const [strategyOrder, jsonToolPatterns, tags] = [["xml_tag"], ["{"], {}]
    const config = new ParserConfig({ strategyOrder, jsonToolPatterns, tags })
    for (const list of [strategyOrder, jsonToolPatterns]) list.push("sentinel")
    Object.assign(tags, { think: "reasoning" })
    const { strategyOrder: order, jsonToolPatterns: patterns, tags: kept } = config
    expect([order, patterns, kept]).toEqual([["xml_tag"], ["{"], {}])
    expect(new ParserConfig()).toMatchObject({ parseToolCalls: true, strategyOrder: ["xml_tag"] })
  })
  /** The segments of a text as their types and contents. */
  const brief = (text: string, options: ParserConfigOptions): string =>
    readOf(parseCompleteResponse(text, new ParserConfig(options)))
      .map(({ type, content }) => `${type}«${content}»`)
      .join(" ")

  test("reads half a character as text, and without parseToolCalls <tool> and JSON calls too, but not sentinels", () => {
    const strategyOrder = ["xml_tag", "json_tool", "sentinel", "unknown"]
    const [tool, json, bash] = ['<tool name="x">a</tool>', '{"name":1}', "<run_bash>b</run_bash>"]
    expect(brief("a\ud83d", {})).toBe("text«a\ud83d»")
    const text = `${tool}${json}${bash}[[SEG_START {"type":"tool","name":"y"}]]c[[SEG_END]]`
    expect(brief(text, { parseToolCalls: false, strategyOrder })).toBe(`text«${tool}${json}» run_bash«b» tool_call«c»`)
  })
  test("starts a JSON call at a pattern with a blank within its quotes", () => {
    const options = { strategyOrder: ["json_tool"], jsonToolPatterns: ['{ "my tool" :'] }
    expect(brief('{"my tool": {}}', options)).toBe('tool_call«{"my tool": {}}»')
  })
  test.each([
    ["{Call:", 'text«a » tool_call«{Call: 1}» text« b { call: 2} c {"n": 3} d [4]»'],
    ["{call:|[", 'text«a {Call: 1} b » tool_call«{ call: 2}» text« c {"n": 3} d » tool_call«[4]»'],
    ["{", 'text«a » tool_call«{Call: 1}» text« b » tool_call«{ call: 2}» text« c » tool_call«{"n": 3}» text« d [4]»'],
  ])("starts a JSON call at the configured patterns, even at any bracket: %s", (patterns, read) => {
    const text = 'a {Call: 1} b { call: 2} c {"n": 3} d [4]'
    expect(brief(text, { strategyOrder: ["json_tool"], jsonToolPatterns: patterns.split("|") })).toBe(read)
  })
  test("takes the earliest match, and the first syntax in order at the same character", () => {
    const text = '[[SEG_START {"type":"text"}]]a[[SEG_END]][{"name":1}]'
    for (const first of ["json_tool", "sentinel"])
      expect(brief(text, { strategyOrder: [...new Set([first, "sentinel", "json_tool"])] })).toBe(
        'text«a» tool_call«[{"name":1}]»',
      )
  })
})
