// Tests the formats of model families: texts written to each grammar, and the calls that its server's parser gives.
import { expect, test } from "bun:test"
import {
  createStreamingParser,
  FORMATS,
  type SegmentOptions,
  segments,
  TAG_PROFILES,
  type TagFormats,
  ToolInvocationAdapter,
} from "../../src/streaming/index.ts"
import { call, FAMILIES, type FamilyCalls, invoke, json, paris } from "./family-texts.ts"
import { cut } from "./parsing.ts"

const P = TAG_PROFILES

async function read(text: string, options: SegmentOptions): Promise<FamilyCalls> {
  const size = Number(options.segmentIdPrefix)
  const all = await Array.fromAsync(segments(cut(text, size), options), one => one.whole())
  const joined = (type: string) => all.flatMap(one => (one.type === type ? [one.content] : [])).join("")
  const calls = all.flatMap(one => one.invocations).map(({ name, arguments: args }) => [name, args])
  return { calls, text: joined("text").trim(), thought: joined("reasoning").trim() }
}

/** Expects this reading in chunks of every size up to 12, and in one. */
async function each(
  tags: TagFormats,
  text: string,
  expected: FamilyCalls,
  options: SegmentOptions = {},
): Promise<void> {
  for (const size of [text.length, ...Array.from({ length: 12 }, (_, i) => i + 1)]) {
    const found = await read(text, { ...options, tags, segmentIdPrefix: String(size) })
    expect([size, found]).toEqual([size, { text: "", thought: "", ...expected }])
  }
}

test.each(FAMILIES)("%s", async (_name, tags, text, expected) => {
  await each(tags, text, expected)
})

test.each([
  ["no name", P.kimiK2, "<|tool_call_begin|>functions.:0<|tool_call_argument_begin|>{}<|tool_call_end|>"],
  ["no JSON", P.kimiK2, "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>a=1<|tool_call_end|>"],
  ["text between pairs", P.glm, "<tool_call>f\nwith\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>"],
  ["a bracket after the name", P.mistral, '[TOOL_CALLS] f [{"name": "g", "arguments": {}}]'],
  ["nothing after the name", P.mistral, "[TOOL_CALLS]f[ARGS] and so on"],
  ["cut off", P.lfm2, "<|tool_call_start|>[f(a=1)]"],
  ...["f(a=1),,", "[f(),,]", "[,f()]", "f() g()", "[f()\ng()]", "[f(a=1, a=2)]", "[f(a=1__0)]", "[f(1)]"].map(
    list => [list, P.lfm2, `<|tool_call_start|>${list}<|tool_call_end|>`] as const,
  ),
  ["a name that is no value", P.lfm2, "<|tool_call_start|>[f(a=b)]<|tool_call_end|>"],
  ["an unclosed text", P.gemma4, '<|tool_call>call:f{a:<|"|>x}<tool_call|>'],
  ["two keys", P.apertus, '<|tools_prefix|>[{"f": {}, "g": {}}]<|tools_suffix|>'],
  ["words for a name", P.glm, "In <tool_call>a call</tool_call> tags"],
  ["a word after the name", P.harmony, "<|channel|>commentary to=functions.f code<|message|>{}<|call|>"],
  ["an example", P.kimiK2, "`<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>`"],
] as const)("what a family didn't write so is no call: %s", async (_name, tags, text) => {
  const calls = (await read(text, { tags, segmentIdPrefix: "3" })).calls
  expect(calls).toEqual([])
})

test.each([
  ["Phi-4", P.phi4, "Use functools.partial, or functools (new)"],
  ["Granite", P.granite, "A <tool_call> begins a call"],
  ["Mistral", P.mistralOld, "[TOOL_CALLS] is a mark"],
])("%s: what opens calls, said without one, is shown", async (_name, tags, text) => {
  await each(tags, text, { calls: [], text })
})

test.each([
  ["Hermes", P.hermes, `${call("Rome")}\n</tool_call>`, `<tool_call>${call("Paris")}</tool_call>`],
  ["Claude", P.claude, '<parameter name="city">Rome</parameter>\n</invoke>', invoke("invoke", "parameter", "Paris")],
  ["GLM", P.glm, "weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>", ""],
  ["Kimi K2", P.kimiK2, `functions.weather:0<|tool_call_argument_begin|>${json("Rome")}<|tool_call_end|>`, ""],
  ["gpt-oss", P.harmony, ` to=functions.weather <|constrain|>json<|message|>${json("Rome")}<|call|>`, ""],
  ["Mistral", P.mistral, `weather[ARGS]${json("Rome")}`, `[TOOL_CALLS]weather${json("Paris")}`],
  ["LFM 2", P.lfm2, '[weather(city="Rome")]<|tool_call_end|>', ""],
  ["Gemma 4", P.gemma4, 'call:weather{city:<|"|>Rome<|"|>}<tool_call|>', ""],
])("%s: a call whose opening was cut off is text, and a whole one after it is made", async (...row) => {
  const [, tags, cutCall, whole] = row
  await each(tags, cutCall + whole, { calls: whole === "" ? [] : [paris], text: cutCall.trim() })
})

test("an adapter that was not given the format makes no call of it", () => {
  const parser = createStreamingParser({ parserName: "xml", tags: P.glm })
  const events = parser.feedAndFinalize("<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>")
  expect(new ToolInvocationAdapter().processEvents(events)).toEqual([])
  const [made] = new ToolInvocationAdapter(undefined, { tags: P.glm }).processEvents(events)
  expect(made?.arguments).toEqual({ a: "1" })
})

test("formats that can't be told apart are refused", () => {
  expect(() => createStreamingParser({ tags: { ...P.glm, ...P.hunyuan3 } })).toThrow(
    /can be told apart, got two .* <tool_call>/,
  )
  expect(() =>
    createStreamingParser({
      tags: { ...P.deepseekV3, ...FORMATS.strings({ a: { open: "<｜tool", reads: "hidden" } }) },
    }),
  ).toThrow(/told apart/)
})

test("a format of one's own", async () => {
  const tags = FORMATS.strings({ mine: { open: "@@call ", until: ["\n"], close: "@@end", reads: "json" } })
  await each(tags, `So.\n@@call weather\n${json("Paris")}\n@@end`, { calls: [paris], text: "So." })
})

test("arguments get the types of the tools' schemas in every format with tags", async () => {
  const properties = { n: { type: "integer" }, o: { type: "object" } }
  const tools = [{ name: "f", parameters: { type: "object", properties } }]
  const glm = "<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>3</arg_value>\n</tool_call>"
  await each(P.glm, glm, { calls: [["f", { n: 3 }]] }, { tools })
  await each(P.namedTools("f"), "<f><n>3</n></f>", { calls: [["f", { n: 3 }]] }, { tools })
  const marked = ['<invoke name="f">', "<n>3", "</n>", "<o>", "<a>1", "</a>", "</o>", "</invoke>"]
  const minimax = marked.map(tag => `]<]minimax[>[${tag}`).join("")
  await each(P.minimaxM3, minimax, { calls: [["f", { n: 3, o: { a: "1" } }]] }, { tools })
})

test("the page of the formats names profiles that are there, and the servers' parsers once each", async () => {
  const page = await Bun.file(new URL("../../../../docs/streaming.md", import.meta.url)).text()
  const [, tools = "", reasoning = ""] = page.split(/^\| (?:tool|reasoning) parser \|/m)
  const columns = (table: string, at: number) =>
    [...table.matchAll(/^\| (`.*?) \| (.*) \|$/gm)].flatMap(row =>
      [...(row[at] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ""),
    )
  const servers = columns(tools.split("\n\n")[0] ?? "", 1)
  expect([servers.length, new Set(servers).size]).toEqual([52, 52])
  expect(new Set(columns(reasoning.split("\n\n")[0] ?? "", 1)).size).toBe(30)
  const cells = [tools, reasoning].flatMap(table => columns(table.split("\n\n")[0] ?? "", 2))
  const profiles = cells.filter(name => /^\w+$/.test(name))
  expect(profiles.filter(name => !Object.hasOwn(P, name))).toEqual([])
})
