// Lets the user choose one line of a list, and restores the terminal afterwards.
import type { SafeText } from "../protocol/sanitize.ts"
import { clip, pad } from "../ui/text-width.ts"

const ENTER = "\x1b[?1049h\x1b[?25l"
const LEAVE = "\x1b[?25h\x1b[?1049l"

const LINE_KEYS: { readonly [key: string]: number } = {
  ...{ j: 1, "\x1b[B": 1, "\x1bOB": 1 },
  ...{ k: -1, "\x1b[A": -1, "\x1bOA": -1 },
  ...{ g: Number.NEGATIVE_INFINITY, "\x1b[H": Number.NEGATIVE_INFINITY },
  ...{ G: Number.POSITIVE_INFINITY, "\x1b[F": Number.POSITIVE_INFINITY },
}
const PAGE_KEYS: { readonly [key: string]: number } = { "\x1b[6~": 1, "\x1b[5~": -1 }
const CHOOSE_KEYS = ["\r", "\n"]
const QUIT_KEYS = ["\x1b", "q", "\x03"]

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const

/** The index of the chosen line, null if the user quit. Stdin and stdout are a terminal. */
export async function chooseLine(title: SafeText, lines: readonly SafeText[]): Promise<number | null> {
  const { stdin, stdout } = process
  let cursor = 0
  let top = 0
  const rows = (): number => Math.max(1, (stdout.rows || 24) - 2)
  const draw = (): void => {
    const columns = stdout.columns || 80
    top = Math.max(0, Math.min(top, cursor, lines.length - rows()), cursor - rows() + 1)
    const shown = lines.slice(top, top + rows()).map((line, i) => {
      const clipped = clip(line, columns)
      return top + i === cursor ? `\x1b[7m${pad(clipped, columns)}\x1b[0m` : clipped
    })
    const foot = clip(`Enter open  j k move  q quit   ${cursor + 1} of ${lines.length}`, columns)
    const blank = Array.from({ length: rows() - shown.length }, () => "")
    const all = [`\x1b[1m${clip(title, columns)}\x1b[0m`, ...shown, ...blank, foot]
    stdout.write(`\x1b[H${all.map(line => `${line}\x1b[K`).join("\r\n")}\x1b[J`)
  }
  const restore = (): void => {
    stdin.setRawMode(false)
    stdin.pause()
    stdout.write(LEAVE)
  }
  const handlers = Object.entries(SIGNALS).map(([signal, code]) => ({ signal, exit: () => process.exit(code) }))
  const done = Promise.withResolvers<number | null>()
  const press = (bytes: Buffer): void => {
    for (const [key] of bytes.toString("latin1").matchAll(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|./gs)) {
      const isChoice = CHOOSE_KEYS.includes(key)
      if (isChoice || QUIT_KEYS.includes(key)) {
        done.resolve(isChoice ? cursor : null)
        return
      }
      const moved = cursor + (LINE_KEYS[key] ?? 0) + (PAGE_KEYS[key] ?? 0) * rows()
      cursor = Math.max(0, Math.min(moved, lines.length - 1))
    }
    draw()
  }
  // An uncaught error also ends the process.
  process.once("exit", restore)
  for (const { signal, exit } of handlers) process.on(signal, exit)
  stdin.setRawMode(true)
  stdout.write(ENTER)
  stdin.on("data", press)
  stdin.once("end", () => done.resolve(null))
  stdout.on("resize", draw)
  stdin.resume()
  draw()
  const chosen = await done.promise
  stdin.off("data", press)
  stdout.off("resize", draw)
  for (const { signal, exit } of handlers) process.off(signal, exit)
  process.off("exit", restore)
  restore()
  return chosen
}
