// Lets a person choose one line of a list in the terminal, and leaves the terminal as it was.
import { clip, width } from "../ui/text-width.ts"

const ENTER = "\x1b[?1049h\x1b[?25l"
const LEAVE = "\x1b[?25h\x1b[?1049l"

/** What a key does: a step, a page, an end of the list, or the choice. */
const KEYS: { readonly [keys: string]: "down" | "up" | "page-down" | "page-up" | "first" | "last" | "take" | "leave" } =
  {
    j: "down",
    "\x1b[B": "down",
    "\x1bOB": "down",
    k: "up",
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[6~": "page-down",
    "\x1b[5~": "page-up",
    g: "first",
    "\x1b[H": "first",
    G: "last",
    "\x1b[F": "last",
    "\r": "take",
    "\n": "take",
    "\x1b": "leave",
    q: "leave",
    "\x03": "leave",
  }

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const

/** The index of the line that was chosen, null where the person left. The lines are inert; stdin and stdout are a terminal. */
export async function chooseLine(title: string, lines: readonly string[]): Promise<number | null> {
  const { stdin, stdout } = process
  let cursor = 0
  let top = 0
  const rows = (): number => Math.max(1, (stdout.rows || 24) - 2)
  const draw = (): void => {
    const columns = stdout.columns || 80
    top = Math.max(0, Math.min(top, cursor, lines.length - rows()), cursor - rows() + 1)
    const shown = lines.slice(top, top + rows()).map((line, i) => {
      const cut = clip(line, columns)
      const filled = cut + " ".repeat(Math.max(0, columns - width(cut)))
      return top + i === cursor ? `\x1b[7m${filled}\x1b[0m` : cut
    })
    const foot = clip(`Enter open  j k move  q leave   ${cursor + 1} of ${lines.length}`, columns)
    const blank = Array.from({ length: rows() - shown.length }, () => "")
    const all = [`\x1b[1m${clip(title, columns)}\x1b[0m`, ...shown, ...blank, foot]
    stdout.write(`\x1b[H${all.map(line => `${line}\x1b[K`).join("\r\n")}\x1b[J`)
  }
  const end = (): void => {
    stdin.setRawMode(false)
    stdin.pause()
    stdout.write(LEAVE)
  }
  const signalled = Object.entries(SIGNALS).map(([signal, code]) => ({ signal, leave: () => process.exit(code) }))
  const done = Promise.withResolvers<number | null>()
  const press = (bytes: Buffer): void => {
    for (const [key] of bytes.toString("latin1").matchAll(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|./gs)) {
      const what = KEYS[key]
      const last = lines.length - 1
      if (what === "take") done.resolve(cursor)
      if (what === "leave") done.resolve(null)
      if (what === "take" || what === "leave") return
      if (what === "down") cursor++
      if (what === "up") cursor--
      if (what === "page-down") cursor += rows()
      if (what === "page-up") cursor -= rows()
      if (what === "first") cursor = 0
      if (what === "last") cursor = last
      cursor = Math.max(0, Math.min(cursor, last))
    }
    draw()
  }
  // Also where something throws: that ends the process too.
  process.once("exit", end)
  for (const { signal, leave } of signalled) process.on(signal, leave)
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
  for (const { signal, leave } of signalled) process.off(signal, leave)
  process.off("exit", end)
  end()
  return chosen
}
