// Tests that no output to a terminal holds an escape sequence of anyone else's.
import { beforeAll, describe, expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { event, prompt } from "../agent/ui.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { forms, formsByChance, named, SENTINEL } from "./corpus.ts"
import { carried, isOurs, STEERING, takeApart } from "./sequences.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const hostile = [...forms, ...formsByChance(40, 7)].join("")
const bin = join(root, "bin/opentui-sidecar")
const who = { invokeid: `poet${hostile}`, "session-id": `s${hostile}` }

const rows = [
  event("runner/started", { "session-id": hostile, "chart-id": hostile }, 1),
  event("runner/event-processed", { "event-name": hostile, "config-after": [hostile], entered: [hostile] }, 2),
  event("llm/start", { ...who, model: hostile }, 3),
  event("llm/request", { ...who, "user-blocks": [{ type: "text", text: `tea ${hostile}` }] }, 4),
  event(
    "llm/response",
    {
      ...who,
      "stop-reason": hostile,
      content: [
        { type: "text", text: `# tea ${hostile}\n[link](http://${hostile})\n\`\`\`\n${hostile}\n\`\`\`` },
        { type: "tool_use", id: "t", name: `tool${hostile}`, input: { [hostile]: hostile } },
      ],
    },
    5,
  ),
  event("llm/tool-result", { ...who, tool: hostile, "content-preview": hostile, "is-error": true }, 6),
  event(`odd/${hostile}`, { [hostile]: hostile }, 7),
  event("human-input/validation-failed", { invokeid: null, errors: [hostile] }, 8),
  event("runner/aborted", { reason: hostile }, 9),
]

const scratch = fileScratch()
let run = ""
beforeAll(async () => {
  run = join(scratch, `run ${named}`)
  await mkdir(join(run, "artifacts"), { recursive: true })
  await Bun.write(
    join(run, "transcript.jsonl"),
    [...rows.map((row, seq) => JSON.stringify({ ...JSON.parse(row), seq })), hostile, ""].join("\n"),
  )
  await Bun.write(join(run, "artifacts", `poem ${named}.txt`), `A poem. ${hostile.replaceAll("\0", "")}`)
  // Captures of a node that no row names.
  const capture = `{:messages [{:role :user :content "tea ${SENTINEL} unclaimed"}]}`
  for (const folder of ["nodes", "artifacts/nodes"])
    await Bun.write(join(run, folder, `x${named}y/0/turns/0/request.edn`), capture)
  await Bun.write(join(run, "escapement.log"), `The agent says ${hostile}\n`)
})

/** Every sequence is ours, none contains text of the corpus, and the rest has no control characters. */
function expectCalm(raw: string, { drawn }: { readonly drawn: boolean }): void {
  const { sequences, text } = takeApart(raw)
  if (!drawn) expect(sequences).toEqual([])
  expect(sequences.filter(one => !isOurs(one))).toEqual([])
  const texts = carried(sequences)
  const others = sequences.filter(one => carried([one]).length === 0)
  expect(others.filter(one => one.includes(SENTINEL))).toEqual([])
  for (const shown of [text, ...texts]) expect(STEERING.exec(shown)?.[0].codePointAt(0)).toBeUndefined()
}

describe("hostile text in plain mode is sanitized:", () => {
  const commands: readonly (readonly [string, () => readonly string[], Readonly<Record<string, string>>?])[] = [
    ["replay --plain", () => ["replay", run, "--plain", "--timing", "instant"]],
    ["fold", () => ["fold", run]],
    ["export as Markdown", () => ["export", run, "--as", "md"]],
    ["export as HTML", () => ["export", run, "--as", "html"]],
    ["export as JSONL", () => ["export", run, "--as", "jsonl"]],
    ["search", () => ["search", "tea", scratch]],
    ["compare", () => ["compare", run, run]],
    ["--doctor", () => ["--doctor"], { TERM: `xterm${named}`, COLORTERM: named, LC_ALL: named, TMUX: named }],
    ["a recording that is not there", () => ["replay", `${run}x`]],
    ["an unknown flag", () => [`--${named}`]],
    ["an unknown command", () => [named]],
    ["a filter that is wrong", () => ["export", run, "--as", "md", "--where", `${named} =`]],
    ["a parser that is not there", () => ["replay", join(run, "escapement.log"), "--parser", named]],
    ["an agent's recording that is not there", () => ["agent", `${run}x`]],
    ["an address that is none", () => ["attach", `ws://${named}`]],
    ["a record file that cannot be", () => ["replay", run, "--record", named]],
  ]
  for (const [name, args, env] of commands) {
    test(name, async () => {
      await using terminal = await openTerminal({ cmd: [bin, ...args()], cwd: scratch, cols: 200, ...(env && { env }) })
      await terminal.exited
      // The doctor queries the terminal itself.
      const asked = terminal.raw.replace("\x1b[>0q\x1b[?u\x1b]11;?\x1b\\\x1b[c", "")
      expect(asked.length).toBeGreaterThan(20)
      expectCalm(asked, { drawn: false })
    })
  }
})

test("hostile text in an address that cannot be reached is sanitized in plain mode", async () => {
  const url = `ws://127.0.0.1:1/${named}`
  await using terminal = await openSidecar({ cmd: [...spawned, "--plain"], env: { OPENTUI_WS_URL: url } })
  await terminal.waitFor("disconnected, ")
  expect(terminal.raw).toContain("connecting to ws://127.0.0.1:1/")
  expectCalm(terminal.raw, { drawn: false })
})

async function leave(terminal: Terminal): Promise<void> {
  await terminal.press("\x03").exited
}

test("hostile text of a session directory is sanitized: its name, artifacts, log, a copy, an export and their notices", async () => {
  const cmd = [bin, "replay", run, "--timing", "instant"]
  await using terminal = await openTerminal({ cmd, cols: 140, rows: 40 })
  await terminal.waitFor("─ LOG")
  await terminal.press(":files\r").waitFor("poem")
  await terminal.press("\r").waitFor("A poem.")
  await terminal.press(":agent-log\rm").waitFor("The agent says")
  await terminal.press(":states of the chart\r").waitFor(/state +visits/)
  await terminal.press(":status\r").waitFor(rows => !rows.some(row => /state +visits/.test(row)))
  await terminal.press("\x1b[27u".repeat(6)).waitFor("─ SESSIONS")
  await terminal.press("y").waitFor("COPY")
  await terminal.press("\r").waitFor("if your terminal allows it")
  await terminal.press("x").waitFor("EXPORT")
  await terminal.press("\r").waitFor("Saved ")
  await terminal.press("\x07").waitFor("Check it before you share it")
  terminal.press("F")
  terminal.type("unclaimed")
  await terminal.press("\r").waitFor(/SEARCH.*this run/)
  await terminal.waitFor(`x${SENTINEL}`)
  await leave(terminal)
  expectCalm(terminal.raw, { drawn: true })
  const copies = takeApart(terminal.raw).sequences.filter(one => one.startsWith("\x1b]52;"))
  expect(carried(copies).join("")).toContain(SENTINEL)
})

test("hostile text in the list of runs is sanitized", async () => {
  await using terminal = await openTerminal({ cmd: [bin, "sessions", scratch], cols: 120, rows: 20 })
  await terminal.waitFor("─ 1 of 1")
  await terminal.waitFor(SENTINEL)
  await terminal.press("jkgG\x1b[6~\x0c/\x1b[200~x\x07y\x1b[201~\x1b").waitFor("q leave")
  terminal.press("\x1b")
  await terminal.resize(60, 8)
  await terminal.waitFor(rows => rows.length === 8 && /^└─ 1 of 1 ─+┘$/.test(rows[6] ?? ""))
  expectCalm(terminal.raw, { drawn: true })
  // The run that is opened from there.
  await terminal.press("\r").waitFor("9/9")
  await leave(terminal)
  expectCalm(terminal.raw, { drawn: true })
})

test("hostile text of a question is sanitized in a notification and in the window's title", async () => {
  await using live = await openLive([event("runner/started", { "session-id": "s", "chart-id": "c" }, 1)], {
    agent: { debug: "paused" },
    env: { OPENTUI_CHART: named.replaceAll("\0", ""), OPENTUI_BELL: "0" },
  })
  await live.waitFor("PAUSED")
  // Keys pressed after it take effect after it.
  await live.press("\x1b[O?").waitFor("─ KEYS")
  await live.press("\x1b").waitFor("─ LOG")
  const question = prompt(`ask ${hostile}`, "text", { prompt: `Tell ${hostile}` }, `ask ${hostile}`)
  live.agent.emit(question)
  await live.waitFor("a answers")
  await live.press("a").waitFor("Tell")
  const told = () => carried(takeApart(live.raw).sequences).filter(text => text.includes(SENTINEL))
  await live.waitFor(() => told().length >= 2)
  live.kill("SIGTERM")
  expect(await live.exited).toBe(143)
  expectCalm(live.raw, { drawn: true })
})

test("hostile text of a guest is sanitized: its output, its name, and an error that names a file", async () => {
  const script = join(scratch, "guest.sh")
  await Bun.write(join(scratch, "said"), `[name] tea ${hostile}\n${hostile}\n`)
  await Bun.write(script, `cat ${join(scratch, "said")}; echo the end; cat >/dev/null`)
  const cmd = [bin, "run", "--", "sh", script, named]
  await using terminal = await openTerminal({ cmd, cols: 140, rows: 40 })
  await terminal.waitFor("the end")
  await terminal.press("\x03\x03").exited
  expectCalm(terminal.raw, { drawn: true })
})

test("hostile text typed into fields is sanitized, as a paste without brackets arrives", async () => {
  await using live = await openLive([rows[0] ?? "", prompt("ask#1")], { env: { OPENTUI_BELL: "0" } })
  await live.waitFor(/─ .* asks[\s\S]*ask#1\?/)
  await live.type("an\u009b2J\u202eswer").waitFor("an2Jswer")
  await live.press("\x1bh").waitFor("─ LOG")
  live.press("/")
  await live.type("look\u009d52;c;x\u2066up").waitFor("look52;c;xup")
  live.kill("SIGTERM")
  await live.exited
  expectCalm(live.raw, { drawn: true })
})
