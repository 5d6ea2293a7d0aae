// Keeps what a terminal gets from its opening to its end: colours as deep as it has, its title, and what is asked of it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { PROGRAM } from "./opened-terminal.ts"

/** The first picture: the colours that are set in it, and some of its words; later ones come when they come. */
function drawn(frame: string): string {
  const words = frame.replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, "").match(/SESSIONS +\d+|tale|-{4}|─{4}/g)
  return words?.[0] !== "tale"
    ? ""
    : `<${[...new Set([...(frame.match(/\x1b\[[\d;]*m/g) ?? []), ...words])].join(" ")}>`
}

/** What it writes, with each frame in short, and what is told beside it. */
async function opened(options: object, steps: readonly string[]): Promise<string> {
  const program = ["--preload", join(root, "test/solid.ts"), PROGRAM]
  const child = Bun.spawn([process.execPath, ...program, JSON.stringify(options)], {
    ...{ stdin: "pipe", stdout: "pipe", stderr: "pipe", cwd: root, env: { TERM: "xterm-256color" } },
  })
  let out = ""
  let next = 0
  child.stdin.write("show tale\n")
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    out += piece
    // What is asked comes once the frame before it is drawn.
    if (next === 0 && out.includes("tale")) for (; next < steps.length; next++) child.stdin.write(`${steps[next]}\n`)
  }
  const told = out.replaceAll(/\x1b\[\?2026h.*?\x1b\[\?2026l/gs, drawn)
  const lines = [told, await new Response(child.stderr).text(), `exits with ${await child.exited}`]
  return lines.join("\n").replaceAll("\x1b", "␛").replaceAll("\x07", "␇").replaceAll(/y{9,}/g, "yy…")
}

/** What a terminal answers whose text is black on white. */
const LIGHT = "\x1b]10;rgb:00/00/00\x07\x1b]11;rgb:ff/ff/ff\x07"

test.each<[string, object, string]>([
  ["of sixteen colours, under an agent", { colors: "16", isSpawned: true, isGrey: true }, "leave 3"],
  [
    "without colours, in tmux",
    { colors: "none", multiplexer: "tmux" },
    "copy 4, copy 74995, bell, notify so, gone lost, gone over",
  ],
  [
    "in ASCII, that stays",
    { colors: "256", theme: "auto", mouse: false, ascii: true, onAgentExit: "stay", says: LIGHT },
    "type x, gone exited, gone over, title a run, mouse, mouse, focus, redraw, show other, lend, title, leave 5",
  ],
  ["of which the screen fails", {}, "throw, bell, leave 6"],
  ["of an agent CLI", {}, "gone exited"],
])("a terminal %s gets its picture, what is asked for, and what it was", async (_, options, steps) => {
  expect(await opened(options, steps.split(", "))).toMatchSnapshot()
})
