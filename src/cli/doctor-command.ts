// Prints what this terminal can do and how the program will use it.
import { arch, platform, release } from "node:os"
import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { alignedRows, standardOutput } from "./command-output.ts"
import type { Environment } from "./option-table.ts"
import type { ScreenOptions } from "./screen-options.ts"

const TIMEOUT_MS = 500

/** Queries the name, the keyboard protocol, the background, and last the attributes, which every terminal reports. */
const QUERIES = "\x1b[>0q\x1b[?u\x1b]11;?\x1b\\\x1b[c"

/** Prints one line per fact; returns the exit code. */
export async function doctorCommand(screen: ScreenOptions, terminal: TerminalEnvironment): Promise<number> {
  const { stdin, stdout } = process
  const { default: own } = await import("../../package.json")
  const replies = stdin.isTTY && stdout.isTTY ? await query() : null
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["program", `${own.name} ${own.version}`],
    ["libraries", `@opentui/core ${own.dependencies["@opentui/core"]}, solid-js ${own.dependencies["solid-js"]}`],
    ["runtime", `Bun ${Bun.version}, ${platform()} ${arch()} ${release()}`],
    ["terminal", `${terminal.term || "TERM is not set"}${name(replies)}`],
    ["within", terminal.within.join(", ") || "nothing"],
    ["size", stdout.isTTY ? `${stdout.columns} columns, ${stdout.rows} rows` : "unknown (not a terminal)"],
    ["colours", `${screen.colors}${terminal.colorterm === "" ? "" : ` (COLORTERM=${terminal.colorterm})`}`],
    ["background", background(replies, screen)],
    ["keyboard", keyboard(replies)],
    ["clipboard", clipboard(terminal)],
    ["locale", terminal.locale || "not set"],
    ["output", screen.plain ? "plain lines" : screen.ascii ? "screen, in ASCII" : "screen"],
    ["files", screen.stateDir],
  ]
  const rows = facts.map(([label, value]) => [label, sanitizeLine(value)])
  await standardOutput().write(sanitize(`${alignedRows(rows, [Infinity]).join("\n")}\n`))
  return 0
}

/** The terminal's raw replies; empty if it does not answer. */
function query(): Promise<string> {
  const { stdin, stdout } = process
  return new Promise(resolve => {
    let replies = ""
    const end = (): void => {
      clearTimeout(timer)
      stdin.off("data", receive)
      stdin.setRawMode(false)
      stdin.pause()
      resolve(replies)
    }
    const receive = (bytes: Buffer): void => {
      replies += bytes.toString("latin1")
      if (/\x1b\[\?[\d;]*c/.test(replies)) end()
    }
    const timer = setTimeout(end, TIMEOUT_MS)
    stdin.setRawMode(true)
    stdin.on("data", receive)
    stdout.write(QUERIES)
  })
}

function name(replies: string | null): string {
  const found = /\x1bP>\|([^\x1b]*)\x1b/.exec(replies ?? "")?.[1]
  if (found !== undefined) return `, reports ${found}`
  return replies === "" ? ", answers no queries" : ""
}

function background(replies: string | null, { theme }: ScreenOptions): string {
  const found = /\x1b\]11;([^\x07\x1b]*)/.exec(replies ?? "")?.[1]
  return `${found ?? "unknown"}; theme ${typeof theme === "string" ? theme : theme.name}`
}

function keyboard(replies: string | null): string {
  if (replies === null) return "unknown (not a terminal)"
  return /\x1b\[\?\d+u/.test(replies) ? "kitty protocol" : "legacy: Shift-Enter acts as Enter; use Alt-Enter for a line"
}

function clipboard({ within }: TerminalEnvironment): string {
  const through = within.length === 0 ? "" : `, through ${within.join(" and ")} if allowed there`
  return `OSC 52${through}; support can't be detected`
}

export type TerminalEnvironment = Readonly<ReturnType<typeof terminalEnvironment>>

/** What the environment says of the terminal, unchecked. */
export function terminalEnvironment(env: Environment) {
  const programs = [
    ["tmux", env.TMUX],
    ["screen", env.STY],
    ["zellij", env.ZELLIJ],
    ["ssh", env.SSH_CONNECTION],
  ] as const
  return {
    term: env.TERM ?? "",
    colorterm: env.COLORTERM ?? "",
    locale: env.LC_ALL || env.LC_CTYPE || env.LANG || "",
    within: programs.flatMap(([name, value]) => (value ? [name] : [])),
  }
}
