// Tests the bytes of a copy: for each kind of terminal, and for the tools of a desktop.
import { beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, statSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { sizeWords } from "../../src/ui/text-width.ts"
import { event } from "../agent/ui.ts"
import { root } from "../fixtures.ts"
import { fileScratch, scratch } from "../scratch.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const bin = join(root, "bin/opentui-sidecar")
const directory = fileScratch()
const HOSTILE = "One\u001b]52;c;aGFjaw==\u0007 two \u009b2J"
const INERT = "One␛]52;c;aGFjaw==␇ two \ufffd2J"
const LONG = "x".repeat(80_000)
const who = { invokeid: "poet", "session-id": "s" }

beforeAll(async () => {
  for (const [name, text] of [
    ["tea", HOSTILE],
    ["long", LONG],
  ] as const) {
    const rows = [event("llm/start", who), event("llm/response", { ...who, content: [{ type: "text", text }] })]
    await Bun.write(join(directory, name, "transcript.jsonl"), `${rows.join("\n")}\n`)
  }
})

async function open(run: string, env: Record<string, string> = {}): Promise<Terminal> {
  const cmd = [bin, "replay", join(directory, run), "--timing", "instant"]
  const terminal = await openTerminal({ cmd, cols: 120, rows: 30, env })
  await terminal.waitFor("poet")
  await terminal.waitFor(" said ")
  return terminal
}

describe("a copy by y", () => {
  const osc = `\u001b]52;c;${Buffer.from(INERT).toString("base64")}\u0007`
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

  test.each([
    ["long", `Copied reply (${sizeWords(LONG.length)}) with wl-copy`, {}, LONG],
    ["tea", "if your terminal allows it", { SSH_CONNECTION: "1 2 3 4" }, null],
    ["tea", "if your terminal allows it", { TOOL_FAILS: "1" }, null],
  ])("is made with a tool of the desktop too: %s, %s", async (run, words, more, copied) => {
    using place = scratch()
    const copy = join(place.path, "copy")
    const tool = `#!/bin/sh\n[ -z "$TOOL_FAILS" ] && exec cat >'${copy}'\nexit 1\n`
    await writeFile(join(place.path, "wl-copy"), tool, { mode: 0o755 })
    const env = { PATH: `${place.path}:${process.env.PATH}`, WAYLAND_DISPLAY: "wayland-0", ...more }
    await using terminal = await open(run, env)
    await terminal.press("y\r").waitFor(words)
    expect((await Bun.file(copy).exists()) ? await Bun.file(copy).text() : null).toBe(copied)
  })

  test("is saved to a file that only its owner can read, if it is too long for the clipboard", async () => {
    await using terminal = await open("long")
    await terminal.press("y\r").waitFor("Too big for the clipboard; saved to")
    expect(terminal.raw).not.toContain("]52;c;")
    const copies = join(terminal.home, "state/opentui-sidecar/copies")
    const [name = ""] = readdirSync(copies)
    expect(statSync(join(copies, name)).mode & 0o777).toBe(0o600)
  })
})
