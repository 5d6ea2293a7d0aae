// Tests that the arguments that come out are those that went in, whatever they contain, and that damage makes no call.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { type ArgumentDelta, segments, TAG_PROFILES, type TagFormats } from "../../src/streaming/index.ts"
import { cutAt } from "./parsing.ts"

const RUNS = Number(process.env.ANY_CALL_RUNS ?? 400)

type Args = readonly (readonly [name: string, value: string])[]
type Call = readonly [name: string, args: object]

/** A format: how it writes a call, what ends an argument in it, and how its blocks and arguments look to a regex. */
interface Format {
  readonly write: (name: string, args: Args) => string
  readonly ends: RegExp
  readonly opening: RegExp
  readonly close: RegExp
  readonly tags: TagFormats
}

const FORMATS: { readonly [name: string]: Format } = {
  claude: {
    write: (name, args) =>
      `<invoke name="${name}">${args.map(([key, value]) => `<parameter name="${key}">${value}</parameter>`).join("\n")}</invoke>`,
    ends: /<\/parameter>(?=\s*(?:<parameter[\s=>/]|<\/invoke>))/i,
    opening: /<invoke\s+name\s*=\s*"\s*([^"<]*[^"<\s])\s*"\s*(\/?)>/i,
    close: /^\s*<\/invoke>/i,
    tags: TAG_PROFILES.claude,
  },
  qwen: {
    write: (name, args) =>
      `<function=${name}>\n${args.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>`).join("\n")}\n</function>`,
    ends: /<\/parameter>(?=\s*(?:<parameter[\s=>/]|<\/function>))/i,
    opening: /<function=([^\s<>"'=]*[^\s<>"'=/])(\/?)>/i,
    close: /^\s*<\/function>/i,
    tags: TAG_PROFILES.qwenCoder,
  },
}

/** An argument's header in either form; the value of one with `=` loses a line break at each side. */
const ARGUMENT = /^\s*<parameter(?:=([^<>]+)|(?:\s+[\w.:-]+\s*=\s*"[^"<>]*")*?\s+name\s*=\s*"([^"<>]+)"\s*)>/

/** The calls in a complete text, read by regular expressions up to the first that can't be read. */
function reference(format: Format, text: string): Call[] {
  const calls: Call[] = []
  for (let rest = text; ; ) {
    const opening = format.opening.exec(rest)
    if (opening === null) return calls
    rest = rest.slice(opening.index + opening[0].length)
    const args = new Map<string, string>()
    if (opening[2] === "/") {
      calls.push([opening[1] ?? "", {}])
      continue
    }
    for (let close = format.close.exec(rest); close === null; close = format.close.exec(rest)) {
      const argument = ARGUMENT.exec(rest)
      const end = argument === null ? null : format.ends.exec(rest.slice(argument[0].length))
      if (argument === null || end === null) return calls
      const value = rest.slice(argument[0].length, argument[0].length + end.index)
      const [, inline, name = ""] = argument
      args.set(inline ?? name, inline === undefined ? value : value.replace(/^\n/, "").replace(/\n$/, ""))
      rest = rest.slice(argument[0].length + end.index + end[0].length)
    }
    calls.push([opening[1] ?? "", Object.fromEntries(args)])
    rest = rest.replace(format.close, "")
  }
}

/** The calls that the library makes, and the arguments that it told while they streamed. */
async function read(chunks: readonly string[], tags: TagFormats): Promise<{ calls: Call[]; told: object[] }> {
  const deltas: ArgumentDelta[] = []
  const all = segments(chunks, { tags, strategyOrder: [], onArgument: delta => deltas.push(delta) })
  const ended = await Array.fromAsync(all, one => one.whole())
  const invocations = ended.flatMap(one => one.invocations)
  const told = invocations.map(({ id, arguments: args }) => {
    const values = new Map<string, string>(Object.keys(args).map(key => [key, ""]))
    for (const { id: own, argument, delta, isAgain } of deltas) {
      if (own === id) values.set(argument, (isAgain ? "" : (values.get(argument) ?? "")) + delta)
    }
    return Object.fromEntries(values)
  })
  return { calls: invocations.map(({ name, arguments: args }) => [name, args] as const), told }
}

const PIECES = [
  ...["a", " ", "\n", "\r\n", "\t", "é", "😀", "İ", '"', "'", "<", ">", "/", "=", "&lt;", "{", "}", "<li>x</li>"],
  ...["</parameter>", "</parameter", "</invoke>", "</function>", "</tool_call>", "<parameter", "</", "if (a < b) {"],
  // JSON and elements are arguments too, so what opens a call here goes on with something else.
  ...['<parameter name="x">', "<parameter=x>", '<invoke name="rm">.', "<function=rm>.", "<tool_call>.", "<think>"],
  ...['<invoke name="rm"><parameter name="x">y</parameter>', "<function=rm>\n<parameter=x>y</parameter>"],
  ...[
    '</parameter><parameter name="y">',
    "</parameter></invoke>",
    "</parameter>\n</function>",
    "<run_bash>ls</run_bash>",
  ],
]
/** Without Markdown code, which the reference doesn't know. */
const value = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map(all => all.join("")),
  fc.string(),
)
const key = fc.constantFrom("a", "b", "path", "文件", "__proto__", "x.y")
const args = fc.uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name })
const places = fc.array(fc.nat({ max: 2000 }), { maxLength: 12 })

for (const [name, format] of Object.entries(FORMATS)) {
  test(`${name}: what was put in comes out, or what its own end makes of it, and streams as it is called`, async () => {
    await fc.assert(
      fc.asyncProperty(args, args, places, async (first, second, at) => {
        const text = `So: ${format.write("f", first)}\nand ${format.write("g", second)}.`
        const { calls, told } = await read(cutAt(text, at), format.tags)
        const isPlain = [...first, ...second].every(([, each]) => !format.ends.test(`${each}\n`))
        const written: Call[] = [
          ["f", Object.fromEntries(first)],
          ["g", Object.fromEntries(second)],
        ]
        expect(calls).toEqual(isPlain ? written : reference(format, text))
        expect(told).toEqual(calls.map(([, each]) => each))
      }),
      { numRuns: RUNS, seed: 35 },
    )
  })

  test(`${name}: a character dropped or changed anywhere makes no call that isn't in the text`, async () => {
    const damage = fc.tuple(fc.nat({ max: 3000 }), fc.constantFrom("", "x", "<", ">", '"', " ", "\n", "/", "="))
    await fc.assert(
      fc.asyncProperty(args, args, damage, places, async (first, second, [place, by], at) => {
        const whole = `So: ${format.write("f", first)}\nand ${format.write("g", second)}.`
        const spot = place % whole.length
        const text = whole.slice(0, spot) + by + whole.slice(spot + 1)
        const { calls } = await read(cutAt(text, at), format.tags)
        const said = reference(format, text)
        for (const call of calls) expect(said).toContainEqual(call)
      }),
      { numRuns: RUNS, seed: 35 },
    )
  })
}
