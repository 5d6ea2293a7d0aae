// Copies a text: to the terminal's clipboard, to a file where it is too long for that, or onto the plain terminal.
import { join } from "node:path"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import type { Surface } from "../../screen/surface.ts"
import type { RunContext } from "../run-context.ts"
import type { HandlersOf } from "./effect-handlers.ts"
import { writeNewFile } from "./new-file.ts"
import { reportOutcome } from "./report-outcome.ts"

export interface ClipboardOptions {
  readonly surface: Pick<Surface, "copy" | "lend">
  readonly stateDir: string
  /** Where keys come from; null where there are none. */
  readonly keys: NodeJS.ReadStream | null
}

export function clipboardHandlers(
  context: Pick<RunContext, "tell">,
  { surface, stateDir, keys }: ClipboardOptions,
): HandlersOf<"clipboard/copy" | "terminal/print"> {
  return {
    "clipboard/copy"({ what, text }) {
      const size = `${text.length} ${text.length === 1 ? "character" : "characters"}`
      const isSent = surface.copy(text)
      void reportOutcome(context, "The copy", async () => {
        if (isSent) return `Sent to the terminal: ${what}, ${size}`
        const path = await writeNewFile(join(stateDir, "copies"), what, "txt", [text])
        return `Too long for the terminal's clipboard: ${what}, ${size}, is in ${sanitizeLine(path)}`
      })
    },
    "terminal/print": ({ text }) => void surface.lend(() => untilEnter(text, keys)),
  }
}

/** Prints a text where the terminal's own selection and scrolling work; resolves at Enter. */
async function untilEnter(text: string, keys: NodeJS.ReadStream | null): Promise<void> {
  if (keys === null) return
  process.stdout.write(`${text}\n\n[Enter: back]`)
  await new Promise<void>(done => {
    keys.once("data", () => done())
    keys.once("end", () => done())
    keys.resume()
  })
  keys.pause()
}
