// Tests that each rule about the tests reports what breaks it, and nothing else.
import { describe, expect, test } from "bun:test"
import { misplaced, readTest, timed, tooLong, unasserted, unexplained } from "../tools/house/test-rules.ts"

const complaints = (text: string, ...others: readonly (readonly [path: string, text: string])[]): readonly string[] =>
  unasserted([readTest("test/run/a.test.ts", text), ...others.map(([path, other]) => readTest(path, other))])

describe("a test that expects nothing", () => {
  test("is reported with its name and its line, however it is made", () => {
    const text = `
      test("one", () => { work() })
      describe("group", () => {
        test.each([1])("two %d", async n => { await screen.waitFor(n) })
        test.skipIf(x)(\`three\`, () => work())
      })
      test.concurrent("four", work)
      test.todo("five")
    `
    expect(complaints(text)).toEqual([
      "test/run/a.test.ts:2 one: nothing is expected",
      "test/run/a.test.ts:4 two %d: nothing is expected",
      "test/run/a.test.ts:5 three: nothing is expected",
      "test/run/a.test.ts:7 four: nothing is expected",
    ])
  })
  test("is none where it expects by itself, in a callback, or by a function or method of its file", () => {
    const text = `
      test("one", () => expect(1).toBe(1))
      test("two", () => each(n => { expect(n).toBe(1) }))
      test("three", () => outer())
      test("four", () => new Machine().check())
      test("five", () => each(inner))
      test("six", inner)
      const outer = () => inner()
      function inner() { expect(1).toBe(1) }
      class Machine { check() { inner() } }
    `
    expect(complaints(text)).toEqual([])
  })
  test("is none where a function of another test file expects, and is one where that does not", () => {
    const text = `import { alike as same, other } from "../lines.ts"\ntest("one", () => same(1, 1))\ntest("two", () => other())`
    const lines = "export function alike(a, b) { expect(a).toBe(b) }\nexport const other = () => other()"
    expect(complaints(text, ["test/lines.ts", lines])).toEqual(["test/run/a.test.ts:3 two: nothing is expected"])
  })
})

test("a test that may end early is reported with the line where it does", () => {
  const text = `
    test("one", () => {
      if (missing) return
      for (const one of all) { if (one) { return } }
      expect(all.map(one => { if (one) return 1; return 2 })).toEqual([])
    })
    test("two", () => { return expect(1).toBe(1) })
  `
  expect(complaints(text)).toEqual([
    "test/run/a.test.ts:3 one: may end before what it expects",
    "test/run/a.test.ts:4 one: may end before what it expects",
  ])
})

test("a test that waits for a time is reported, and a helper may", () => {
  const text =
    'await Bun.sleep(5)\nsetTimeout(done, 1)\nconst text = "setInterval(done)" // Bun.sleep(1)\nclock.sleep(5)'
  expect(timed([readTest("test/a.test.ts", text)])).toEqual([
    "test/a.test.ts:1 waits for a time to pass",
    "test/a.test.ts:2 waits for a time to pass",
  ])
  expect(timed([readTest("test/until.ts", text)])).toEqual([])
})

test("a test stands at the path of its subject, in its subject's folder, or in a folder of intent", () => {
  const sources = ["src/run/fold.ts", "src/run/model/run.ts", "src/panels/log/Pane.tsx", "src/keys/hints.ts"]
  const faultsIn = (...paths: readonly string[]): readonly string[] =>
    misplaced(
      paths.map(path => readTest(path, "")),
      sources,
    )
  expect(faultsIn("test/run/fold.test.ts", "test/panels/log/Pane.test.ts", "test/run/properties.test.ts")).toEqual([])
  expect(
    faultsIn("test/pty/fold.test.ts", "test/stories/run.test.ts", "test/docs.test.ts", "test/odd/lines.ts"),
  ).toEqual([])
  expect(faultsIn("test/store/fold.test.ts", "test/panels/log/hints.test.ts")).toEqual([
    "test/store/fold.test.ts: there is no src/store",
    "test/panels/log/hints.test.ts: the test of src/keys/hints stands elsewhere",
  ])
})

test("a test file begins with what it does", () => {
  const files = [readTest("test/a.ts", "// Does a.\nimport b"), readTest("test/b.ts", "import b // Does b.")]
  expect(unexplained(files)).toEqual(["test/b.ts: the first line does not say what it does"])
})

test("a test file has 474 lines, not 475", () => {
  expect(tooLong([readTest("test/a.test.ts", "//\n".repeat(474))])).toEqual([])
  expect(tooLong([readTest("test/a.ts", "//\n".repeat(475))])).toEqual(["test/a.ts: 475 lines, at most 474"])
})
