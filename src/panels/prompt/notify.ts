// Decides how a person who looks elsewhere is called to a question.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { beginOf } from "../../run/select/row-words.ts"
import type { Effect } from "../../view/effect.ts"
import { type State, waitingPrompts } from "../../view/state.ts"

/** How a person wants to be called, and what only the terminal knows. */
export interface NotifyOptions {
  readonly bell: boolean
  readonly title: boolean
  readonly notify: boolean
  /** What the run is called; null where its own chart says it. */
  readonly chart: string | null
  /** Whether the terminal has the keyboard, as far as it tells. */
  readonly focused: boolean
}

/** Characters of a question that a notification shows, and of a name that a title does. */
const SHOWN = 120
const NAMED = 60

/**
 * What a change of the state asks of the terminal: a bell and a notification where a question has opened, a title while
 * any waits. A recording asks nobody, and a question that the hub repeats has not opened.
 */
export function notifyEffects(before: State, after: State, calling: NotifyOptions): readonly Effect[] {
  if (before.present.prompts === after.present.prompts && before.link === after.link) return []
  const old = waitingPrompts(before.link, before.present)
  const open = waitingPrompts(after.link, after.present)
  const known = new Set(old.map(prompt => prompt.key))
  const fresh = open.filter(prompt => !known.has(prompt.key))
  const effects: Effect[] = []
  if (calling.title && open.length !== old.length)
    effects.push({ type: "terminal/title", text: titleOf(after, open.length, calling.chart) })
  const [first] = fresh
  if (first === undefined) return effects
  if (calling.bell) effects.push({ type: "terminal/bell" })
  if (calling.notify && !calling.focused) {
    const question = beginOf(first.frame.question).slice(0, SHOWN)
    const more = fresh.length > 1 ? ` (and ${fresh.length - 1} more)` : ""
    effects.push({ type: "terminal/notify", text: `${first.title} asks: ${question}${more}` })
  }
  return effects
}

function titleOf({ present }: State, waiting: number, chart: string | null): string | null {
  if (waiting === 0) return null
  const name = chart ?? present.chart.chartId?.replace(/^:/, "") ?? "agent"
  return `(${waiting}) waiting · ${sanitizeLine(name).slice(0, NAMED)}`
}
