import { join } from "node:path"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
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
