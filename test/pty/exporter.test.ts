// Tests what leaves the program: the bytes for the clipboard, exported files and the plain view.
import { beforeAll, describe, expect, test } from "bun:test"
import { mkdir, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { sizeWords } from "../../src/ui/text-width.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const bin = join(root, "bin/opentui-sidecar")

const scratch = fileScratch()
const LINES = (reply: string) =>
  [
    { event: "llm/start", seq: 0, ts: 1, data: { invokeid: "poet", "session-id": "s" } },
    {
      event: "llm/response",
      seq: 1,
      ts: 2,
      data: { invokeid: "poet", "session-id": "s", content: [{ type: "text", text: reply }] },
    },
  ]
    .map(row => `${JSON.stringify(row)}\n`)
    .join("")
const HOSTILE = "One\u001b]52;c;aGFjaw==\u0007 two \u009b2J sk-0123456789abcdefgh"
const INERT = "One␛]52;c;aGFjaw==␇ two \ufffd2J sk-0123456789abcdefgh"

beforeAll(async () => {
  for (const [name, reply] of [
    ["tea", HOSTILE],
    ["long", "x".repeat(80_000)],
    ["table", "**Timeline**\n\n| time | what |\n|---|---|\n| 06:52 | dark |"],
  ] as const) {
    await mkdir(join(scratch, name))
    await Bun.write(join(scratch, name, "transcript.jsonl"), LINES(reply))
  }
  await mkdir(join(scratch, "wide"))
  const wide = `{"event":"${"x".repeat(17 * 1024 * 1024)}"}\n`
  await Bun.write(join(scratch, "wide", "transcript.jsonl"), wide + LINES("tea"))
})

async function open(run: string, env: Record<string, string> = {}): Promise<Terminal> {
  const cmd = [bin, "replay", join(scratch, run), "--timing", "instant"]
  const terminal = await openTerminal({ cmd, cols: 120, rows: 30, env })
  await terminal.waitFor("poet")
  await terminal.waitFor(" said ")
  return terminal
}

const base64 = (text: string) => Buffer.from(text).toString("base64")

describe("a copy by y", () => {
  const osc = `\u001b]52;c;${base64(INERT)}\u0007`
  test.each([
    ["to a terminal", {}, osc],
    ["through tmux", { TMUX: "/tmp/none,1,0" }, `${osc}\u001bPtmux;\u001b${osc}\u001b\\`],
    ["through screen", { STY: "1.none" }, `\u001bP${osc}\u001b\\`],
  ])("is sent %s, and the screen says that the terminal may not take it", async (_, env, bytes) => {
    await using terminal = await open("tea", env)
    await terminal.press("y").waitFor("COPY")
    const before = terminal.raw.length
    terminal.press("\r")
    await terminal.waitFor(`Copied reply (${sizeWords(Buffer.byteLength(INERT))}), if your terminal allows it`)
    const sent = terminal.raw.slice(before)
    expect(sent).toContain(bytes)
    expect(sent.split("\x1b]52;c;").length - 1).toBe(bytes.split("\x1b]52;c;").length - 1)
  })

  test("is written to a file readable by its owner only, if it is too long for the clipboard", async () => {
    await using terminal = await open("long")
    await terminal.press("y\r").waitFor("Too big for the clipboard; saved to")
    expect(terminal.raw).not.toContain("]52;c;")
    const directory = join(terminal.home, "state/opentui-sidecar/copies")
    const [name = ""] = await readdir(directory)
    expect(name).toMatch(/^reply-\d{8}T\d{6}Z\.txt$/)
    expect(await Bun.file(join(directory, name)).text()).toBe("x".repeat(80_000))
    expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
  })
})

test("x exports the run to a file without secrets, and says where", async () => {
  await using terminal = await open("tea")
  await terminal.press("xjj\r").waitFor("Saved ")
  await terminal.press("x\r").waitFor(".md")
  const directory = join(terminal.home, "state/opentui-sidecar/exports")
  const names = (await readdir(directory)).sort()
  expect(names.map(name => name.replace(/-\d{8}T\d{6}Z/, ""))).toEqual(["tea.jsonl", "tea.md"])
  const [lines = "", page = ""] = await Promise.all(names.map(name => Bun.file(join(directory, name)).text()))
  expect(lines).toBe(LINES(HOSTILE).replace("sk-0123456789abcdefgh", "[redacted API key]"))
  expect(page).toStartWith("# tea\n")
  expect(page).toContain("two \ufffd2J [redacted API key]")
})

test("X saves a page about the moment shown, without secrets, with the command that opens it there", async () => {
  await using terminal = await open("tea")
  await terminal.press(":save a page\r").waitFor(/Saved [\s\S]*\.html/)
  const directory = join(terminal.home, "state/opentui-sidecar/exports")
  const [name = ""] = await readdir(directory)
  expect(name).toMatch(/^tea-frame-2-.*\.html$/)
  const page = await Bun.file(join(directory, name)).text()
  expect(page).toContain("opentui-sidecar replay tea --at &#39;#2&#39;")
  expect(page).toContain("[redacted API key]")
  expect(page).not.toContain("sk-0123456789abcdefgh")
})
