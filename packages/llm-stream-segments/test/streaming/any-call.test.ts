// Tests that the arguments that come out are those that went in, whatever they contain, and that damage makes no call.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import { type ArgumentDelta, TAG_PROFILES as P, segments, type TagFormats } from "../../src/streaming/index.ts"
import { cutAt, PIECES } from "./parsing.ts"

/** A longer run takes more of them from another seed. */
const RUNS = { numRuns: Number(process.env.ANY_CALL_RUNS ?? 200), seed: Number(process.env.ANY_CALL_SEED ?? 35) }

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
    tags: P.claude,
  },
  qwen: {
    write: (name, args) =>
      `<function=${name}>\n${args.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>`).join("\n")}\n</function>`,
    ends: /<\/parameter>(?=\s*(?:<parameter[\s=>/]|<\/function>))/i,
    opening: /<function=([^\s<>"'=]*[^\s<>"'=/])(\/?)>/i,
    close: /^\s*<\/function>/i,
    tags: P.qwenCoder,
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

/** Pieces without Markdown code, or any text. */
const value = fc.oneof(
  fc.array(fc.constantFrom(...(PIECES.values ?? [])), { maxLength: 10 }).map(all => all.join("")),
  fc.string(),
)
const key = fc.constantFrom("a", "b", "path", "文件", "__proto__", "x.y")
const args = fc.uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name })
const places = fc.array(fc.nat({ max: 2000 }), { maxLength: 12 })

for (const [name, format] of Object.entries(FORMATS)) {
  test(`${name}: what was put in comes out, or what its own end makes of it, and streams as it is called`, () =>
    forAll([args, args, places], RUNS, async (first, second, at) => {
      const text = `So: ${format.write("f", first)}\nand ${format.write("g", second)}.`
      const { calls, told } = await read(cutAt(text, at), format.tags)
      const isPlain = [...first, ...second].every(([, each]) => !format.ends.test(`${each}\n`))
      const written: Call[] = [
        ["f", Object.fromEntries(first)],
        ["g", Object.fromEntries(second)],
      ]
      // Text behind a false end may be Markdown code, which the reference doesn't know.
      fc.pre(isPlain || !/[`~]/.test(text))
      expect(calls).toEqual(isPlain ? written : reference(format, text))
      expect(told).toEqual(calls.map(([, each]) => each))
    }))

  test(`${name}: a character dropped or changed anywhere makes no call that isn't in the text`, async () => {
    const damage = fc.tuple(fc.nat({ max: 3000 }), fc.constantFrom("", "x", "<", ">", '"', " ", "\n", "/", "="))
    await forAll([args, args, damage, places], RUNS, async (first, second, [place, by], at) => {
      const whole = `So: ${format.write("f", first)}\nand ${format.write("g", second)}.`
      const spot = place % whole.length
      const text = whole.slice(0, spot) + by + whole.slice(spot + 1)
      const { calls } = await read(cutAt(text, at), format.tags)
      const said = reference(format, text)
      for (const call of calls) expect(said).toContainEqual(call)
    })
  })
}

/** How formats write a call: with arguments in tags, also one of them, what is between two, and what ends a value. */
const FORMS: {
  readonly tags: readonly (readonly [name: string, profile: string, ...forms: readonly string[]])[]
  readonly json: readonly (readonly [name: string, profile: string, form: string])[]
} = JSON.parse(readFileSync(new URL("../../../../fixtures/texts/forms.json", import.meta.url), "utf8"))
const PROFILES = { ...P, Cline: P.namedTools("f", "g") } as unknown as { readonly [name: string]: TagFormats }
/** The form with what its words in capitals stand for. */
const filled = (form: string, words: { readonly [word: string]: string }): string =>
  form.replace(/[A-Z]{3,}/g, word => words[word] ?? word)

const JSON_WRITERS = FORMS.json.map(([name, profile, form]) => {
  const inputOf = name === "LFM 2" ? pythonArguments : (text: string) => text
  const write = (called: string, text: string) => filled(form, { NAME: called, INPUT: inputOf(text) })
  return [name, PROFILES[profile] ?? {}, write] as const
})

const WRITERS: readonly (readonly [name: string, tags: TagFormats, write: Format["write"], ends: RegExp])[] = [
  ...FORMS.tags.map(([name, profile, call = "", argument = "", between = "", ends = ""]) => {
    const write: Format["write"] = (called, values) => {
      const all = values.map(([key, each]) => filled(argument, { KEY: key, VALUE: each })).join(between)
      return filled(call, { NAME: called, PARTS: all })
    }
    return [name, PROFILES[profile] ?? {}, write, new RegExp(ends, "i")] as const
  }),
  ...JSON_WRITERS.map(
    ([name, tags, write]) =>
      [
        name,
        tags,
        (called: string, values: Args) => write(called, JSON.stringify(Object.fromEntries(values))),
        /<\|(tool_call_end|tools_suffix)\|>/,
      ] as const,
  ),
]

/** Keyword arguments for the fields of an object. */
function pythonArguments(text: string): string {
  return Object.entries(JSON.parse(text))
    .map(([key, each]) => `${key}=${JSON.stringify(each)}`)
    .join(", ")
}

test.each(WRITERS)("%s: what was put in comes out, at any split", async (name, tags, write, ends) => {
  const keys = name === "Cline" || name === "LFM 2" ? fc.constantFrom("a", "b", "path", "x_y") : key
  const values = fc.uniqueArray(fc.tuple(keys, value), { maxLength: 4, selector: ([each]) => each })
  await forAll([values, values, places], RUNS, async (first, second, at) => {
    fc.pre([...first, ...second].every(([, each]) => !ends.test(`${each}\n`)))
    const { calls, told } = await read(cutAt(`So: ${write("f", first)}\nand ${write("g", second)}.`, at), tags)
    expect(calls).toEqual([
      ["f", Object.fromEntries(first)],
      ["g", Object.fromEntries(second)],
    ])
    if (!["Apertus", "LFM 2"].includes(name)) expect(told).toEqual(calls.map(([, each]) => each))
  })
})

// Mistral's JSON ends where it is complete, and LFM 2 writes Python.
test.each(JSON_WRITERS.filter(([name]) => !["Mistral", "LFM 2"].includes(name)))(
  "%s: damaged arguments make no call but of the value that JSON reads in them",
  async (_name, tags, write) => {
    const damage = fc.tuple(
      fc.nat({ max: 500 }),
      fc.constantFrom("", "x", "<", '"', " ", "\n", "{", "}", "\\", ",", ":"),
    )
    await fc.assert(
      fc.asyncProperty(args, damage, places, async (values, [place, by], at) => {
        const whole = JSON.stringify({ n: -120, t: true, ...Object.fromEntries(values) })
        const spot = place % whole.length
        const text = whole.slice(0, spot) + by + whole.slice(spot + 1)
        const { calls } = await read(cutAt(`So: ${write("f", text)}\nand ${write("g", "{}")}.`, at), tags)
        for (const [, made] of calls.filter(([called]) => called === "f")) expect(made).toEqual(JSON.parse(text))
      }),
      RUNS,
    )
  },
)

test.each<[text: string, calls: readonly Call[]]>([
  ['<invoke name="f"><invoke>\nand <invoke name="g"></invoke></invoke>.', []],
  ["<function=f>\n<function>\nand <function=g>\n</function></function>.", []],
  ['<invoke name="f"><arguments><invoke>x</invoke></arguments></invoke>', [["f", { invoke: "x" }]]],
  ['<invoke name="f"><function>x</function></invoke>', [["f", { function: "x" }]]],
])("a closing tag that lost its slash is no argument: %s", async (text, calls) => {
  const tags = { ...P.claude, ...P.qwenCoder }
  expect((await read(cutAt(`So: ${text}`, [3, 20, 28]), tags)).calls).toEqual([...calls])
})
