// Fakes the agent's executable: reads its command line, writes real transcript rows, and fails as its chart says.
import { spawn } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"

const [command, ...rest] = process.argv.slice(2)
if (command === "info") {
  process.stdout.write("escapement 0.0-fake\njava 21\n")
  if (process.env.FAKE_CREDENTIALS === "none")
    process.stdout.write(
      `${"  /lib.jar\n".repeat(300)}\nAuto-detect: no LLM backend would be selected (no credentials).\n`,
    )
  process.exit(0)
}

const text = { type: "string" } as const
const flag = { type: "boolean" } as const
const { values, positionals } = parseArgs({
  args: rest,
  allowPositionals: true,
  options: {
    ...{ "work-dir": text, session: text, input: text, backend: text, model: text, "log-level": text },
    ...{ resume: flag, "no-tui": flag, debug: flag },
    param: { type: "string", multiple: true },
  },
})
const chart = positionals[0] ?? ""
const session = values.session ?? "none"
const home = join(values["work-dir"] ?? ".escapement", session)
const transcript = join(home, "transcript.jsonl")

if (chart === "usage" || command !== "run") fail(2, "Unknown option: --nonsense")
if (values.resume && !existsSync(home)) fail(1, `Session not found: ${session}`)
// What Babashka prints of an exception, and the agent where it finds no key: neither writes a row.
if (chart === "unresolved") {
  process.stderr.write("Error: look\nType:     java.io.FileNotFoundException\nMessage:  Could not locate my/team\n")
  fail(1, "Location: <expr>:1:2\n\n----- Stack trace -----\nclojure.core - <built-in>")
}
if (chart === "keyless") fail(1, "Error: no LLM backend configured.\nOptions:\n  1. Set ANTHROPIC_API_KEY\nSee: info")
if (chart === "silent") {
  process.stdout.write("nothing that anybody could read\n")
  process.exit(0)
}

if (chart === "scribbles" && values.resume) {
  appendFileSync(transcript, "half a r")
  fail(1, "Session not found")
}

mkdirSync(home, { recursive: true })
appendFileSync(join(home, "starts"), "x")
let seq = 0
// A transcript outside the work directory must not be read.
if (chart === "links") {
  writeFileSync(join(home, "../../outside.jsonl"), "")
  symlinkSync(join(home, "../../outside.jsonl"), transcript)
}
// A chart that restarts truncates the earlier run's file.
if (chart === "restarts") writeFileSync(transcript, "")
const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(PATH|HOME|PWD)$/.test(key)))
writeFileSync(join(home, "seen.json"), JSON.stringify({ argv: process.argv.slice(2), env, cwd: process.cwd() }))

const ended = join(home, "ended")
const from = { invokeid: "planner", "session-id": `session/${session}` }
if (values.resume && existsSync(ended)) writeFileSync(transcript, "")
row("runner/started", { "session-id": `:session/${session}`, "chart-id": ":fake", "resume?": values.resume === true })
// As the real one does: it restores a chart that has ended, starts nothing, and ends.
if (values.resume && existsSync(ended)) {
  row("runner/resumed", { config: ["run", "done"] })
  end()
  process.exit(0)
}
row("llm/start", { ...from, model: "gemma3:1b" })

switch (chart) {
  case "overloads":
    row("llm/model-down", { model: "gemma3:1b", category: "overloaded", message: "529 Overloaded", remaining: 0 })
    row("llm/error", { ...from, category: "overloaded", message: "529 Overloaded" })
    fail(1, "chart failed")
    break
  case "refused":
  case "gives up":
    if (chart === "gives up") row("llm/tool-result", { tool: "read", "is-error": false, "content-preview": "x" })
    row("llm/error", { ...from, category: "rate-limited", message: "429 slow down" })
    row("runner/event-processed", { "event-name": ":error.llm.rate-limited", "config-after": ["run", "failed"] })
    end()
    break
  case "scribbles":
  case "breaks":
  case "restarts":
    if (values.resume === true) work()
    else fail(1, "chart run failed: the network is gone\nat plan.clj:7")
    break
  case "noisy":
    process.stdout.write(`${values.input === undefined ? "" : readFileSync(values.input, "utf8")}\n`)
    work()
    break
  case "fails":
    row("llm/error", { ...from, message: "no credit left" })
    row("runner/error", { message: "state planning failed" })
    fail(1, "chart failed")
    break
  case "charges": {
    if (values.resume !== true) fail(1, "the network is gone")
    const why = "tool stripe: checkout session cs_123 not found"
    row("llm/tool-result", {
      tool: "stripe",
      "is-error": false,
      "content-preview": "card charged",
      invokeid: "planner",
    })
    row("llm/tool-result", { tool: "stripe", "is-error": true, "content-preview": why, invokeid: "planner" })
    row("runner/error", { message: why })
    fail(1, why)
    break
  }
  case "asks":
    row("human-input/start", { invokeid: "ask", kind: "confirm", prompt: "Ship it?" })
    fail(1, "no terminal")
    break
  case "selects":
    row("human-input/start", {
      invokeid: "ask",
      kind: "select",
      prompt: "Which?",
      options: ["a", { label: "B", value: 2 }],
    })
    fail(1, "no terminal")
    break
  case "aborts":
    row("runner/aborted", { reason: "budget" })
    break
  case "hangs":
  case "deaf":
    if (chart === "deaf") process.on("SIGTERM", () => process.stderr.write("not now\n"))
    grandchild()
    setInterval(() => undefined, 1000)
    break
  case "tidies":
    process.on("SIGTERM", () => {
      setTimeout(() => {
        writeFileSync(join(home, "tidied"), "")
        process.exit(0)
      }, 500)
    })
    setInterval(() => undefined, 1000)
    row("llm/delta", { ...from, type: "text-delta", text: "I am ready.\n" })
    break
  case "leaves":
    grandchild()
    work()
    // Ends normally although the grandchild holds stdout.
    process.exit(0)
    break
  case "streams": {
    const text =
      "I look at the plan first.\nIt needs Authorization: Bearer abcdefghijklmnop1234 to go on.\nNow I write.\n"
    process.stderr.write("Bearer abc\nand more\n")
    for (const one of text.match(/.{1,6}/gs) ?? []) row("llm/delta", { ...from, type: "text-delta", text: one })
    row("llm/response", {
      ...from,
      model: "gemma3:1b",
      content: [{ type: "text", text }],
      usage: { "output-tokens": 18 },
    })
    end()
    break
  }
  case "shouts":
    process.stderr.write(`${"y".repeat(40_000)}\n`)
    fail(1, `Error: ${"z".repeat(500)}`)
    break
  case "unsaid":
    row("llm/delta", { ...from, type: "text-delta", text: "half a thou" })
    process.exit(3)
    break
  case "mutters":
  case "killed":
    if (chart === "mutters") process.stderr.write("run ✗ a warning\n")
    process.kill(process.pid, "SIGKILL")
    break
  case "incomplete":
    work()
    appendFileSync(transcript, '{"event":"llm/user-message","seq":99,"ts":1,"data":{"text":"half a w')
    break
  default:
    work()
}

function work(): void {
  const skills = process.env.PAPERCLIP_SKILLS_DIR ?? ""
  if (skills !== "")
    writeFileSync(
      join(home, "skills.json"),
      JSON.stringify([...new Bun.Glob("**").scanSync({ cwd: skills, followSymlinks: true })]),
    )
  process.stdout.write("[fake] hello\nplain words\nrun · no line end")
  process.stderr.write("a warning\n")
  const call = { type: "tool_use", name: "read", input: { path: "a" } }
  row("llm/delta", { ...from, type: "text-delta", text: "I look." })
  row("llm/response", {
    ...from,
    model: "gemma3:1b",
    content: [{ type: "text", text: "I look." }, call],
    usage: { "input-tokens": 100, "output-tokens": 20, "cached-tokens": 60 },
    "cost-usd": 0.01,
  })
  row("llm/tool-result", { tool: "read", "is-error": false, "content-preview": "text of a", invokeid: "planner" })
  if (chart === "long") row("llm/user-message", { text: "é".repeat(100_000) })
  row("llm/response", {
    ...from,
    content: [{ type: "text", text: "All is done." }],
    usage: { "input-tokens": 50, "output-tokens": 5 },
    "cost-usd": 0.02,
  })
  end()
}

function end(): void {
  row("runner/done", { "final-config": ["run", "done"], status: "done" })
  writeFileSync(ended, "")
}

function row(event: string, data: object): void {
  appendFileSync(transcript, `${JSON.stringify({ event, seq: seq++, ts: 1780798849139 + seq, data })}\n`)
}

/** A grandchild that holds our output open, ignores SIGTERM, and writes its process id. */
function grandchild(): void {
  const child = spawn("sh", ["-c", "trap '' TERM; while :; do sleep 1; done"], { stdio: "inherit" })
  writeFileSync(join(home, "grandchild.pid"), String(child.pid))
  child.unref()
}

function fail(code: number, why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(code)
}
