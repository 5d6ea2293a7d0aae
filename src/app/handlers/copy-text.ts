// Copies a text: to the terminal's clipboard, to a file if it is too long for that, or onto the plain terminal.
import { join } from "node:path"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { counted } from "../../ui/text-width.ts"
import type { RunContext, SessionOptions } from "../run-context.ts"
import { reportOutcome, writeNewFile } from "../state-files.ts"

export function copyText(context: RunContext, { surface, screen }: SessionOptions, what: string, text: string): void {
  const size = counted(text.length, "character")
  const isSent = surface.copy(text)
  void reportOutcome(context, "The copy", async () => {
    if (isSent) return `Sent to the terminal: ${what}, ${size}`
    const path = await writeNewFile(join(screen.stateDir, "copies"), what, "txt", [text])
    return `Too long for the terminal's clipboard: ${what}, ${size}, is in ${sanitizeLine(path)}`
  })
}

/** Prints a text where the terminal's own selection and scrolling work; resolves at Enter. */
export async function printUntilEnter(text: string, keys: NodeJS.ReadStream | null): Promise<void> {
  if (keys === null) return
  process.stdout.write(`${text}\n\n[Enter: back]`)
  await new Promise<void>(done => {
    keys.once("data", () => done())
    keys.once("end", () => done())
    keys.resume()
  })
  keys.pause()
}
