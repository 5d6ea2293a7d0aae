// Passes on what concerns the terminal itself: bell, title, notification, redraw, suspend.
import type { Surface } from "../../screen/surface.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export function terminalHandlers(
  surface: Surface,
): HandlersOf<"terminal/bell" | "terminal/title" | "terminal/notify" | "terminal/redraw" | "terminal/suspend"> {
  return {
    "terminal/bell": () => surface.bell(),
    "terminal/title": ({ text }) => surface.title(text),
    "terminal/notify": ({ text }) => surface.notify(text),
    "terminal/redraw": () => surface.redraw(),
    "terminal/suspend": () => surface.suspend(),
  }
}
