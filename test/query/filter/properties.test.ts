// Tests that filters agree with a plain reading of the JSON and obey the laws of logic.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../../packages/wire/src/decode.ts"
import type { Filter } from "../../../src/query/filter/filter.ts"
import { compile } from "../../../src/query/filter/predicate.ts"
import { print } from "../../../src/query/filter/print.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { forAll } from "../../for-all.ts"
import { rowsOf } from "../../run/lines.ts"
import { read } from "./parsed.ts"

/** A row of the wire, and what its `data` may contain here. */
interface Wire {
  readonly seq: number
  readonly ts: number
  readonly event: string
  readonly "transcript/visit": number
  readonly "transcript/turn": number
  readonly data: {
    readonly invokeid: string
    readonly "session-id": string
    readonly model?: string
    readonly message?: string
    readonly reason?: string
    readonly "stop-reason"?: string
    readonly tool?: string
    readonly "is-error"?: boolean
    readonly "content-preview"?: string
    readonly prompt?: string
    readonly entered?: readonly string[]
    readonly "config-after"?: readonly string[]
    readonly usage?: { readonly "output-tokens": number }
    readonly "output-tps"?: number
    readonly content?: readonly { readonly type: string; readonly text: string }[]
  }
}

const prose = fc
  .array(fc.constantFrom("Zebra", "quagga", "okapi", "ZZ", "?*", "\n"), { maxLength: 4 })
  .map(words => words.join(" "))
const ids = {
  invokeid: fc.constantFrom("judge-1", "judge-2", "poet", "__proto__"),
  "session-id": fc.constantFrom("s1", "S1", "s2"),
}
const states = fc.subarray(["run", "draft", "review"])
const datas: Readonly<Record<string, fc.Arbitrary<Wire["data"]>>> = {
  "llm/response": fc.record({
    ...ids,
    model: fc.constantFrom("gpt-4", "claude"),
    "stop-reason": fc.constantFrom("end_turn", "max_tokens"),
    usage: fc.record({ "output-tokens": fc.nat(9) }),
    "output-tps": fc.constantFrom(0.5, 40, 41.25),
    content: fc.array(fc.record({ type: fc.constant("text"), text: prose }), { maxLength: 2 }),
  }),
  "llm/error": fc.record({ ...ids, message: prose }),
  "llm/tool-result": fc.record({
    ...ids,
    tool: fc.constantFrom("run_bash", "write_file"),
    "is-error": fc.boolean(),
    "content-preview": prose,
  }),
  "llm/worker-exit": fc.record({ ...ids, reason: fc.constantFrom("done", "error") }),
  "human-input/start": fc.record({ ...ids, prompt: prose }),
  "runner/event-processed": fc.record({ ...ids, entered: states, "config-after": states }),
}
const wires: fc.Arbitrary<readonly Wire[]> = fc
  .array(
    fc.oneof(
      ...Object.entries(datas).map(([event, data]) =>
        fc.record({
          event: fc.constant(event),
          ts: fc.integer({ min: 999_990, max: 1_000_020 }),
          "transcript/visit": fc.nat(2),
          "transcript/turn": fc.nat(3),
          data,
        }),
      ),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map(rows => rows.map((row, index) => ({ ...row, seq: index + 1 })))

/** A term as text, and its meaning for a row, read naively from the JSON. */
interface Claim {
  readonly text: string
  readonly holds: (row: Wire, all: readonly Wire[]) => boolean
}

const present = (values: readonly (string | undefined)[]) =>
  values.flatMap(one => (one === undefined || one === "" ? [] : [one]))

/** All texts under a key. Other words of a row contain none of the texts searched for. */
function textsOf(key: string, { event, data, seq }: Wire, all: readonly Wire[]): readonly string[] {
  if (key === "kind") return ["event"]
  if (key === "event") return [event]
  if (key === "invokeid") return [data.invokeid]
  if (key === "session") return [data["session-id"]]
  if (key === "tool") return present([data.tool])
  if (key === "reason") return present([event === "llm/error" ? data.message : (data.reason ?? data["stop-reason"])])
  if (key === "state") return [...(data.entered ?? []), ...(data["config-after"] ?? [])]
  if (key === "text")
    return present([
      data.message,
      data["content-preview"],
      data.prompt,
      ...(data.content ?? []).map(block => block.text),
    ])
  const same = all.filter(one => one.data.invokeid === data.invokeid && one.data["session-id"] === data["session-id"])
  return event.startsWith("llm/")
    ? present([data.model ?? same.findLast(one => one.data.model && one.seq < seq)?.data.model])
    : present([])
}

function numberOf(key: string, row: Wire): number | undefined {
  if (key === "seq") return row.seq
  if (key === "ts") return row.ts
  if (key === "turn") return row["transcript/turn"] + 1
  if (key === "visit") return row["transcript/visit"]
  return key === "tokens" ? row.data.usage?.["output-tokens"] : row.data["output-tps"]
}

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
}

const isError = ({ event, data }: Wire) => event === "llm/error" || data["is-error"] === true
const words: readonly Claim[] = [
  { text: "error", holds: isError },
  { text: "warning", holds: row => isError(row) || row.data["stop-reason"] === "max_tokens" },
  { text: "prompt", holds: row => row.event.startsWith("human-input/") },
]

const globs = fc.tuple(
  fc.constantFrom("kind", "event", "invokeid", "session", "model", "state", "tool", "reason"),
  fc.constantFrom("=", "!="),
  fc.constantFrom("event", "llm/*", "*-1", "judge-?", "s1", "*", "gpt-4", "r*", "review", "done", "__proto__", "?*_*"),
)
const globClaim = globs.map(([key, op, glob]): Claim => {
  const whole = new RegExp(`^${glob.replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`)
  const holds = (row: Wire, all: readonly Wire[]) =>
    textsOf(key, row, all).some(one => whole.test(one)) === (op === "=")
  return { text: `${key}${op}${glob}`, holds }
})
const textKey = fc.constantFrom("text", "reason", "invokeid", "model")
const plainClaim = fc.tuple(textKey, fc.constantFrom("zebra", "AGG", "?*", "zz\n", "JUDGE", "nowhere")).map(
  ([key, needle]): Claim => ({
    text: `${key}~"${needle}"`,
    holds: (row, all) => textsOf(key, row, all).some(one => one.toLowerCase().includes(needle.toLowerCase())),
  }),
)
const patternClaim = fc
  .tuple(
    textKey,
    fc.constantFrom("z+e", "^(zebra|okapi)\\s", "qu[a-z]+a", "[?]\\*", "\\bZZ\\b"),
    fc.constantFrom("", "i", "m"),
  )
  .map(
    ([key, source, flags]): Claim => ({
      text: `${key}~/${source}/${flags}`,
      holds: (row, all) => textsOf(key, row, all).some(one => new RegExp(source, flags).test(one)),
    }),
  )
const numberClaim = fc
  .tuple(
    fc.constantFrom("turn", "visit", "tokens", "rate", "seq"),
    fc.constantFrom(...Object.keys(COMPARE)),
    fc.constantFrom("0", "1", "3", "0.5", "0.04k", "41.25"),
  )
  .map(([key, op, text]): Claim => {
    const wanted = text.endsWith("k") ? Number(text.slice(0, -1)) * 1000 : Number(text)
    const holds = (row: Wire) => {
      const value = numberOf(key, row)
      return value === undefined ? op === "!=" : COMPARE[op]?.(value, wanted) === true
    }
    return { text: `${key} ${op} ${text}`, holds }
  })
const timeClaim = fc.tuple(fc.constantFrom(...Object.keys(COMPARE)), fc.nat(30), fc.boolean()).map(
  ([op, ms, relative]): Claim => ({
    text: relative ? `ts${op}+0.${String(ms).padStart(3, "0")}s` : `ts${op}${999_990 + ms}`,
    holds: (row, all) => {
      const from = relative ? Math.min(...all.map(one => one.ts)) : 999_990
      return COMPARE[op]?.(row.ts, from + ms) === true
    },
  }),
)

/** Terms combined in every way, with nested compounds in parentheses. */
const claim = fc.letrec<{ any: Claim; list: Claim; not: Claim; term: Claim }>(tie => ({
  term: fc.oneof(fc.constantFrom(...words), globClaim, plainClaim, patternClaim, numberClaim, timeClaim),
  not: tie("any").map(one => ({ text: `not(${one.text})`, holds: (row, all) => !one.holds(row, all) })),
  list: fc
    .tuple(fc.array(tie("any"), { minLength: 2, maxLength: 3 }), fc.constantFrom(" and ", " ", "\n", " or "))
    .map(([parts, by]) => ({
      text: parts.map(part => `(${part.text})`).join(by),
      holds: (row, all) =>
        by === " or " ? parts.some(part => part.holds(row, all)) : parts.every(part => part.holds(row, all)),
    })),
  any: fc.oneof({ depthSize: "small", maxDepth: 4 }, tie("term"), tie("not"), tie("list")),
})).any

/** The `seq` of each row that matches. */
function matching(all: readonly Wire[], filter: Filter): readonly (number | null)[] {
  const lines = all.map(row => decode(JSON.stringify({ kind: "event", "transcript/node-id": "n", ...row })))
  const run = fold(emptyRun, lines)
  const { row: matches } = compile(filter)
  return rowsOf(run).flatMap(row => (matches(run, row) ? [row.seq] : []))
}

test("a filter matches the rows that a plain reading of the JSON picks (property)", () =>
  forAll([claim, wires], 1500, (one, all) => {
    const wanted = all.filter(row => one.holds(row, all)).map(row => row.seq)
    expect(matching(all, read(one.text))).toEqual(wanted)
  }))

test("a printed filter parses to the same filter (property)", () =>
  forAll([claim], 500, ({ text }) => {
    const filter = read(text)
    expect(read(print(filter))).toEqual(filter)
    expect(JSON.parse(JSON.stringify(filter))).toEqual(filter)
  }))

test("filters obey double negation and De Morgan's laws (property)", () =>
  forAll([claim, claim, wires], 300, ({ text: a }, { text: b }, all) => {
    const picks = (text: string) => matching(all, read(text))
    expect(picks(`not not (${a})`)).toEqual(picks(a))
    expect(picks(`not ((${a}) (${b}))`)).toEqual(picks(`not (${a}) or not (${b})`))
    expect(picks(`not ((${a}) or (${b}))`)).toEqual(picks(`not (${a}) not (${b})`))
    expect(picks(`(${a}) or not (${a})`)).toEqual(all.map(row => row.seq))
    expect(picks(`(${a}) not (${a})`)).toEqual([])
  }))

test("exactly one of <, = and > holds for a number, and <=, >= and != follow from them (property)", async () => {
  const terms = fc.tuple(fc.constantFrom("seq", "turn", "ts"), fc.constantFrom("1", "2", "1000000"))
  await forAll([terms, wires], 200, ([key, value], all) => {
    const picks = (text: string) => matching(all, read(text))
    const by = (op: string) => `${key}${op}${value}`
    expect(["<", "=", ">"].flatMap(op => picks(by(op))).toSorted()).toEqual(all.map(row => row.seq))
    expect(picks(by("<="))).toEqual(picks(`${by("<")} or ${by("=")}`))
    expect(picks(by(">="))).toEqual(picks(`${by(">")} or ${by("=")}`))
    expect(picks(by("!="))).toEqual(picks(`not ${by("=")}`))
  })
})
