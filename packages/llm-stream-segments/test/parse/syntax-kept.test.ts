// Keeps how the texts of fixtures/texts are read: what models write, what they get wrong, and the limits.
import { expect, test } from "bun:test"
import {
  type ArgumentDelta,
  DefaultJsonToolParsingStrategy,
  GeminiJsonToolParsingStrategy,
  getJsonToolParsingProfile,
  LLMProvider,
  OpenAiJsonToolParsingStrategy,
  TAG_PROFILES as P,
  parseJsonToolCall,
  parseXmlArguments,
  segments,
} from "../../src/streaming/index.ts"
import { type PictureOptions, picture, shown, texts } from "../streaming/picture.ts"

const NAMED = { ...P.think, ...P.hermes }

test.each<[string, file: string, PictureOptions]>([
  ["files, commands and tools in AutoByteus' tags", "autobyteus", { parserName: "xml" }],
  ["calls in JSON", "json", { parserName: "json" }],
  ["segments between sentinels", "sentinel", { parserName: "sentinel" }],
  ["calls in JSON within tags", "hermes", { tags: P.hermes }],
  ["calls of Hermes and Qwen Coder", "both", { tags: { ...P.hermes, ...P.qwenCoder } }],
  ["calls of Qwen Coder and Hermes", "both", { tags: { ...P.qwenCoder, ...P.hermes } }],
  ["tags beside native calls", "both", { tags: { ...P.think, ...P.hermes }, parserName: "api_tool_call" }],
  ["Solar's thoughts", "begun", { tags: P.solar, startIn: "solarThought" }],
  ["a call near Markdown code", "markdown", { tags: P.hermes }],
  ["commands and files in and near Markdown code", "safe", { parserName: "xml" }],
  ["calls that are whole, and what only looks like one", "whole-calls", { tags: { ...P.claude, ...P.qwenCoder } }],
  ["reasoning, and tags that are no calls", "tags", { tags: { ...NAMED, ...P.claude } }],
  ["an answer that begins within its thoughts", "begun", { tags: P.think, startIn: "Think" }],
  ["a call that the stream's end closes", "ending", { tags: P.hermes, endCloses: true }],
  ["calls where none are looked for", "off", { tags: { ...NAMED, ...P.claude, ...P.kimiK2 }, parseToolCalls: false }],
  ["a call named in its tag", "function", { tags: P.llama }],
  ["calls in Python", "python", { tags: P.llama4 }],
  ["calls in Gemma's notation", "gemma", { tags: P.gemma4 }],
  ["calls by key", "apertus", { tags: P.apertus }],
])("%s", async (_name, file, options) => {
  const pictures = texts(file).map(async text => {
    const safe = await picture(text, options)
    const other = await picture(text, { ...options, safe: false })
    return [shown(text), safe, ...(other === safe ? [] : [`not safe: ${other}`])].join("\n  ")
  })
  expect((await Promise.all(pictures)).join("\n")).toMatchSnapshot()
})

test("arguments in tags", () => {
  const read = (text: string) => `${shown(text)} ${shown(JSON.stringify(parseXmlArguments(text)))}`
  expect(texts("arguments").map(read).join("\n")).toMatchSnapshot()
  const nested = (depth: number) => parseXmlArguments(`${"<a>".repeat(depth)}1${"</a>".repeat(depth)}`)
  expect(JSON.stringify(nested(64))).toContain('"a":"1"')
  expect(JSON.stringify(nested(65))).toContain('"a":"<a>1</a>"')
})

test("calls in JSON by each provider's own form", () => {
  const strategies = [OpenAiJsonToolParsingStrategy, GeminiJsonToolParsingStrategy, DefaultJsonToolParsingStrategy]
  const both = '{"name": "f", "arguments": {"at": 1}, "args": {"at": 2}, "parameters": {"at": 3}, "input": {"at": 4}}'
  const nested = ["[[[{}]]]", "[[[[{}]]]]"].map(list => list.replace("{}", both))
  const lines = [
    both,
    '{"function": {"name": "f", "args": {}}}',
    `\`\`\`\n${both}\n\`\`\``,
    ...nested,
    "x",
    "",
    "null",
  ].map(text => {
    const first = [undefined, getJsonToolParsingProfile("gemini")].map(profile => parseJsonToolCall(text, profile))
    const all = strategies.map(Strategy => JSON.stringify(new Strategy().parse(text)))
    return [shown(text), ...all, `first: ${JSON.stringify(first)}`].join("\n  ")
  })
  const providers = [...Object.values(LLMProvider), "openai", "other", "", null, undefined]
  const profiles = providers.map(provider => {
    const { signaturePatterns, parser } = getJsonToolParsingProfile(provider)
    return `${provider}: ${signaturePatterns.join(" ")} ${parser.constructor.name}`
  })
  expect([...lines, ...profiles].join("\n")).toMatchSnapshot()
})

const VALUES = '5| 5 |-0.5|1e3|007|0x10|5.0|five|| |true|True|FALSE|null|None|"x"|[1]|{"a":1}|[1'.split("|")
const TYPES: readonly object[] = [
  ...["string", "integer", "number", "boolean", "array", "object", "null"].map(type => ({ type })),
  ...[
    ["string", "null"],
    ["integer", "null"],
  ].map(type => ({ type })),
  ...["$defs/Named", "definitions/Old", "$defs/Missing", "$defs/Self"].map(name => ({ $ref: `#/${name}` })),
  ...[{ type: "string", nullable: true }, { allOf: [{ $ref: "#/$defs/Named" }] }, { const: true }, {}],
  ...[{ anyOf: [{ type: "string" }, { type: "number" }] }, { oneOf: [{ type: "boolean" }, { type: "array" }] }],
  ...[{ enum: [1, 2] }, { enum: ["1", null] }, { type: "string", enum: [5] }],
]

/** What a text's call gets, and what was told of it while it streamed. */
async function typed(text: string, tools: NonNullable<PictureOptions["tools"]>) {
  const told: Record<string, unknown> = {}
  const onArgument = ({ argument, delta, isJson }: ArgumentDelta): void => {
    told[argument] = isJson ? JSON.parse(delta) : `${told[argument] ?? ""}${delta}`
  }
  const [whole] = await Array.fromAsync(segments(text, { tags: P.claude, tools, onArgument }), one => one.whole())
  return { args: whole?.invocations[0]?.arguments ?? {}, told }
}

test("a value in a tag, by the type that the tool's schema gives it, in each way to write the list of tools", async () => {
  const $defs = { Named: { type: "number" }, Self: { $ref: "#/$defs/Self" } }
  const lines = TYPES.map(async type => {
    const properties = Object.fromEntries(VALUES.map((_, at) => [`v${at}`, type]))
    const schema = { properties, $defs, definitions: { Old: { type: "integer" } } }
    const values = VALUES.map((value, at) => `<parameter name="v${at}">${value}</parameter>`)
    const text = `<invoke name="f">${values.join("")}</invoke>`
    const { args, told } = await typed(text, [{ name: "f", input_schema: schema }])
    // What is empty is told by the call alone.
    expect(told).toEqual(Object.fromEntries(Object.entries(args).filter(([, value]) => value !== "")))
    const others = [
      { type: "function", function: { name: "f", parameters: schema } },
      { name: "f", inputSchema: schema },
    ]
    for (const other of others) expect((await typed(text, [other])).args).toEqual(args)
    const given = Object.values(args)
    const changed = VALUES.flatMap((value, at) => (given[at] === value ? [] : `${value}→${JSON.stringify(given[at])}`))
    return `${JSON.stringify(type)}: ${changed.join(", ") || "text"}`
  })
  expect((await Promise.all(lines)).join("\n")).toMatchSnapshot()
})
