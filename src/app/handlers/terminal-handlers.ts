// Builds the handlers of effects on the terminal, which every screen needs.
import { sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { Surface } from "../../screen/surface.ts"
import type { EffectHandlers } from "../effect-handlers.ts"
import type { RunContext } from "../run-context.ts"
import { printUntilEnter } from "./copy-text.ts"

type TerminalHandlers = Pick<EffectHandlers, Extract<keyof EffectHandlers, `terminal/${string}`>>

/** `keys`: where keys come from; null if there are none. */
export function terminalHandlers(
  notify: RunContext["notify"],
  surface: Surface,
  keys: NodeJS.ReadStream | null,
): TerminalHandlers {
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
    "terminal/print": ({ text }) => void surface.terminal?.lend(() => printUntilEnter(sanitize(text), keys)),
  }
}
