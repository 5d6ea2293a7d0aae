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
import { cut } from "./parsing.ts"

const P = TAG_PROFILES
const paris = ["weather", { city: "Paris" }]
const json = (city: string) => `{"city": "${city}"}`
/** What a text is read as: its calls, its visible text, and its thoughts. */
interface FamilyCalls {
  readonly calls: readonly unknown[]
  readonly text?: string
  readonly thought?: string
}

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

test("an adapter that was not given the format makes no call of it", () => {
  const parser = createStreamingParser({ parserName: "xml", tags: P.glm })
  const events = parser.feedAndFinalize("<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>")
  expect(new ToolInvocationAdapter().processEvents(events)).toEqual([])
  const [made] = new ToolInvocationAdapter(undefined, { tags: P.glm }).processEvents(events)
  expect(made?.arguments).toEqual({ a: "1" })
})

test("formats that can't be told apart, or that read by none for free strings, are refused", () => {
  const unread = FORMATS.strings({ a: { open: "@", reads: P.sentinel.sentinel as never } })
  expect(() => createStreamingParser({ tags: unread })).toThrow("expected open, and reads")
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
