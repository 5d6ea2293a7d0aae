// Tests the formats of model families: texts written to each grammar, and the calls that its server's parser gives.
import { expect, test } from "bun:test"
import {
  ArgumentReader,
  createStreamingParser,
  FORMATS,
  TAG_PROFILES,
  ToolInvocationAdapter,
} from "../../src/streaming/index.ts"
import { picture } from "./picture.ts"

const P = TAG_PROFILES

test("readers of events that were not given the format make no call of it", () => {
  const parser = createStreamingParser({ parserName: "xml", tags: P.glm })
  const events = parser.feedAndFinalize("<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>")
  expect(new ToolInvocationAdapter().processEvents(events)).toEqual([])
  const [made] = new ToolInvocationAdapter(undefined, { tags: P.glm }).processEvents(events)
  expect(made?.arguments).toEqual({ a: "1" })
  const tools = [{ name: "f", parameters: { properties: { a: { type: "integer" } } } }]
  const told = [{}, { tags: P.glm }, { tags: P.glm, tools }].map(options => {
    const reader = new ArgumentReader(options)
    return events.flatMap(event => reader.processEvent(event)).map(({ delta, isJson }) => `${delta} ${isJson}`)
  })
  expect(told).toEqual([[], ["1 false"], ["1 true"]])
})

test("formats that can't be told apart, or that read by none for free strings, are refused", () => {
  for (const [open, reads] of [["@", P.sentinel.sentinel as never], [["@", ""], "json"] as const] as const)
    expect(() => createStreamingParser({ tags: FORMATS.strings({ a: { open, reads } }) })).toThrow("expected open, and")
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
  const tags = FORMATS.strings({ mine: { open: "@ @call ", until: ["\n"], close: "@@end", reads: "json" } })
  expect(await picture('So.\n@ @call weather\n{"city": "Paris"}\n@@end', { tags })).toEndWith(
    '→ weather {"city":"Paris"}',
  )
  expect(await picture("<ÉTAT>a</Éta>b</état></ÉTat>", { tags: { État: "reasoning" } })).toBe(
    "reasoning«a</Éta>b</état>»",
  )
})

test("arguments get the types of the tools' schemas in every format with tags", async () => {
  const properties = { n: { type: "integer" }, o: { type: "object" }, b: { type: "boolean" } }
  const tools = [{ name: "f", parameters: { type: "object", properties } }]
  const glm = "<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>3</arg_value>\n</tool_call>"
  expect(await picture(glm, { tags: P.glm, tools })).toEndWith('→ f {"n":3}')
  expect(await picture("<f><n>3</n></f>", { tags: P.namedTools("f"), tools })).toEndWith('→ f {"n":3}')
  const named =
    '<｜DSML｜invoke name="f"><｜DSML｜parameter name="b" string="false">True</｜DSML｜parameter></｜DSML｜invoke>'
  expect(await picture(named, { tags: P.deepseekV32, tools })).toEndWith('→ f {"b":true}')
  const marked = ['<invoke name="f">', "<n>3", "</n>", "<o>", "<a>1", "</a>", "</o>", "</invoke>"]
  const minimax = marked.map(tag => `]<]minimax[>[${tag}`).join("")
  expect(await picture(minimax, { tags: P.minimaxM3, tools })).toEndWith('→ f {"n":3,"o":{"a":"1"}}')
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
