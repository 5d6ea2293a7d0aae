import { join } from "node:path"
import { type SafeText, sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { printOut } from "../../ui/standard-streams.ts"
import { sizeWords } from "../../ui/text-width.ts"
import type { RunContext, SessionOptions } from "../run-context.ts"
import { reportOutcome, writeNewFile } from "../state-files.ts"

/** Copies a text to the clipboard, or to a file if the terminal can't take that much; the footer says which. */
export function copyText(context: RunContext, { surface, screen }: SessionOptions, what: string, text: string): void {
  const size = sizeWords(Buffer.byteLength(text))
  const isSent = surface.terminal?.copy(text) ?? false
  void reportOutcome(context, "Can't copy", async () => {
    if (isSent) return `Copied ${what} (${size}), if your terminal allows it`
    const path = await writeNewFile(join(screen.stateDir, "copies"), what, "txt", [text])
    return `Too big for the clipboard; saved to ${sanitizeLine(path)}`
  })
}

/** Prints a text where the terminal's own selection and scrolling work; resolves at Enter. */
export async function printUntilEnter(text: SafeText, keys: NodeJS.ReadStream | null): Promise<void> {
  if (keys === null) return
  printOut(sanitize(`${text}\n\n[Press Enter to return]`))
  await new Promise<void>(done => {
    keys.once("data", () => done())
    keys.once("end", () => done())
    keys.resume()
  })
  keys.pause()
}
