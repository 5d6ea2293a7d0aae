// Tells what each step of a person or an agent changes on the screen and asks for, as a text that is kept.

import type { CapturedSpan } from "@opentui/core"
import { makeTheme } from "../../src/ui/theme.ts"
import type { Shown } from "../screen/screen.tsx"
import { textOf } from "../stories/picture.ts"
import { LOOKS } from "../stories/story.ts"

/**
 * Keys apart by blanks, what is typed between quotes: `f 'error' enter`; or what else happens, with its name. An empty
 * first step tells the whole screen.
 */
export type Step = string | readonly [name: string, act: () => unknown]

/** What each step did: the rows that changed, of panes side by side those that did, and what was asked for. */
export async function walked(screen: Shown, ...steps: readonly Step[]): Promise<string> {
  let before = steps[0] === "" ? [] : await rowsOf(screen)
  const told: string[] = []
  for (const step of steps) {
    const asked = screen.effects.length
    if (typeof step === "string") await press(screen, step)
    else await step[1]()
    await screen.settle()
    const after = await rowsOf(screen)
    const effects = screen.effects.slice(asked).map(one => `! ${JSON.stringify(one)}`)
    told.push(`── ${typeof step === "string" ? step : step[0]}`, ...changed(before, after), ...effects)
    before = after
  }
  return told.join("\n")
}

/** Presses keys as `walked` reads them. */
export async function press(screen: Shown, keys: string): Promise<void> {
  for (const [, typed, key = ""] of keys.matchAll(/'([^']*)'|(\S+)/g)) {
    if (typed === undefined) screen.press(key)
    else screen.type(typed)
    await screen.settle()
  }
}

const { selected } = makeTheme(LOOKS[0].depth, LOOKS[0].background)

/** The rows of the screen, with a mark behind what is filled as selected. */
async function rowsOf(screen: Shown): Promise<readonly string[]> {
  const frame = await screen.frame()
  const isSelected = (one: CapturedSpan | undefined) => one !== undefined && selected?.equals(one.bg) === true
  const rows = frame.lines.map(({ spans }) =>
    spans
      .map((one, i) => (isSelected(one) && !isSelected(spans[i + 1]) ? one.text.replace(/ *$/, "^") : one.text))
      .join(""),
  )
  return textOf(rows).split("\n")
}

/** Without blank parts; how columns lie below each other is kept of the stories. */
function changed(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.flatMap((row, y) => {
    const was = partsOf(before[y] ?? "")
    const parts = partsOf(row).filter(
      (part, index) => part !== was[index] && /[^│─┌┐└┘ ]/.test(part.replace(/──\d+──/g, "")),
    )
    const words = parts.map(part =>
      part
        .replace(/^│ ?| *│?$/g, "")
        .replace(/ {3,}/g, "  ")
        .replace(/([\w?])\1{8,}/g, "$1…"),
    )
    return words.length === 0 ? [] : [`${`${y}`.padStart(2)} ${words.join(" ┊ ")}`]
  })
}

/** A row apart at the borders of its boxes. */
const partsOf = (row: string): readonly string[] => row.split(/(?<=[│┐┘])(?=[│┌└])/)
