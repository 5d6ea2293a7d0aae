// Builds the handlers of effects on the terminal, which every screen needs.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { Surface } from "../../screen/surface.ts"
import type { EffectHandlers } from "../effect-handlers.ts"
import type { RunContext } from "../run-context.ts"

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
