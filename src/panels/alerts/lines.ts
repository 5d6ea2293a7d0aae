// Draws the list of alerts.
import { type ColorToken, type Line, line, type RenderContext, span } from "../../ui/line.ts"
import { clip, duration, pad } from "../../ui/text-width.ts"
import type { State } from "../../view/state.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"
import { type Alert, alertsOf } from "./alerts.ts"

const AGE_COLUMNS = 9

/** One line for each alert: what it is, for how long, who, and why. */
export function alertLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { columns, render } = place
  const all = alertsOf(state, render.now)
  if (all.length === 0) return [line(span("Nothing needs you", "dim"))]
  const whoColumns = columns >= 90 ? 22 : columns >= 50 ? 18 : 12
  return listLines(all, cursor, place, (one, here) => {
    const age = one.since === null ? "" : duration(Math.max(0, render.now - one.since))
    return [
      span(`${markOf(one, render)} `, tokenOf(one)),
      span(`${pad(age, AGE_COLUMNS - 1, "right")} `, "dim"),
      span(pad(clip(one.who, whoColumns - 1, render.glyphs.ellipsis), whoColumns), "bright"),
      span(one.why, tokenOf(one), { bold: here }),
    ]
  })
}

function markOf({ what }: Alert, { glyphs }: RenderContext): string {
  switch (what) {
    case "prompt":
      return glyphs.asks
    case "error":
      return glyphs.error
    case "silent":
      return glyphs.status.waiting
    case "repeat":
    case "context":
      return glyphs.warning
  }
}

function tokenOf({ what }: Alert): ColorToken {
  return what === "error" ? "error" : "warn"
}

export function alertTitle(state: State, { now }: RenderContext): string {
  const { length } = alertsOf(state, now)
  return length === 0 ? "NEEDS YOU" : `NEEDS YOU  ${length}, oldest first`
}
