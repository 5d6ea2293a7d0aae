// Tests that a tool call in the transcript shows every argument, whatever picture some of them have.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { callEssence } from "../../packages/wire/src/call-arguments.ts"
import { toolCallArguments, toolCallText } from "../../src/transcript/tool-arguments.ts"
import { forAll } from "../for-all.ts"

function shown(input: object, columns = 60): readonly string[] {
  const lines = toolCallArguments(JSON.stringify(input)).lines(columns)
  return lines.map(({ spans }) => spans.map(({ text }) => text).join(""))
}

test.each<[what: string, input: object, lines: readonly string[]]>([
  [
    "a command, its directory and timeout",
    { command: "rm", cwd: "/srv", timeout: 30 },
    ["$ rm", "cwd: /srv", "timeout: 30"],
  ],
  [
    "what is said of a command below it",
    { description: "Test", command: "bun test" },
    ["$ bun test", "description: Test"],
  ],
  ["a text of lines below its name", { description: "Two\nlines", "": 1 }, ["description:", "  Two", "  lines", ": 1"]],
  [
    "a text that reads as something else in quotes, and a list in one line",
    { command: "ls", limit: "5", only: "true", none: "", tail: "x ", open: "[", tags: ["a", 1], at: null },
    ["$ ls", 'limit: "5"', 'only: "true"', 'none: ""', 'tail: "x "', 'open: "["', 'tags: ["a",1]', "at: null"],
  ],
  [
    "a text of lines with their indents",
    { path: "notes", prompt: "one\n  two", deep: false },
    ["prompt:", "  one", "    two", "deep: false"],
  ],
  ["a command alone without JSON", { command: "ls" }, ["$ ls"]],
  ["one string alone, in its lines", { detail: "ls /src\nwc -l" }, ["ls /src", "wc -l"]],
  ["one string alone", { pattern: "boil" }, ["boil"]],
  ["one number with its name", { limit: 5 }, ["limit: 5"]],
  ["a path in the heading alone", { file_path: "src/boil.ts" }, []],
  ["what stands beside a path", { file_path: "src/boil.ts", offset: 20 }, ["offset: 20"]],
  ["a path of two lines", { file_path: "a\nb.ts", offset: 20 }, ["file_path:", "  a", "  b.ts", "offset: 20"]],
  ["nothing of nothing", {}, []],
  [
    "a file with its mode",
    { path: "a.ts", content: "a = 1", mode: "0600", by: null },
    ["a = 1", 'mode: "0600"', "by: null"],
  ],
  [
    "an edit with how often it is made",
    { path: "a", old_string: "x", new_string: "y", replace_all: true },
    ["-x", "+y", "replace_all: true"],
  ],
  [
    "a list of edits, what each adds, and a member that is none",
    { file: "x", edits: [{ old: "a", new: "b", count: 2 }, { delete: "c" }], dry_run: true },
    ["count: 2", "-a", "+b", "delete: c", "dry_run: true"],
  ],
  ["an edit that changes nothing", { old_string: "a\nb", new_string: "a\nb" }, [" a", " b"]],
  ["a patch with its strip level", { patch: "-a\n+b", strip: 1 }, ["-a", "+b", "strip: 1"]],
  ["a search not as a file", { path: "src", text: "needle", limit: 5 }, ["text: needle", "limit: 5"]],
  ["a span of time not as an edit", { before: "2024", after: "2023" }, ['before: "2024"', 'after: "2023"']],
  ["two names for one thing", { command: "ls", cmd: "rm" }, ["$ ls", "cmd: rm"]],
])("a tool call shows %s", (_, input, lines) => expect(shown(input)).toEqual([...lines]))

test("a tool call shows an object that does not fit a line in several", () => {
  const env = { HOME: "/home/ada", SHELL: "/bin/sh" }
  const lines = ["env: {", '  "HOME": ', '"/home/ada",', '  "SHELL": "/bin/sh"', "}"]
  expect(shown({ command: "ls", env }, 20)).toEqual(["$ ls", ...lines])
})

test("a tool call shows an edit of a long text with all the lines that stay", () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`)
  const edit = { old_string: lines.join("\n"), new_string: ["line zero", ...lines.slice(1)].join("\n") }
  expect(shown(edit)).toEqual(["-line 0", "+line zero", ...lines.slice(1).map(one => ` ${one}`)])
})

test.each([
  [{ description: "Count lines", subagent_type: "explorer" }, "Count lines"],
  [{ file_path: "src/boil.ts" }, "src/boil.ts"],
  [{ path: "a.ts", content: "const a = 1", mode: "0600" }, "a.ts"],
])("the call %j has the heading %p", (input, label) => {
  expect(toolCallArguments(JSON.stringify(input)).label).toBe(label)
})

test("a tool call shows any arguments, with any of the names that have a picture", async () => {
  const names = "path file old_string new_string old new edits patch content command cmd text cwd __proto__".split(" ")
  const value = fc.oneof(
    fc.stringMatching(/^[a-z]{6}$/),
    fc.integer({ min: 100_000, max: 999_999 }),
    fc.array(fc.dictionary(fc.constantFrom("old", "new", "n"), fc.stringMatching(/^[a-z]{6}$/)), { maxLength: 2 }),
  )
  await forAll([fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })], 500, pairs => {
    const call = JSON.parse(`{${pairs.map(([name, one]) => `"${name}":${JSON.stringify(one)}`).join(",")}}`)
    const { label } = toolCallArguments(JSON.stringify(call))
    const all = [label, ...shown(call)].join("\n")
    for (const said of JSON.stringify(Object.values(call)).match(/[a-z]{6}|\d{6}/g) ?? []) expect(all).toContain(said)
  })
})

describe("a tool call as text", () => {
  test.each([
    [{ command: "bun test\nls", description: "Run" }, "", "$ bun test\n  ls\ndescription: Run"],
    [{ file_path: "a.ts" }, "a.ts", ""],
    [{ path: "a.ts", content: "one\ntwo", limit: 5 }, "a.ts", "content:\n  one\n  two\nlimit: 5"],
    [{ query: "boil" }, "", "boil"],
    [{ where: { city: "Lisbon" }, tags: ["a"] }, "", 'where: {"city":"Lisbon"}\ntags: ["a"]'],
    [{ description: "Count lines", subagent_type: "explorer" }, "Count lines", "subagent_type: explorer"],
    [{}, "", ""],
  ])("%j has the heading %j and the text %j", (input, label, text) => {
    expect(toolCallText(JSON.stringify(input))).toEqual({ label, text })
  })

  test("keeps what is no JSON object", () => {
    expect(toolCallText('{"path": "a.ts", "con')).toEqual({ label: "", text: '{"path": "a.ts", "con' })
  })
})

test.each([
  ['{"description":"Run","command":"bun test boil"}', "bun test boil"],
  ['{"pattern":"boil","path":"src"}', "src"],
  ['{"query":"boiling \\"point\\"\\nof water"}', 'boiling "point" of water'],
  ['{"n": 5, "m": 6}', "n: 5"],
  ['{"names":["a","b"]}', 'names: ["a","b"]'],
  ["{}", ""],
  ["null", ""],
  ["plain text", "plain text"],
  ['{"command":"cut in the mid', "cut in the mid"],
  [`{"content":"${"x".repeat(500)}"}`, `${"x".repeat(160)}…`],
])("a call with %p is about %p", (input, essence) => {
  expect(callEssence(input)).toBe(essence)
})
