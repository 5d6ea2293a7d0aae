// Walks through recorded runs, and keeps what each step changes on the screen.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { readPrices } from "../../src/cli/option-value.ts"
import { features } from "../../src/panels/plan.ts"
import { createStore } from "../../src/view/store.ts"
import { root } from "../fixtures.ts"
import { replay, type Shown } from "../screen/screen.tsx"
import { textOf } from "./picture.ts"
import { LOOKS, type Recording, story, tell } from "./story.ts"

const SIZE = { columns: 110, rows: 34 }
const prices = readPrices(join(root, "fixtures/failing-run/prices.json"))

/** What a person presses in turn, each from where the last led. */
const WALK = [
  ["every group folded", "z"],
  ["the time view", "T"],
  ["nearer", "z"],
  ["the turns of the one before", "k", "l"],
  ["the cost by state", "$"],
  ...["model", "tool", "invocation", "session", "turn", "any turn"].map(by => [`by ${by}`, "S", "j", "enter"]),
  ["by the last column", "G"],
  ["the list again", "$"],
  ["what fills the context", "%"],
  ["what led to it", "v"],
  ["the first turn's context", "v", "g"],
  ["what led to that turn", "v"],
  ["its text from the first row", "v", "%", "tab", "g"],
  ["all of it folded", "z"],
  ["what needs a person", "!"],
  ["the last of it", "G"],
  ["the errors of the log", "escape", "E"],
  ["the one before", "E"],
  ["what led to that", "v"],
  ["its data", "D"],
  ["the question before", "escape", "escape", "[", "u"],
  ["the state before", "[", "s"],
  ["the turn before", "[", "t"],
  ["sorted by what needs a person", "S", "j", "enter"],
  ["as they came", "S", "g", "enter"],
  ["the rows that a filter passes", "f", ..."error or warning", "enter"],
  ["a text of the log", "/", ..."test", "enter"],
  ["the one before", "N"],
  ["the chart", ":", ..."chart", "enter"],
  ["how it stands", ":", ..."status", "enter"],
] as const

async function opened(recording: Recording, past: number): Promise<Shown> {
  const store = createStore({ ...features, link: replay, given: { prices } })
  return tell(story("screen", "walk", "", /./, { recording, replayed: true, past }), SIZE, LOOKS[0], store)
}

/** The rows that are not as they were, each with its number; of panes side by side only the one that changed. */
function changedRows(before: readonly string[], after: readonly string[]): string {
  const changed = after.flatMap((row, y) => {
    const was = partsOf(before[y] ?? "")
    const parts = partsOf(row).map((part, index) => (part === was[index] ? "·" : part.trimEnd()))
    return row === before[y] ? [] : [`${`${y}`.padStart(2)} ${parts.join("")}`]
  })
  return changed.join("\n")
}

const partsOf = (row: string): readonly string[] => row.split(/(?<=[│┐┘])(?=[│┌└])/)

const rowsOf = async (screen: Shown): Promise<readonly string[]> => textOf(await screen.rows()).split("\n")

const RUNS: readonly Recording[] = ["failing-run", "demo", "claude-2.1.331-helpers"]

test.each([1, 26, 62, 101, 137])("the failing run as it was at frame %d", async frame => {
  const screen = await opened("failing-run", frame)
  expect((await rowsOf(screen)).join("\n")).toMatchSnapshot()
})

describe.each(RUNS)("a walk through %s", recording => {
  test("shows what it did", async () => {
    const screen = await opened(recording, 0)
    let rows = await rowsOf(screen)
    const told = [changedRows([], rows)]
    for (const [name, ...keys] of WALK) {
      screen.press(...keys)
      await screen.settle()
      const now = await rowsOf(screen)
      told.push(`── ${name}: ${keys.join("")}`, changedRows(rows, now))
      rows = now
    }
    expect(told.join("\n")).toMatchSnapshot()
  })
})
