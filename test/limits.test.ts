// Tests that each limit reports what is over it, and nothing that is within it.
import { expect, test } from "bun:test"
import * as limits from "../tools/house/limits.ts"
import { readSource, type Source } from "../tools/house/source.ts"

const empty = (path: string): Source => readSource(path, "")
const a = (text: string): readonly Source[] => [readSource("src/a.ts", text)]
const many = (count: number, folder: string) => Array.from({ length: count }, (_, i) => empty(`${folder}/f${i}.ts`))
const lines = (count: number): string => "one()\n".repeat(count)
const six = "(a: A, b: A, c: A, d: A, e: A, f = 1)"
const typed = six.replace(" = 1", ": A")
const wide = (columns: number): string => `// ${"x".repeat(columns - 3)}`

test.each([
  ["a folder of src", limits.crowded(many(25, "src/run").concat(many(25, "src/run/model"))), []],
  ["a full folder of src", limits.crowded(many(26, "src/run")), ["src/run: 26 files, at most 25"]],
  ["src itself", limits.crowded(many(5, "src")), ["src: 5 files, at most 4"]],
  ["a folder outside src", limits.crowded(many(60, "bin")), []],
  ["a file of 300 lines", limits.longFiles(a("//\n".repeat(300))), []],
  ["a file of 301 lines", limits.longFiles(a("//\n".repeat(301))), ["src/a.ts: 301 lines"]],
  ["a class of 400 lines", limits.longFiles(a(`class A {\n${"  x = 1\n".repeat(398)}}`)), []],
  ["a class of 401 lines", limits.longFiles(a(`class A {\n${"  x = 1\n".repeat(399)}}`)), ["src/a.ts: 401 lines"]],
  [
    "a class among others",
    limits.longFiles(a(`class A {\n${"  x = 1\n".repeat(200)}}\n${lines(99)}`)),
    ["src/a.ts: 301 lines"],
  ],
  ["a function of 80 lines", limits.longFunctions(a(`function f() {\n${lines(78)}}`)), []],
  ["a function of 81", limits.longFunctions(a(`function f() {\n${lines(79)}}`)), ["src/a.ts:1 f: 81 lines"]],
  ["a comment of 120 columns", limits.wideComments(a(`${wide(120)}\nconst url = "${"x".repeat(200)}"`)), []],
  ["a comment of 121", limits.wideComments(a(wide(121))), ["src/a.ts:1 is wider than 120 columns"]],
  ["five parameters", limits.wideFunctions(a("const f = (a, b, c, d, e) => a")), []],
] as const)("%s", (_, found, expected) => expect<readonly string[]>(found).toEqual(expected))

test("a function counts with those inside it, and is seen as a method, an accessor, an argument and a component", () => {
  const body = `{\n${lines(79)}}`
  const text = `class A {\n constructor() ${body}\n method() ${body}\n get size() ${body}\n}
    const table = { run: () => ${body}, stop() ${body} }\nlisten(() => ${body})
    const outer = () => {\n function inner() {\n${lines(40)}}\n${lines(40)}}`
  const names = limits.longFunctions(a(text)).map(one => one.split(" ")[1])
  expect(names).toEqual(["constructor:", "method:", "size:", "run:", "stop:", "(function):", "outer:"])
  const component = `export function Pane() {\n  return <box>\n${"    <text />\n".repeat(80)}  </box>\n}`
  expect(limits.longFunctions([readSource("src/ui/Pane.tsx", component)])).toEqual(["src/ui/Pane.tsx:1 Pane: 84 lines"])
})

test("six parameters are counted of a function, a method, a signature and a function type", () => {
  const text = `function one${six} {}\nclass B { two${six} {} }\ninterface C { three${typed}: void }\ntype D = ${typed} => void`
  const found = limits.wideFunctions(a(text)).map(one => one.replace(/^\S+ (.*):.*/, "$1"))
  expect(found).toEqual(["one", "two", "three", "(function)"])
})

test("the name of an exported type stands in one file of src, but for the file's own, values and what is passed on", () => {
  const one = a(
    "export interface Found {}\ninterface Own {}\nexport type { Listed }\ntype Listed = 1\nexport const Value = 1",
  )
  const beside = (text: string) => limits.doubledTypes([...one, readSource("src/b.ts", text)])
  for (const kind of ["type Found = 1", "class Found {}", "enum Found {}"]) {
    expect(beside(`export ${kind}`)).toEqual(["Found: src/a.ts, src/b.ts"])
  }
  expect(beside("class Here {}\nexport { Here as Listed }")).toEqual(["Listed: src/a.ts, src/b.ts"])
  const other =
    'export const Found = 1\nexport interface Value {}\ninterface Listed {}\nexport { type Own } from "./c.ts"'
  expect(beside(other)).toEqual([])
  expect(limits.doubledTypes([...one, readSource("bin/a.ts", "export interface Found {}")])).toEqual([])
})

test("an exported function of src has a docstring, not just a comment; others need none", () => {
  const text = "/** Says. */\nexport function a() {}\n// Says.\nexport async function b() {}\nfunction c() {}"
  expect(limits.undocumented([...a(text), readSource("bin/b.ts", text)])).toEqual(["src/a.ts b"])
})

test("a folder's reach counts what its files import, and what that imports, types too, but not itself", () => {
  const files = [
    readSource("src/keys/table.ts", 'import type { Intent } from "../view/intent.ts"\nimport "./stroke.ts"'),
    empty("src/keys/stroke.ts"),
    readSource("src/view/intent.ts", 'export type { Text } from "./text.ts"'),
    empty("src/view/text.ts"),
    readSource("src/view/other.ts", 'import "../keys/table.ts"'),
  ]
  expect(limits.farReach(files, "src/keys/", 2)).toEqual([])
  expect(limits.farReach(files, "src/keys/", 1)).toEqual(["src/keys/ reaches 2 files, at most 1"])
})

test("a room has as many lines as its budget, not one more, and no budget outlives its room", () => {
  const files = many(2, "src/run").map(({ path }) => readSource(path, "//\n".repeat(20)))
  expect(limits.overBudget(files, { src: { lines: 40 }, run: { lines: 40 } })).toEqual([])
  expect(limits.overBudget(files, { src: { lines: 50 }, run: { lines: 39 }, gone: { lines: 9 } })).toEqual([
    "run: 40 lines, at most 39 (test/budgets.ts)",
    "gone: no such room",
  ])
})

test("a default branch says that nothing is left for it, beyond the number that a room may have", () => {
  const open = "switch (a) {\n  case 1: break\n  default:\n    b()\n}"
  const closed = "switch (a) {\n  default:\n    a satisfies never\n}"
  const at = (path: string, text: string) =>
    limits.openDefaults([readSource(path, text)], { parse: { lines: 9, defaults: 1 } })
  expect(at("src/panels/log/update.ts", open)).toEqual(["panels/*: 1 defaults, at most 0: src/panels/log/update.ts:3"])
  expect(at("src/view/reduce.ts", open.replace("b()", "return a satisfies 1"))).toHaveLength(1)
  expect(at("src/view/reduce.ts", closed)).toEqual([])
  expect(at("packages/llm-stream-segments/src/parse/machine.ts", open)).toEqual([])
})

test.each([
  [["src/run/wave.ts", "src/ui/wave.tsx", "bin/wave.ts"], ["wave: src/run/wave.ts, src/ui/wave.tsx"]],
  [["src/panels/log/lines.ts", "src/panels/live/lines.ts", "src/panels/log/Pane.tsx"], []],
  [["src/panels/log/lines.ts", "src/ui/lines.ts"], ["lines: src/panels/*/lines.ts, src/ui/lines.ts"]],
  [["src/panels/index.ts", "src/a/index.ts"], []],
] as const)("the name of a file of %p", (paths, expected) =>
  expect<readonly string[]>(limits.doubledFiles(paths.map(empty))).toEqual(expected),
)
