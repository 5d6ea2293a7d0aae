// Tests questions on the screen: reading, choosing, hiding and answering.
import { describe, expect, test } from "bun:test"
import { event } from "../../run/lines.ts"
import { LARGE_SIZES, NOW, SIZES, show } from "../../screen/screen.tsx"
import { asks, extras, haiku, name, sent, sure } from "./questions.ts"

describe("a question", () => {
  test.each(SIZES)("in Markdown is rendered, and scrolls to its end at %dx%d", async (columns, rows) => {
    const screen = await show({ columns, rows })
    const prompt = [
      "# Deploy?",
      "",
      "The **plan** in [the wiki](https://wiki.example/p) runs `make all`:",
      "- build\n  - test",
      "```sh\nmake   all\n```",
      "> be careful",
      ...Array.from({ length: 30 }, (_, i) => `${i + 1}. step`),
    ].join("\n")
    screen.feed(asks("deploy#1", "confirm", { prompt }))
    const seen = [await screen.text()]
    for (let i = 0; i < 45; i++) {
      screen.press("pagedown")
      seen.push(await screen.text())
    }
    const words = ["Deploy?", "The plan in", "• build", "  • test", "  make   all", "│ be careful", "30. step"]
    for (const one of words) expect(seen.some(text => text.includes(one))).toBe(true)
    expect(seen.join("").replaceAll(/[\s│]+/g, " ")).toContain("(https://wiki.example/p) runs make all:")
    for (const one of ["# Deploy", "**", "`", "```"]) expect(seen.join("")).not.toContain(one)
    expect(seen.at(-1)).toContain("Yes")
  })

  test("shows options in full where they fit, else cuts a long one but under the cursor", async () => {
    const screen = await show({ columns: 40, rows: 24 })
    const words = async () => (await screen.text()).replaceAll(/[\s│]+/g, " ")
    const long = "Report on the unavailability of timetable services on 14 March"
    screen.feed(asks("long", "select", { prompt: "Which?", options: ["short", long, "other"] }))
    expect(await words()).toContain(`▸ 1 short 2 ${long} 3 other`)
    expect(await screen.resize(40, 8).row("Report on")).toContain("Report on the unavailability of…")
    screen.press("down")
    expect(await words()).toContain(`▸ 2 ${long} 3 other`)
  })

  test("has the state that asks, and its place among others, in its title", async () => {
    const screen = await show({}, event(0, "runner/start-config", { config: ["run", "judging"] }), haiku, sure)
    expect(await screen.row("judge asks")).toContain("judge asks · judging · 1 of 2")
    expect(await screen.press("tab").row("judge asks")).toContain("2 of 2")
    expect(await screen.text()).toContain("Start the machine?")
    expect(await screen.press("shift-tab").text()).toContain("Which haiku wins?")
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

describe("a select question", () => {
  test("is answered by a digit, and arrows wrap around", async () => {
    const screen = await show({}, haiku)
    expect(sent(screen.press("3"))).toEqual([{ type: "answer", promptId: "win#1", value: "none of them" }])
    const round = await show()
    round.feed(haiku).press("up", "up", "enter")
    expect(sent(round)).toEqual([{ type: "answer", promptId: "win#1", value: false }])
  })

  test("marks the default option, as a confirm does", async () => {
    const screen = await show()
    screen.feed(
      asks("d", "select", { prompt: "?", options: ["a", { label: "Bee", value: { b: 1 } }], default: { b: 1 } }),
    )
    expect(await screen.row("Bee")).toMatch(/▸ 2 Bee {2}default/)
    expect(await screen.row("1 a")).not.toContain("default")
    screen.press("enter").feed(asks("e", "confirm", { prompt: "Delete it all?", default: false }))
    expect(await screen.row("▸   No")).toContain("No  default")
    expect(await screen.row("  Yes")).not.toContain("default")
  })

  test("refuses a letter that no option has, and keeps the options in sight", async () => {
    const screen = await show()
    screen.feed(asks("tea", "select", { prompt: "Which tea?", options: ["Mint", "Black", "Green"] }))
    screen.press("g", "z")
    expect(await screen.text()).toContain('No option has "gz"')
    expect(await screen.text()).toContain("▸   Green")
    screen.press("enter")
    expect(sent(screen)).toEqual([{ type: "answer", promptId: "tea", value: "Green" }])
  })

  test("takes a y or n meant for yes or no as no letter within a word: Enter would allow what nobody chose", async () => {
    const screen = await show()
    const options = ["Allow", "Allow with another input…", "Always allow", "Deny"]
    screen.feed(asks("may", "select", { prompt: "May it write?", options }))
    for (const letter of ["y", "n"]) expect(await screen.press(letter).text()).toContain(`No option has "${letter}"`)
    expect(await screen.press("w").text()).toContain("▸   Allow with another input…")
  })

  test("with more than nine options takes digits to find one, and numbers none", async () => {
    const labelled = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ label: `file ${i + 1}`, value: i + 1 }))
    const screen = await show({}, asks("many", "select", { prompt: "Which?", options: labelled(40) }))
    expect(await screen.text()).not.toContain("1 file 1")
    expect(sent(screen.press("1", "7"))).toEqual([])
    expect(await screen.text()).toContain("find 17  1 of 40")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "many", value: 17 }])
    screen.feed(asks("few", "select", { prompt: "Which?", options: labelled(9) }))
    expect(await screen.text()).toContain("9 file 9")
    expect(sent(screen.press("9"))).toHaveLength(2)
  })

  test("says in the question and in the log that its default is none of the options, and is answered", async () => {
    const screen = await show({}, asks("d", "select", { prompt: "?", options: ["a", "b"], default: "x" }))
    const fault = 'opts.default: expected one of the options, got "x"'
    expect(await screen.row("│ opts.default")).toContain(fault)
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "d", value: "a" }])
    expect(await screen.row("sidecar")).toContain(`judge: ${fault}`)
  })

  test("without options says so and can be cancelled", async () => {
    const screen = await show({}, asks("none", "select", { prompt: "Well?", options: [] }))
    expect(sent(screen.press("enter"))).toEqual([])
    expect(await screen.text()).toContain("Esc cancels it")
    expect(sent(screen.press("escape"))).toEqual([{ type: "cancel", promptId: "none" }])
  })
})

describe("a multi question", () => {
  test("toggles with Space and digits, and Enter answers with the picked values in order", async () => {
    const screen = await show({}, extras)
    expect(await screen.press("3", "up", "space", "1", "1", "1").row("Oat milk")).toContain("[x] Oat milk")
    expect(await screen.row("An extra shot")).toContain("[x] An extra shot")
    screen.press("enter")
    expect(sent(screen)).toEqual([{ type: "answer", promptId: "extra#2", value: ["oat", { shots: 2 }, false] }])
  })

  test("that was cancelled by Esc has its picks again once that is taken back", async () => {
    const screen = await show()
    screen.feed(extras).press("space", "escape", "backspace", "enter")
    expect(sent(screen)).toEqual([{ type: "answer", promptId: "extra#2", value: ["oat"] }])
  })
})

test("a confirm question is answered by y and n, and by Enter with the one under the cursor, first the default", async () => {
  for (const [keys, value] of [
    [["y"], true],
    [["n"], false],
    [["down", "enter"], true],
    [["up", "enter"], false],
    [["down", "down", "enter"], false],
  ] as const) {
    const screen = await show({}, sure)
    expect(sent(screen.press(...keys))).toEqual([{ type: "answer", promptId: "sure#3", value }])
  }
  const screen = await show({}, asks("no", "confirm", { prompt: "Delete it all?", default: false }))
  expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "no", value: false }])
})

test("a confirm question without a default is not answered by Enter, which says what does", async () => {
  const screen = await show()
  expect(await screen.feed(sure).text()).not.toContain("▸   Yes")
  expect(await screen.text()).not.toContain("Enter answer")
  expect(sent(screen.press("enter"))).toEqual([])
  expect(await screen.text()).toContain("Press y or n")
  expect(await screen.press("down").row("▸   Yes")).toContain("Yes")
  screen.store.dispatch({ type: "tick", now: NOW + 6000 })
  expect(await screen.text()).toContain("Enter answer")
})

describe("an open question", () => {
  test("is hidden by Alt-h, which leaves the keys to the panes; the footer says how to bring it back", async () => {
    const screen = await show({}, haiku)
    expect(await screen.press("alt-h").text()).toContain("asks: Which haiku wins? · a answers")
    expect(await screen.text()).not.toContain("First snow")
    expect((await screen.rows()).at(-1)).toContain("a answer")
    screen.press("tab")
    expect(screen.store.get().view.focus).toBe("text")
    expect(await screen.press("alt-h").text()).toContain("Which haiku wins?")
    expect(await screen.text()).not.toContain("a answers")
  })

  test("is shown though an earlier one is hidden", async () => {
    const screen = await show()
    screen.feed(haiku).press("alt-h")
    expect(await screen.feed(sure).text()).toMatch(/\?2 /)
  })
})

describe("a question longer than its box", () => {
  test.each(SIZES)("is scrolled by PgDn and PgUp, which do not leave it, at %dx%d", async (columns, rows) => {
    const screen = await show({ columns, rows })
    const prompt = Array.from({ length: 60 }, (_, i) => `clause ${i + 1}.`).join("  \n")
    screen.feed(asks("long#1", "confirm", { prompt }))
    const seen = new Set<string>()
    for (let page = 0; page < 60; page++) {
      for (const [words] of (await screen.text()).matchAll(/clause \d+\./g)) seen.add(words)
      screen.press("pagedown")
    }
    expect(seen.size).toBe(60)
    expect(await screen.text()).toContain("judge asks")
    for (let page = 0; page < 60; page++) screen.press("pageup")
    expect(await screen.text()).toContain("clause 1.")
    expect(sent(screen.press("y"))).toHaveLength(1)
  })

  test("leaves a third of the screen to the text that led to it", async () => {
    for (const [columns, rows] of LARGE_SIZES) {
      const screen = await show({ columns, rows })
      const ids = { invokeid: "judge", "session-id": "s" }
      screen.feed(event(0, "llm/start", ids), asks("long#1", "confirm", { prompt: "why  \n".repeat(60) }))
      const box = (await screen.rows()).findIndex(row => row.includes("judge asks"))
      expect(box).toBeGreaterThanOrEqual(Math.floor((rows - 2) / 3))
    }
  })
})

test("the footer names the key for a new line, and n, at 40x10; ? shows the keys", async () => {
  const text = await show({ columns: 40, rows: 10 })
  expect((await text.feed(name).rows()).at(-1)).toContain("Ctrl-J line")
  text.type("one").press("ctrl-j")
  expect(await text.type("two").text()).toMatch(/│ one\s+│\n│ two/)
  const confirm = await show({ columns: 40, rows: 10 })
  expect((await confirm.feed(sure).rows()).at(-1)).toContain("n no")
  expect(await confirm.press("?").text()).toContain("KEYS")
})

test("the field of an answer grows with its text", async () => {
  const screen = await show({}, name)
  for (let i = 1; i <= 9; i++) {
    screen.type(`verse ${i}`).press("ctrl-j")
  }
  for (let i = 1; i <= 9; i++) expect(await screen.text()).toContain(`verse ${i}`)
})
