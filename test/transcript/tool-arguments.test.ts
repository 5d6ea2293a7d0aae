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

describe("a tool call shows every argument", () => {
  test("a command with its directory and timeout", () => {
    expect(shown({ command: "rm -rf build", cwd: "/srv/PRODUCTION", timeout: 30 })).toEqual([
      "$ rm -rf build",
      "cwd: /srv/PRODUCTION",
      "timeout: 30",
    ])
  })

  test("what an agent says of its command stands below it", () => {
    expect(shown({ description: "Run the test", command: "bun test boil" })).toEqual([
      "$ bun test boil",
      "description: Run the test",
    ])
  })

  test("what an agent says of a call without a command or a path stands in its heading", () => {
    const args = { description: "Count lines", subagent_type: "explorer" }
    expect(toolCallArguments(JSON.stringify(args)).label).toBe("Count lines")
    expect(shown(args)).toEqual(["subagent_type: explorer"])
    expect(toolCallText(JSON.stringify(args))).toEqual({ label: "Count lines", text: "subagent_type: explorer" })
    expect(shown({ description: "Two\nlines", "": 1 })).toEqual(["description:", "  Two", "  lines", ": 1"])
  })

  test("a text that reads as something else is quoted, and a list stands in one line if it fits", () => {
    const args = { limit: "5", only: "true", none: "", tail: "x ", open: "[", tags: ["a", 1], at: null }
    expect(shown({ command: "ls", ...args })).toEqual([
      "$ ls",
      'limit: "5"',
      'only: "true"',
      'none: ""',
      'tail: "x "',
      'open: "["',
      'tags: ["a",1]',
      "at: null",
    ])
    expect(shown({ command: "ls", env: { HOME: "/home/ada", SHELL: "/bin/sh" } }, 20)).toEqual([
      "$ ls",
      "env: {",
      '  "HOME": ',
      '"/home/ada",',
      '  "SHELL": "/bin/sh"',
      "}",
    ])
  })

  test("a text of several lines stands below its name", () => {
    expect(shown({ path: "notes", prompt: "one\n  two", deep: false })).toEqual([
      "prompt:",
      "  one",
      "    two",
      "deep: false",
    ])
  })

  test("a command alone has no JSON below it", () => {
    expect(shown({ command: "ls" })).toEqual(["$ ls"])
  })

  test("one argument that is a string, without the JSON around it", () => {
    expect(shown({ detail: "ls /src\nwc -l" })).toEqual(["ls /src", "wc -l"])
    expect(shown({ pattern: "boil" })).toEqual(["boil"])
    expect(shown({ limit: 5 })).toEqual(["limit: 5"])
  })

  test("a path alone stands in the heading", () => {
    expect(toolCallArguments('{"file_path":"src/boil.ts"}').label).toBe("src/boil.ts")
    expect(shown({ file_path: "src/boil.ts" })).toEqual([])
    expect(shown({ file_path: "src/boil.ts", offset: 20 })).toEqual(["offset: 20"])
    expect(shown({ file_path: "src\nboil.ts", offset: 20 })).toEqual(["file_path:", "  src", "  boil.ts", "offset: 20"])
    expect(shown({})).toEqual([])
  })

  test("a written file with its mode, its path in the heading", () => {
    const call = { path: "a.ts", content: "const a = 1", mode: "0600", owner: null }
    expect(toolCallArguments(JSON.stringify(call)).label).toBe("a.ts")
    expect(shown(call)).toEqual(["const a = 1", `mode: "0600"`, "owner: null"])
  })

  test("an edit with how often it is made", () => {
    expect(shown({ path: "a", old_string: "x", new_string: "y", replace_all: true })).toEqual([
      "-x",
      "+y",
      "replace_all: true",
    ])
  })

  test("a list of edits, what each of them adds, and a member that is none", () => {
    const edits = [{ old: "a", new: "b", count: 2 }, { delete: "c" }]
    expect(shown({ file: "x", edits, dry_run: true })).toEqual(["count: 2", "-a", "+b", "delete: c", "dry_run: true"])
  })

  test("an edit of a long text with all the lines that stay, even if none changes", () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`)
    const edit = { old_string: lines.join("\n"), new_string: ["line zero", ...lines.slice(1)].join("\n") }
    expect(shown(edit)).toEqual(["-line 0", "+line zero", ...lines.slice(1).map(one => ` ${one}`)])
    expect(shown({ old_string: "a\nb", new_string: "a\nb" })).toEqual([" a", " b"])
  })

  test("a patch with its strip level", () => {
    expect(shown({ patch: "-a\n+b", strip: 1 })).toEqual(["-a", "+b", "strip: 1"])
  })

  test("a search is not shown as if its text were a file", () => {
    expect(shown({ path: "src", text: "needle", limit: 5 })).toEqual(["text: needle", "limit: 5"])
  })

  test("a span of time is not shown as an edit", () => {
    expect(shown({ before: "2024", after: "2023" })[0]).toBe('before: "2024"')
  })

  test("two names for the same thing are both shown", () => {
    expect(shown({ command: "ls", cmd: "rm" })).toEqual(["$ ls", "cmd: rm"])
  })

  test("any arguments, with any of the names that have a picture", async () => {
    const names = "path file old_string new_string old new edits patch content command cmd text cwd __proto__".split(
      " ",
    )
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
})

describe("a tool call as text", () => {
  test.each([
    [{ command: "bun test\nls", description: "Run" }, "", "$ bun test\n  ls\ndescription: Run"],
    [{ file_path: "a.ts" }, "a.ts", ""],
    [{ path: "a.ts", content: "one\ntwo", limit: 5 }, "a.ts", "content:\n  one\n  two\nlimit: 5"],
    [{ query: "boil" }, "", "boil"],
    [{ where: { city: "Lisbon" }, tags: ["a"] }, "", 'where: {"city":"Lisbon"}\ntags: ["a"]'],
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
