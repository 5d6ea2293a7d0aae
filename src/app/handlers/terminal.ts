// Passes on what concerns the terminal itself: bell, title, notification, redraw, suspend.
import type { Surface } from "../../screen/surface.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export function terminalHandlers(surface: Surface): HandlersOf<"bell" | "title" | "notify" | "redraw" | "suspend"> {
  return {
    bell: () => surface.bell(),
    title: ({ text }) => surface.title(text),
    notify: ({ text }) => surface.notify(text),
    redraw: () => surface.redraw(),
    suspend: () => surface.suspend(),
  }
}
