// Tests that filters obey the laws of logic, whatever they ask of the rows of a run; matches.test.ts has what each means.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { compile } from "../../../src/query/filter/predicate.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { fixture, readFrames } from "../../fixtures.ts"
import { forAll } from "../../for-all.ts"
import { rowsOf } from "../../run/lines.ts"
import { read } from "./parsed.ts"

const run = fold(emptyRun, await readFrames(fixture("tea")))
const rows = rowsOf(run)
const all = rows.map((_, index) => index)

/** The rows that a filter picks. */
function picks(text: string): readonly number[] {
  const { row: matches } = compile(read(text))
  return rows.flatMap((row, index) => (matches(run, row) === true ? [index] : []))
}

const words = ["error", "warning", "prompt", "event=llm/*", "event!=llm/*", "invokeid=c??k", "session~1", "model~oak"]
const more = ["state=boil", "tool=*", "reason~.", "text~/ea+/", 'text~"e"', "turn>1", "tokens<9", "cost>0", "failed=1"]
const { any } = fc.letrec<{ any: string; term: string }>(tie => ({
  term: fc.constantFrom(...words, ...more, "seq>=20", "ts<+9s", "visit=0", "kind=event", "duration>0.1"),
  any: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    tie("term"),
    tie("any").map(one => `not (${one})`),
    fc
      .tuple(fc.array(tie("any"), { minLength: 2, maxLength: 3 }), fc.constantFrom(" and ", " ", "\n", " or "))
      .map(([parts, by]) => parts.map(part => `(${part})`).join(by)),
  ),
}))

test("filters obey double negation, De Morgan's laws, and are the intersections and unions of their parts (property)", () =>
  forAll([any, any], 200, (a, b) => {
    expect(picks(`not not (${a})`)).toEqual(picks(a))
    expect(picks(`not ((${a}) (${b}))`)).toEqual(picks(`not (${a}) or not (${b})`))
    expect(picks(`not ((${a}) or (${b}))`)).toEqual(picks(`not (${a}) not (${b})`))
    const [inA, inB] = [new Set(picks(a)), new Set(picks(b))]
    expect(picks(`(${a}) (${b})`)).toEqual(all.filter(row => inA.has(row) && inB.has(row)))
    expect(picks(`(${a}) or (${b})`)).toEqual(all.filter(row => inA.has(row) || inB.has(row)))
    expect(picks(`not (${a})`)).toEqual(all.filter(row => !inA.has(row)))
  }))

test.each(["turn 2", "tokens 8", "seq 40", "visit 0", "rate 12.5", "cost 0.25", "duration 0.05", "input 330"])(
  "exactly one of <, = and > holds for a number that is there, and <=, >= and != follow from them: %s",
  told => {
    const [key, value] = told.split(" ")
    const by = (op: string) => `${key}${op}${value}`
    expect(picks(`not ${by("=")}`)).toEqual(picks(by("!=")))
    expect(picks(`${by("<")} or ${by("=")}`)).toEqual(picks(by("<=")))
    expect(picks(`${by(">")} or ${by("=")}`)).toEqual(picks(by(">=")))
    const compared = ["<", "=", ">"].flatMap(op => picks(by(op)))
    expect<readonly number[]>(compared.toSorted((a, b) => a - b)).toEqual(picks(`${key}<=${value} or ${key}>${value}`))
    expect(compared.length).toBeGreaterThan(0)
  },
)
