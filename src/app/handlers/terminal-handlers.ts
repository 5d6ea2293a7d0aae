// Builds the handlers of effects on the terminal, which every screen needs, and copies texts.
import { join } from "node:path"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { Surface } from "../../screen/surface.ts"
import { sizeWords } from "../../ui/text-width.ts"
import type { EffectHandlers, RunContext, SessionOptions } from "../run-context.ts"
import { reportOutcome, writeNewFile } from "../state-files.ts"
import { copyLocally } from "./local-clipboard.ts"

type TerminalHandlers = Pick<EffectHandlers, Extract<keyof EffectHandlers, `terminal/${string}`>>

/** Of the surface that shows the run. */
export function terminalHandlers(notify: RunContext["notify"], surface: Surface): TerminalHandlers {
  return {
    "terminal/redraw": () => surface.terminal?.redraw(),
    "terminal/suspend": ({ words }) => surface.terminal?.suspend(words === null ? null : sanitizeLine(words)),
    "terminal/mouse"() {
      const isOn = surface.terminal?.toggleMouse()
      if (isOn !== undefined) notify(isOn ? "Mouse on. Shift-drag selects text" : "Mouse off", "info")
    },
    "terminal/bell": () => surface.terminal?.bell(),
    "terminal/title": ({ text }) => surface.terminal?.title(text === null ? null : sanitizeLine(text)),
    "terminal/notify": ({ text }) => surface.terminal?.notify(sanitizeLine(text)),
  }
}

/** Copies a text through the terminal and with a tool of this machine, else to a file; the footer says which. */
export function copyText(context: RunContext, { surface, screen }: SessionOptions, what: string, text: string): void {
  const size = sizeWords(Buffer.byteLength(text))
  const isSent = surface.terminal?.copy(text) ?? false
  void reportOutcome(context, "Can't copy", async () => {
    const tool = await copyLocally(text)
    if (tool !== null) return `Copied ${what} (${size}) with ${tool}`
    if (isSent) return `Copied ${what} (${size}), if your terminal allows it`
    const path = await writeNewFile(join(screen.stateDir, "copies"), what, "txt", [text])
    return `Too big for the clipboard; saved to ${sanitizeLine(path)}`
  })
}
