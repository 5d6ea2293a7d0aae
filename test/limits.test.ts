// Tests that each limit reports what is over it, and nothing that is within it.
import { describe, expect, test } from "bun:test"
import {
  crowded,
  doubledFiles,
  doubledTypes,
  farReach,
  LIMITS,
  longFiles,
  longFunctions,
  openDefaults,
  overBudget,
  undocumented,
  wideComments,
  wideFunctions,
} from "./limits.ts"
import { readSource, type Source } from "./source.ts"

const empty = (path: string): Source => readSource(path, "")
const many = (count: number, folder: string): readonly Source[] =>
  Array.from({ length: count }, (_, index) => empty(`${folder}/f${index}.ts`))

describe("a folder", () => {
  test("of src holds 25 files of its own, whatever its folders hold", () => {
    const full = [...many(25, "src/run"), ...many(25, "src/run/model")]
    expect(crowded(full)).toEqual([])
    expect(crowded([...full, empty("src/run/one-more.tsx")])).toEqual(["src/run: 26 files, at most 25"])
  })
  test("that is src itself holds four files", () => {
    expect(crowded(many(4, "src"))).toEqual([])
    expect(crowded(many(5, "src"))).toEqual(["src: 5 files, at most 4"])
  })
  test("outside src has no limit", () => expect(crowded(many(60, "bin"))).toEqual([]))
})

test("a file has 300 lines, not 301", () => {
  expect(longFiles([readSource("src/a.ts", "//\n".repeat(300))])).toEqual([])
  expect(longFiles([readSource("src/a.ts", "//\n".repeat(301))])).toEqual(["src/a.ts: 301 lines"])
})

describe("a function", () => {
  const lines = (count: number): string => "one()\n".repeat(count)
  const found = (text: string): readonly string[] => longFunctions([readSource("src/a.ts", text)])

  test("has 80 lines with its head and its end, not 81", () => {
    expect(found(`function f() {\n${lines(78)}}`)).toEqual([])
    expect(found(`function f() {\n${lines(79)}}`)).toEqual(["src/a.ts:1 f: 81 lines"])
  })
  test("counts with the functions inside it, and they by themselves", () => {
    const nested = `const outer = () => {\n  function inner() {\n${lines(40)}}\n${lines(40)}}`
    expect(found(nested)).toEqual(["src/a.ts:1 outer: 84 lines"])
    expect(found(`const outer = () => {\n  const inner = function () {\n${lines(79)}}\n}`)).toEqual([
      "src/a.ts:1 outer: 83 lines",
      "src/a.ts:2 inner: 81 lines",
    ])
  })
  test("is seen as a method, a constructor, an accessor, a member of an object and an argument", () => {
    const body = `{\n${lines(79)}}`
    const text = `class A {\n constructor() ${body}\n method() ${body}\n get size() ${body}\n}
      const table = { run: () => ${body}, stop() ${body} }\nlisten(() => ${body})`
    const names = found(text).map(one => one.split(" ")[1])
    expect(names).toEqual(["constructor:", "method:", "size:", "run:", "stop:", "(function):"])
  })
  test("is seen as a component", () => {
    const text = `export function Pane() {\n  return <box>\n${"    <text />\n".repeat(80)}  </box>\n}`
    expect(longFunctions([readSource("src/ui/Pane.tsx", text)])).toEqual(["src/ui/Pane.tsx:1 Pane: 84 lines"])
  })
})

test("a function, a method, a signature and a function type take five parameters, not six", () => {
  const found = (text: string): readonly string[] => wideFunctions([readSource("src/a.ts", text)])
  expect(found("const f = (a, b, c, d, e) => a")).toEqual([])
  const six = "(a: A, b: A, c: A, d: A, e: A, f = 1)"
  const text = `function one${six} {}\nclass B { two${six} {} }\ninterface C { three${six.replace(" = 1", ": A")}: void }
    type Four = ${six.replace(" = 1", ": A")} => void`
  expect(found(text).map(one => one.replace(/^\S+ /, ""))).toEqual([
    "one: 6 parameters",
    "two: 6 parameters",
    "three: 6 parameters",
    "(function): 6 parameters",
  ])
})

test("a comment has 120 columns, not 121", () => {
  const line = (columns: number): string => `// ${"x".repeat(columns - 3)}`
  const text = `${line(120)}\n${line(121)}\n/**\n *${line(120)}\n */\nconst url = "${"x".repeat(200)}"`
  expect(wideComments([readSource("src/a.ts", text)])).toEqual([
    "src/a.ts:2 is wider than 120 columns",
    "src/a.ts:4 is wider than 120 columns",
  ])
})

describe("the name of an exported type", () => {
  const a =
    "export interface Found {}\ninterface Own {}\nexport type { Listed }\ntype Listed = 1\nexport const Value = 1"

  test("stands in one file of src, be it an interface, an alias, a class or an enum, exported at once or in a list", () => {
    for (const [b, name] of [
      ["export type Found = 1", "Found"],
      ["export class Found {}", "Found"],
      ["export enum Found {}", "Found"],
      ["class Here {}\nexport { Here as Listed }", "Listed"],
    ] as const) {
      expect(doubledTypes([readSource("src/a.ts", a), readSource("src/b.ts", b)])).toEqual([
        `${name}: src/a.ts, src/b.ts`,
      ])
    }
  })
  test("may be a value elsewhere, the file's own, passed on, or outside src", () => {
    const b =
      'export const Found = 1\nexport interface Value {}\ninterface Listed {}\nexport { type Own } from "./c.ts"'
    const outside = readSource("bin/a.ts", "export interface Found {}")
    expect(doubledTypes([readSource("src/a.ts", a), readSource("src/b.ts", b), outside])).toEqual([])
  })
  test("may be declared twice in its own file", () =>
    expect(doubledTypes([readSource("src/a.ts", "export interface A {}\nexport interface A { a: 1 }")])).toEqual([]))
})

test("an exported function of src has a docstring, not just a comment; others need none", () => {
  const text = "/** Says. */\nexport function a() {}\n// Says.\nexport async function b() {}\nfunction c() {}"
  expect(undocumented([readSource("src/a.ts", text), readSource("bin/b.ts", text)])).toEqual(["src/a.ts b"])
})

test("a folder's reach counts what its files import, and what that imports, types too, but not itself", () => {
  const files = [
    readSource("src/keys/table.ts", 'import type { Intent } from "../view/intent.ts"\nimport "./stroke.ts"'),
    readSource("src/keys/stroke.ts", 'import { join } from "node:path"'),
    readSource("src/view/intent.ts", 'export type { Text } from "./text.ts"'),
    empty("src/view/text.ts"),
    readSource("src/view/other.ts", 'import "../keys/table.ts"'),
  ]
  expect(farReach(files, "src/keys/", 2)).toEqual([])
  expect(farReach(files, "src/keys/", 1)).toEqual(["src/keys/ reaches 2 files, at most 1"])
  expect(LIMITS.reachOfKeys).toBeLessThan(43)
})

test("a room has as many lines as its budget, not one more, and no budget outlives its room", () => {
  const files = [readSource("src/run/a.ts", "//\n".repeat(20)), readSource("src/run/b.ts", "//\n".repeat(20))]
  expect(overBudget(files, { src: { lines: 40 }, run: { lines: 40 } })).toEqual([])
  expect(overBudget(files, { src: { lines: 50 }, run: { lines: 39 }, gone: { lines: 9 } })).toEqual([
    "run: 40 lines, at most 39 (test/budgets.ts)",
    "gone: no such room",
  ])
})

test("a default branch says that nothing is left for it, beyond the number that a room may have", () => {
  const open = "switch (a) {\n  case 1: break\n  default:\n    b()\n}"
  const closed =
    "switch (a) {\n  default:\n    a satisfies never\n}\nswitch (b) { default: throw new Fault(b satisfies never) }"
  const at = (path: string, text: string): readonly string[] =>
    openDefaults([readSource(path, text)], { parse: { lines: 9, defaults: 1 } })
  expect(at("src/panels/log/update.ts", open)).toEqual(["panels/*: 1 defaults, at most 0: src/panels/log/update.ts:3"])
  expect(at("src/view/reduce.ts", open.replace("b()", "return a satisfies 1"))).toHaveLength(1)
  expect(at("src/view/reduce.ts", closed)).toEqual([])
  expect(at("packages/llm-stream-segments/src/parse/machine.ts", open)).toEqual([])
})

describe("the name of a file", () => {
  const found = (...paths: readonly string[]): readonly string[] => doubledFiles(paths.map(empty))

  test("stands once in src", () =>
    expect(found("src/run/wave.ts", "src/ui/wave.tsx", "bin/wave.ts")).toEqual([
      "wave: src/run/wave.ts, src/ui/wave.tsx",
    ]))
  test("may name a role that every panel has, under panels alone", () => {
    expect(found("src/panels/log/lines.ts", "src/panels/live/lines.ts", "src/panels/log/Pane.tsx")).toEqual([])
    expect(found("src/panels/log/lines.ts", "src/panels/live/lines.ts", "src/ui/lines.ts")).toEqual([
      "lines: src/panels/*/lines.ts, src/ui/lines.ts",
    ])
    expect(found("src/panels/log/filter.ts", "src/panels/live/filter.ts")).toHaveLength(1)
  })
  test("may be index, the door of any folder", () => expect(found("src/panels/index.ts", "src/a/index.ts")).toEqual([]))
})
