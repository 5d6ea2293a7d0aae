// Tests which bugs are made of a text, and that each is a small change of it.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { equalsOf, lineOf, mutantsOf, withMutant } from "../tools/mutate/mutants.ts"

const MADE: readonly (readonly string[])[] = [
  ["return a <= b", "comparison: return a < b"],
  ["return a === b", "comparison: return a !== b"],
  ["return a ? b : c", "branch: return a ? c : b"],
  ["return a + b", "unit: return a - b"],
  ["return a ?? b", "fallback: return b"],
  ["return f(a, b)", "argument order: return f(b, a)"],
  ["return f(a, a)"],
  ["return Math.min(a, b)", "unit: return Math.max(a, b)"],
  ["return a[1] ?? 0", "fallback: return 0", "unit: return a[2] ?? 0"],
  ["return 'a' + b"],
  ["b(await a)", "dropped update: ;", "missing await: b(a)"],
  ["return await a"],
  ["try { return await a } finally {}", "missing await: try { return a } finally {}"],
  ["return a.sort(b => (b ? -1 : 1))", "branch: return a.sort(b => (b ? 1 : -1))"],
  ["return 1_000", "unit: return 10000"],
  ["return a && b", "branch: return (a || b)", "second condition: return a", "second condition: return b"],
  ["if (a) return", "branch: if (!(a)) return", "guard: if (false && (a)) return"],
  ["if (a) return; else b()", "branch: if (!(a)) return; else b()", "dropped update: if (a) return; else ;"],
  ["a = b", "dropped update: ;"],
  ["run(a)", "dropped update: ;"],
  ["a"],
  ["throw a", "lost error: ;"],
  ["try { return } catch (a) { return a }", "lost error: try { return } catch (a) {}"],
]
for (const [body = "", ...expected] of MADE) {
  test(`of ${body}`, () => {
    const text = `function f() { ${body} }`
    const bugs = mutantsOf("src/a.ts", text).map(one => `${one.kind}: ${withMutant(text, one).slice(15, -2)}`)
    expect(bugs).toEqual(expected)
  })
}

test("none is made outside of a function, in a type or in a comment, and each is named after its function", () => {
  const text = "const a = 1 + 2\n/** a < b */\nclass A {\n  go(x: 1 | 2) {\n    return [1].map(() => x < 2)\n  }\n}"
  const made = mutantsOf("src/a.ts", text).map(({ where, line, kind }) => `${where}:${line} ${kind}`)
  expect(made).toEqual(["go:5 unit", "go:5 comparison", "go:5 unit"])
})

test("each of the equal programs on the list can still be made, and each has a reason", () => {
  const root = join(import.meta.dir, "..")
  const list = readFileSync(join(root, "tools/mutate/equal.txt"), "utf8")
  for (const [path, lines] of equalsOf(list)) {
    const text = readFileSync(join(root, path), "utf8")
    const made = new Set(mutantsOf(path, text).map(mutant => lineOf(text, mutant)))
    expect([...lines].filter(line => !made.has(line))).toEqual([])
  }
  expect(list.split(/\n{2,}/).filter(entry => entry.trim().split("\n").length < 2)).toEqual([])
})
