// Tests which bugs are made of a text, and that each is a small change of it.
import { expect, test } from "bun:test"
import { mutantsOf, withMutant } from "./mutants.ts"

/** The bugs made of a function's body: their kind, and the body with each. */
function bugs(body: string): readonly (readonly [kind: string, body: string])[] {
  const text = `function f() { ${body} }`
  return mutantsOf("src/a.ts", text).map(one => [one.kind, withMutant(text, one).slice(15, -2)])
}

test.each([
  ["a <= b", [["comparison", "a < b"]]],
  ["a === b", [["comparison", "a !== b"]]],
  ["a ? b : c", [["branch", "a ? c : b"]]],
  ["a + b", [["unit", "a - b"]]],
  ["a ?? b", [["fallback", "b"]]],
  ["f(a, b)", [["argument order", "f(b, a)"]]],
  ["f(a, a)", []],
  ["Math.min(a, b)", [["unit", "Math.max(a, b)"]]],
  [
    "a[1] ?? 0",
    [
      ["fallback", "0"],
      ["unit", "a[2] ?? 0"],
    ],
  ],
  ["'a' + b", []],
  ["await a", [["missing await", "a"]]],
  ["1_000", [["unit", "10000"]]],
  [
    "a && b",
    [
      ["branch", "(a || b)"],
      ["second condition", "a"],
      ["second condition", "b"],
    ],
  ],
] as const)("of %s", (expression, expected) => {
  expect(bugs(`return ${expression}`)).toEqual(expected.map(([kind, put]) => [kind, `return ${put}`]))
})

test.each([
  [
    "if (a) return",
    [
      ["branch", "if (!(a)) return"],
      ["guard", "if (false && (a)) return"],
    ],
  ],
  [
    "if (a) return; else b()",
    [
      ["branch", "if (!(a)) return; else b()"],
      ["dropped update", "if (a) return; else ;"],
    ],
  ],
  ["a = b", [["dropped update", ";"]]],
  ["run(a)", [["dropped update", ";"]]],
  ["a", []],
  ["throw a", [["lost error", ";"]]],
  ["try { return } catch (a) { return a }", [["lost error", "try { return } catch (a) {}"]]],
] as const)("of %s, a statement", (statement, expected) => {
  expect(bugs(statement)).toEqual(expected.map(([kind, put]) => [kind, put]))
})

test("none is made outside of a function, in a type or in a comment, and each is named after its function", () => {
  const text = "const a = 1 + 2\n/** a < b */\nclass A {\n  go(x: 1 | 2) {\n    return [1].map(() => x < 2)\n  }\n}"
  expect(mutantsOf("src/a.ts", text).map(({ where, line, kind }) => [where, line, kind])).toEqual([
    ["go", 5, "unit"],
    ["go", 5, "comparison"],
    ["go", 5, "unit"],
  ])
})
