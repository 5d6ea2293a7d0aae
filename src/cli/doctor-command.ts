// Says what this terminal can do and what the program makes of it, for a person whose screen looks wrong.
import { arch, platform, release } from "node:os"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { ScreenOptions } from "./screen-options.ts"
import type { TerminalEnvironment } from "./terminal-environment.ts"

/** A terminal that has not answered by then will not, ms. */
const PATIENCE_MS = 500

/** What a terminal is asked: its name, its keyboard protocol, its background, and last what every one of them answers. */
const QUESTIONS = "\x1b[>0q\x1b[?u\x1b]11;?\x1b\\\x1b[c"

/** Prints one line for each fact; gives the exit code. */
export async function doctorCommand(screen: ScreenOptions, around: TerminalEnvironment): Promise<number> {
  const { stdin, stdout } = process
  const { default: own } = await import("../../package.json")
  const replies = stdin.isTTY && stdout.isTTY ? await ask() : null
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["program", `${own.name} ${own.version}`],
    ["libraries", `@opentui/core ${own.dependencies["@opentui/core"]}, solid-js ${own.dependencies["solid-js"]}`],
    ["runtime", `Bun ${Bun.version}, ${platform()} ${arch()} ${release()}`],
    ["terminal", `${around.term || "TERM is not set"}${name(replies)}`],
    ["within", around.within.join(", ") || "nothing"],
    ["size", stdout.isTTY ? `${stdout.columns} columns, ${stdout.rows} rows` : "stdout is no terminal"],
    ["colours", `${screen.colors}${around.colorterm === "" ? "" : ` (COLORTERM=${around.colorterm})`}`],
    ["background", background(replies, screen)],
    ["keyboard", keyboard(replies)],
    ["clipboard", clipboard(around)],
    ["locale", around.locale || "not set"],
    ["shown as", screen.plain ? "plain lines" : screen.ascii ? "a screen in ASCII" : "a screen"],
    ["keeps", screen.stateDir],
  ]
  const width = Math.max(...facts.map(([label]) => label.length))
  stdout.write(facts.map(([label, value]) => `${label.padEnd(width)}  ${sanitizeLine(value)}\n`).join(""))
  return 0
}

/** What the terminal answers, as it came; empty where it says nothing. */
function ask(): Promise<string> {
  const { stdin, stdout } = process
  return new Promise(resolve => {
    let heard = ""
    const end = (): void => {
      clearTimeout(timer)
      stdin.off("data", hear)
      stdin.setRawMode(false)
      stdin.pause()
      resolve(heard)
    }
    const hear = (bytes: Buffer): void => {
      heard += bytes.toString("latin1")
      if (/\x1b\[\?[\d;]*c/.test(heard)) end()
    }
    const timer = setTimeout(end, PATIENCE_MS)
    stdin.setRawMode(true)
    stdin.on("data", hear)
    stdout.write(QUESTIONS)
  })
}

function name(replies: string | null): string {
  const found = /\x1bP>\|([^\x1b]*)\x1b/.exec(replies ?? "")?.[1]
  if (found !== undefined) return `, says it is ${found}`
  return replies === "" ? ", which answers nothing" : ""
}

function background(replies: string | null, { theme }: ScreenOptions): string {
  const found = /\x1b\]11;([^\x07\x1b]*)/.exec(replies ?? "")?.[1]
  return `${found ?? "not told"}; theme ${theme}`
}

function keyboard(replies: string | null): string {
  if (replies === null) return "not asked: no terminal"
  return /\x1b\[\?\d+u/.test(replies) ? "kitty protocol" : "legacy: Shift-Enter is Enter there, Alt-Enter breaks a line"
}

function clipboard({ within }: TerminalEnvironment): string {
  const through = within.length === 0 ? "" : `, passed on through ${within.join(" and ")} where that allows it`
  return `OSC 52${through}; whether the terminal takes it cannot be asked`
}
