// Tests questions on the screen: reading, choosing, hiding and answering.
import { describe, expect, test } from "bun:test"
import { event } from "../../run/lines.ts"
import { endScreens } from "../../screen/open-screens.ts"
import { SIZES, show } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"
import { asks, extras, haiku, name, sent, sure } from "./questions.ts"

describe("a question", () => {
  test("in Markdown is rendered, and scrolled to its end and back by PgDn and PgUp, which do not leave it", async () => {
    const prompt = [
      "# Deploy?",
      "",
      "The **plan** in [the wiki](https://wiki.example/p) runs `make all`:",
      "- build\n  - test",
      "```sh\nmake   all\n```",
      "> be careful",
      ...Array.from({ length: 30 }, (_, i) => `${i + 1}. step`),
    ].join("\n")
    for (const [columns, rows] of SIZES) {
      const screen = await show({ columns, rows })
      screen.feed(asks("deploy#1", "confirm", { prompt }))
      const down = Array.from({ length: rows < 20 ? 12 : 4 }, () => "pagedown")
      expect(await walked(screen, "", ...down, "pageup", "pageup ".repeat(12), "y")).toMatchSnapshot()
      endScreens()
    }
  })

  test("of 3,000 characters with 50 options can be answered with the last option", async () => {
    for (const [columns, rows] of SIZES) {
      const screen = await show({ columns, rows })
      const options = Array.from({ length: 50 }, (_, i) => ({ label: `option ${i + 1}`, value: i + 1 }))
      screen.feed(asks("long", "select", { prompt: "why ".repeat(750), options }))
      expect(await screen.press("up").text()).toContain("option 50")
      expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "long", value: 50 }])
    }
  })
})

test("a choice is made by digits, arrows and what is typed, and takes nothing that no option has", async () => {
  const labelled = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ label: `file ${i + 1}`, value: i + 1 }))
  const may = ["Allow", "Allow with another input…", "Always allow", "Deny"]
  const tea = asks("tea", "select", { prompt: "Which tea?", options: ["Mint", "Black", "Green"] })
  const bee = { label: "Bee", value: { b: 1 } }
  const all = { label: "all", value: ["c", "a"] }
  const preset = asks("d", "select", { prompt: "?", options: ["a", bee], default: bee.value })
  const told: string[] = []
  for (const [asked, ...steps] of [
    [haiku, "3", "backspace", "1"],
    [haiku, "up up", "9", "enter"],
    [tea, "g", "z", "space", "backspace", "enter"],
    [asks("may", "select", { prompt: "May it write?", options: may }), "y", "n", "w", "escape", "4"],
    [asks("many", "select", { prompt: "Which?", options: labelled(40) }), "1 7", "down", "up", "backspace 9", "enter"],
    [asks("nine", "select", { prompt: "Which?", options: labelled(9) }), "f 9", "down down", "escape", "9"],
    [preset, "", "enter"],
    [asks("x", "select", { prompt: "?", options: ["a", "b"], default: "x" }), "", "enter"],
    [asks("none", "select", { prompt: "Well?", options: [] }), "", "enter", "down", "escape"],
    [asks("bare", "multi", { prompt: "?", options: [] }), "", "enter"],
    [extras, "3 up", "space", "1 1 1", "s h o", "space", "escape", "enter"],
    [extras, "space", "escape", "backspace", "enter"],
    [asks("pre", "multi", { prompt: "?", options: ["a", all, "c"], default: ["c", "a"] }), "", "2", "3", "enter"],
    [sure, "enter", "down", "enter", "backspace", "up", "enter"],
    [sure, "up", "y", "backspace", "n"],
    [asks("no", "confirm", { prompt: "Delete it all?", default: false }), "", "enter"],
    [name, "x", "escape", "ctrl-y", "enter"],
  ] as const) {
    const screen = await show({ columns: 80, rows: 20 }, asked)
    const later: Step = ["two seconds later", () => screen.pass(2000)]
    told.push(await walked(screen, ...steps, later))
    endScreens()
  }
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("an open question is hidden and shown from the commands, which say where none is open", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  const named = ": 'hide or show the question'"
  const comes: Step = ["it comes", () => screen.pass(9000).feed(haiku)]
  await walked(screen, named)
  const steps = ["enter", "escape", comes, "alt-h", "f1 escape", `${named} enter`, "?", "escape"]
  const state = event(1, "runner/start-config", { config: ["choosing-of-the-poem"] })
  const more: Step = ["another, in a state", () => screen.feed(state, name)]
  const narrower = [60, 48, 43, 24].map((columns): Step => [`${columns} columns`, () => screen.resize(columns, 24)])
  expect(await walked(screen, ...steps, more, ...narrower)).toMatchSnapshot()
})

test("the wheel moves the cursor as far as there are options, and scrolls a question without any, which leaves a third free", async () => {
  const told: string[] = []
  const long = asks("long#1", "confirm", { prompt: `${"word ".repeat(60)}  \n${"why  \n".repeat(60)}` })
  for (const asked of [haiku, extras, long]) {
    const screen = await show({ columns: 160, rows: 24 }, asked)
    const turn = (way: "up" | "down", n: number): Step => [`${n} ${way}`, () => screen.wheel(" asks", way, n)]
    told.push(await walked(screen, "", turn("down", 1), turn("down", 5), turn("up", 2)))
  }
  expect(told.join("\n\n")).toMatchSnapshot()
})

await testWalks("prompt")
