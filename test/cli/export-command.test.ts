// Tests `export` as a process: files, formats, secrets, filters and errors.
import { beforeAll, describe, expect, test } from "bun:test"
import { mkdir, readdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { capturedRun, WHOLE_RESULT, WHOLE_SYSTEM } from "../captured.ts"
import { fixture, haiku, root } from "../fixtures.ts"
import { openTerminal } from "../pty/terminal.ts"
import { fileScratch } from "../scratch.ts"
import { sidecar } from "./ran.ts"

const scratch = fileScratch()
/** A session directory, `run-7`. Its recording ends within a line, and has a secret and control characters. */
let run = ""
const LINES = [
  '{"event":"runner/started","seq":0,"ts":1000,"data":{"chart-id":"tea"}}',
  '{"event":"llm/start","seq":1,"ts":1100,"data":{"invokeid":"cook","session-id":"s1","model":"m"}}',
  '{"event":"llm/request","seq":2,"ts":1200,"data":{"invokeid":"cook","user-blocks":[{"type":"text","text":"Boil."}]}}',
  '{"event":"llm/response","seq":3,"ts":9000,"data":{"invokeid":"cook","session-id":"s1","content":[{"type":"text","text":"Key sk-0123456789abcdefgh \\u001b[2J"}]}}',
  '{"event":"llm/start","seq":4,"ts":9100,"data":{"invokeid":"maid","session-id":"s2"}}',
  '{"event":"llm/error","seq":5,"ts":9200,"data":{"invokeid":"maid","message":"gone"}}',
]
const RECORDING = `${LINES.join("\n")}\n{"event":"llm/st`

beforeAll(async () => {
  run = join(scratch, "run-7")
  await mkdir(run)
  await Bun.write(join(run, "transcript.jsonl"), RECORDING)
})

const exported = (...args: readonly string[]) => sidecar(["export", ...args], { cwd: scratch })
const SAID = "opentui-sidecar export: redacted 1 likely secret: 1 API key\n"

test("export gives a session the tokens of all its turns, as Markdown and as HTML", async () => {
  const path = join(scratch, "turns.jsonl")
  const row = (seq: number, event: string, data: object, invokeid = "cook") =>
    `${JSON.stringify({ event, seq, ts: seq, data: { invokeid, "session-id": invokeid, ...data } })}\n`
  const said = (seq: number, input: number, cached: number, output: number) => {
    const usage = { "input-tokens": input, "output-tokens": output, "cache-read-input-tokens": cached }
    return row(seq, "llm/start", {}) + row(seq + 1, "llm/response", { usage })
  }
  const failed = (seq: number, event: string) => row(seq, event, { message: "reset by peer" })
  const turns = said(1, 1100, 0, 40) + said(3, 2000, 1200, 65) + said(5, 2000, 1900, 22)
  const errors = failed(7, "llm/error") + failed(8, "llm/model-down")
  await Bun.write(path, turns + errors + row(9, "llm/start", {}, "maid"))
  for (const format of ["md", "html"]) {
    const { out } = await exported(path, "--as", format)
    expect(out).toMatch(/Turns.{0,20}3/)
    expect(out).toMatch(/Tokens in.{0,20}5,100 .{0,3}3,100 cached/)
    expect(out).toMatch(/Tokens out.{0,20}127/)
    // In the summary, as the session's reason and in its transcript, though the model that went down repeats it.
    const [transcript = ""] = out.split(/## Log|>Log</)
    expect(transcript.match(/reset by peer/g)).toHaveLength(3)
  }
})

test("a turn of two replies has both in an export, with its session directory and without it", async () => {
  const directory = join(root, "fixtures/failing-run")
  const alone = join(scratch, "no-captures.jsonl")
  await Bun.write(alone, Bun.file(join(directory, "transcript.jsonl")))
  for (const format of ["md", "html"]) {
    for (const path of [directory, alone]) {
      const [transcript = ""] = (await exported(path, "--as", format)).out.split(/## Log|>Log</)
      for (const reply of ["The sum is right. I look for the limit.", "CHANGES: no test proves that a second refund"])
        expect(transcript.split(reply)).toHaveLength(2)
    }
  }
})

describe("export --as jsonl", () => {
  test("skips a line that is too long, says so, and writes the others", async () => {
    const path = join(scratch, "long.jsonl")
    const [first = "", second = ""] = LINES
    await Bun.write(path, `${first}\n{"event":"${"x".repeat(17 * 1024 * 1024)}"}\n${second}\n`)
    const err = "opentui-sidecar export: skipped line 2: longer than 16 MB\n"
    expect(await exported(path, "--as", "jsonl")).toEqual({ code: 0, out: `${first}\n${second}\n`, err })
  })

  test("writes the recording byte for byte if it has no secrets", async () => {
    expect(await exported(haiku, "--as", "jsonl")).toEqual({ code: 0, out: await Bun.file(haiku).text(), err: "" })
    expect(await exported(run, "--as", "jsonl", "--no-redact", "-o", "-")).toEqual({ code: 0, out: RECORDING, err: "" })
  })
  test("removes likely secrets and says how many", async () => {
    const out = RECORDING.replace("sk-0123456789abcdefgh", "[redacted API key]")
    expect(await exported(run, "--as", "jsonl")).toEqual({ code: 0, out, err: SAID })
  })
  test("with --where writes matching lines, and knows the session of a row that names none", async () => {
    const where = async (expression: string) =>
      (await exported(run, "--as", "jsonl", "--no-redact", "--where", expression)).out
    const lines = (...seqs: readonly number[]) => seqs.map(seq => `${LINES[seq]}\n`).join("")
    expect(await where("session=s1")).toBe(lines(1, 2, 3))
    expect(await where("error")).toBe(lines(5))
    expect(await where("ts>+5s")).toBe(lines(3, 4, 5))
    expect(await where("event=runner/* or invokeid=maid")).toBe(lines(0, 4, 5))
    expect(await where("text~nowhere")).toBe("")
  })
  test("with --where matches deltas and other frames that have no log row", async () => {
    const count = async (expression: string) =>
      (await exported(haiku, "--as", "jsonl", "--where", expression)).out.split("\n").length - 1
    const rows = (await Bun.file(haiku).text())
      .trimEnd()
      .split("\n")
      .map(line => JSON.parse(line))
    expect(await count("event=llm/delta invokeid=planner")).toBe(
      rows.filter(row => row.event === "llm/delta" && row.data.invokeid === "planner").length,
    )
    expect(await count("kind=prompt or kind=phase")).toBe(
      rows.filter(row => row.kind === "prompt" || row.kind === "phase").length,
    )
  })
})

test("export --as md and html write every row of a log that is longer than what is held of it", async () => {
  const path = join(scratch, "long.jsonl")
  const row = (seq: number): string =>
    JSON.stringify({
      event: seq % 3 === 0 ? "custom/third" : "custom/other",
      seq,
      ts: seq,
      data: { text: `note ${seq}` },
    })
  await Bun.write(path, Array.from({ length: 6000 }, (_, seq) => `${row(seq)}\n`).join(""))
  const notes = async (...args: readonly string[]): Promise<readonly number[]> => {
    const { code, out } = await exported(path, ...args)
    expect(code).toBe(0)
    return [...out.matchAll(/note (\d+)/g)].map(([, seq]) => Number(seq))
  }
  const all = Array.from({ length: 6000 }, (_, seq) => seq)
  expect(await notes("--as", "md")).toEqual(all)
  expect(await notes("--as", "html")).toEqual(all)
  const thirds = await notes("--as", "md", "--where", "event=custom/third")
  expect(thirds).toEqual(all.filter(seq => seq % 3 === 0))
})

test("export --as md and html with --where contain what matches, and report no gap", async () => {
  const md = (await exported(run, "--as", "md", "--where", "invokeid=maid")).out
  expect(md).toContain("gone")
  expect(md).not.toContain("Boil")
  expect(md).not.toContain("missing")
  const html = (await exported(run, "--as", "html", "--where", "invokeid=cook")).out
  expect(html).toContain('<div class="prose"><p>Boil.</p>')
  expect(html).not.toContain("gone")
})

describe("export of captured texts", () => {
  test("includes them in full in md and html, and says why an excerpt is one", async () => {
    await using captured = await capturedRun()
    const md = (await exported(captured.path, "--as", "md")).out
    expect(md).toContain(`> ${WHOLE_SYSTEM.trimEnd()}`)
    expect(md).toContain(`\n**Tool result: count\\_words**\n\n\`\`\`text\n${WHOLE_RESULT}\n\`\`\`\n`)
    const edit = "old_string:\n  First snow\n  falls slow\nnew_string:\n  First snow\n  falls still"
    expect(md).toContain(`\n**Tool call: edit\\_file poems/4.txt**\n\n\`\`\`text\n${edit}\n\`\`\`\n`)
    // The `io/ref` of the second reply leads out of the directory.
    expect(md).toMatch(/\n\*\*Assistant\*\* \(excerpt: [^\n]*outside[^\n]*\)\n\n> The cut\.\n/)
    const html = (await exported(captured.path, "--as", "html")).out
    expect(html).toContain(`<pre>${WHOLE_RESULT}</pre>`)
    expect(html).toMatch(/<p>Assistant <i>\(excerpt: [^<]*outside[^<]*\)<\/i><\/p><div class="prose"><p>The cut\.<\/p>/)
  })
  test("marks a captured tool result that failed, and has its lines as lines", async () => {
    await using captured = await capturedRun()
    const failed = '{:tool_use_id "u1" :content "ENOENT: run_tests\\nexit 127" :is-error true}'
    await Bun.write(join(captured.path, "nodes/judging/0/turns/0/tool-results/u1.edn"), failed)
    const md = (await exported(captured.path, "--as", "md")).out
    expect(md).toContain("\n**Tool error: count\\_words**\n\n```text\nENOENT: run_tests\nexit 127\n```\n")
    const html = (await exported(captured.path, "--as", "html")).out
    const result = "<p>Tool error: count_words</p><pre>ENOENT: run_tests\nexit 127</pre>"
    expect(html).toContain(`<section class="said error">${result}</section>`)
  })
  test("finds them in --session-dir", async () => {
    await using captured = await capturedRun("artifacts")
    const copy = join(scratch, "copy.jsonl")
    await Bun.write(copy, Bun.file(join(captured.path, "transcript.jsonl")))
    expect((await exported(copy, "--as", "md")).out).toContain("**Tool result: count\\_words** (excerpt)\n")
    const { out } = await exported(copy, "--as", "md", "--session-dir", captured.path)
    expect(out).toContain(WHOLE_RESULT)
    expect((await exported(copy, "--as", "md", "--session-dir", join(scratch, "none"))).err).toEndWith(
      "none: no such file\n",
    )
  })
})

describe("export -o", () => {
  test("writes a file, infers the format from its name, and replaces an existing file", async () => {
    const file = join(scratch, "out.html")
    await Bun.write(file, "old")
    expect(await exported(run, "-o", "out.html")).toEqual({ code: 0, out: "", err: SAID })
    expect(await Bun.file(file).text()).toStartWith("<!doctype html>")
    expect((await readdir(scratch)).filter(name => name.includes("part"))).toEqual([])
  })
  test("follows a link to a file, and keeps the link", async () => {
    await Bun.write(join(scratch, "real.md"), "old")
    await symlink("real.md", join(scratch, "link.md"))
    expect((await exported(run, "-o", "link.md")).code).toBe(0)
    expect(await Bun.file(join(scratch, "real.md")).text()).toStartWith("# run-7\n")
  })
  test("never overwrites the recording, even through a link", async () => {
    await symlink(join(run, "transcript.jsonl"), join(scratch, "same.jsonl"))
    expect(await exported(run, "--as", "jsonl", "-o", "same.jsonl")).toEqual({
      code: 2,
      out: "",
      err: "opentui-sidecar export: same.jsonl: is the recording itself\n",
    })
    expect(await Bun.file(join(run, "transcript.jsonl")).text()).toBe(RECORDING)
  })
  test("refuses a path that it cannot write to", async () => {
    const err = (words: string) => ({ code: 2, out: "", err: `opentui-sidecar export: ${words}\n` })
    expect(await exported(run, "-o", "none/x.md")).toEqual(err("none/x.md: no such file"))
    expect(await exported(run, "--as", "md", "-o", ".")).toEqual(err(".: is a directory"))
  })
})

describe("export refuses bad usage with exit code 2:", () => {
  test.each([
    [[], "expected a recording, a session directory or a log"],
    [["nothing-here", "--as", "md"], "nothing-here: no such file"],
    [[haiku], "expected --as md, html, jsonl or otlp"],
    [[haiku, "--as", "pdf"], "unknown format pdf; use md, html, jsonl or otlp"],
    [[haiku, "b", "--as", "md"], "expected -o DIR, a directory for the files of several runs"],
    [[haiku, "--as", "md", "--where", 'a "'], '--where: unknown word "a"'],
  ])("%j", async (args, words) => {
    const { code, out, err } = await exported(...args)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toStartWith(`opentui-sidecar export: ${words}`)
  })
  test("a bad filter, with a mark below the mistake", async () => {
    const { err } = await exported(haiku, "--as", "md", "--where", "error and seqq=3")
    expect(err.split("\n").slice(1, 3)).toEqual(["  error and seqq=3", "            ^^^^"])
  })
})

test("export --as md and html begin with a summary whose links lead to the turns and the questions", async () => {
  const path = join(scratch, "summary.jsonl")
  const cook = { invokeid: "cook", "session-id": "c" }
  const usage = { "input-tokens": 1100, "output-tokens": 40, "cached-tokens": 300 }
  const rows = [
    { event: "llm/start", data: cook },
    { event: "llm/request", data: { ...cook, "user-blocks": [{ type: "text", text: "Boil." }] } },
    { event: "llm/response", data: { ...cook, usage, content: [{ type: "text", text: "Done." }] } },
    { event: "llm/start", data: cook },
    { event: "llm/error", data: { ...cook, message: "no gas" } },
    { event: "llm/start", data: { invokeid: "maid", "session-id": "m" } },
    { kind: "prompt", "prompt-id": "q", invokeid: "cook", type: "text", opts: { prompt: "Tea?" } },
  ]
  await Bun.write(path, rows.map((row, seq) => `${JSON.stringify({ seq, ts: 1000 * seq, ...row })}\n`).join(""))
  const md = (await exported(path, "--as", "md")).out
  expect(md.split("\n## Ledger")[0]).toBe(`# summary.jsonl

- Status: running
- Asked: Boil.
- Started: 1970-01-01 00:00:00 UTC
- Took: 5.0s
- Sessions: 2, 1 failed
- Turns: 3
- Tokens in: 1,100 \\(300 cached\\)
- Tokens out: 40
- Waited for: models 3.0s
- Errors: 1
- Questions: [1, 1 open](#questions)
- First error: [cook  model error  no gas](#session-1-turn-2)
`)
  const html = (await exported(path, "--as", "html")).out
  expect(html).toContain('<dt>First error</dt><dd><a href="#session-1-turn-2">cook  model error  no gas</a></dd>')
  expect(html).toContain('<tr class="bad"><td><a href="#session-1-turn-2">+00:04.000</a></td>')
  for (const [page, links] of [
    [md, md.matchAll(/\]\(#([^)]*)\)/g)],
    [html, html.matchAll(/ href="#([^"]*)"/g)],
  ] as const) {
    const to = new Set([...links].map(([, anchor]) => anchor))
    expect([...to].filter(anchor => !page.includes(`id="${anchor}"`))).toEqual([])
    for (const anchor of ["session-1", "session-2", "session-1-turn-2", "questions"]) expect(to.has(anchor)).toBe(true)
  }
})

test("export to a terminal prints no control characters", async () => {
  const cmd = [join(root, "bin/opentui-sidecar"), "export", run, "--as", "jsonl"]
  await Bun.write(join(run, "transcript.jsonl"), `${LINES[0]}\nno json \u001b]0;owned\u0007\u009b2J\n`)
  await using terminal = await openTerminal({ cmd, cols: 120, rows: 20 })
  expect(await terminal.exited).toBe(0)
  // Bytes: ESC and BEL as they are, C1 as UTF-8.
  expect(terminal.raw).not.toMatch(/[\u001b\u0007]|\u00c2[\u0080-\u009f]/)
  expect((await terminal.screen()).join("\n")).toContain("no json ␛]0;owned␇")
  await Bun.write(join(run, "transcript.jsonl"), RECORDING)
})

describe("--segments", () => {
  test("writes each file, command and tool call of a reply as a block of its own", async () => {
    const path = join(scratch, "segments.jsonl")
    const calls = '<write_file path="a.txt">one\ntwo</write_file>Then<tool name="save"><arg name="to">b</arg></tool>'
    const rows = [
      { event: "llm/start", seq: 1, data: { invokeid: "cook", "session-id": "s" } },
      {
        event: "llm/delta",
        seq: 2,
        data: { invokeid: "cook", "session-id": "s", text: `I write.${calls}<run_bash>ls -l` },
      },
    ]
    await Bun.write(path, rows.map(row => `${JSON.stringify(row)}\n`).join(""))
    const md = await exported(path, "--as", "md", "--segments", "xml")
    const blocks = md.out.split("- Tokens out: 1\n").at(-1) ?? ""
    expect(blocks.split("\n## Log")[0]).toBe(`
**Assistant**

> I write.

**write\\_file: a.txt**

\`\`\`text
one
two
\`\`\`

**Assistant**

> Then

**Tool call: save**

\`\`\`text
b
\`\`\`

**run\\_bash** (cut off by the end of the reply)

\`\`\`text
ls -l
\`\`\`
`)
    const html = await exported(path, "--as", "html", "--segments", "xml")
    expect(html.out).toContain('<section class="said tool-call"><p>write_file: a.txt</p><pre>one\ntwo</pre></section>')
    const plain = await exported(path, "--as", "md")
    expect(plain.out).not.toContain("write\\_file")
  })

  test("is refused in one line for lines as they were recorded, for an unknown parser, and by fold", async () => {
    const refused = async (...args: readonly string[]) => {
      const { code, out, err } = await sidecar(args, { cwd: scratch })
      return [code, out, err]
    }
    const raw = "--segments needs --as md or html\n"
    const asJsonl = ["--as", "jsonl", "--segments", "xml"]
    expect(await refused("export", haiku, ...asJsonl)).toEqual([2, "", `opentui-sidecar export: ${raw}`])
    const which = "unknown segment parser yaml; use api_tool_call, xml, json or sentinel\n"
    const asYaml = ["--as", "md", "--segments", "yaml"]
    expect(await refused("export", haiku, ...asYaml)).toEqual([2, "", `opentui-sidecar export: ${which}`])
    const fold = "opentui-sidecar fold: Unknown option '--segments'\n"
    expect(await refused("fold", haiku, "--segments", "xml")).toEqual([2, "", fold])
  })
})

test("a session has the name of the live pane in an export, and a narrow page scrolls the waterfall", async () => {
  const { out } = await exported(fixture("demo"), "--as", "html")
  expect(out).toContain(">drafter 1</a></h2>")
  expect(out).toMatch(/<text x="0" y="\d+">drafter 1<\/text>/)
  expect(out).not.toContain("drafter ›")
  expect(out).toMatch(/<div class="wide"><svg class="waterfall"[\s\S]*<\/svg><\/div>/)
  expect(out).toMatch(/\.wide \{ overflow-x: auto \}\s+svg\.waterfall \{ width: 100%; min-width: 60rem;/)
})
