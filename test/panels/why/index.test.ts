// Tests the list of what led somewhere: where it opens, what it shows beside each other, and where Enter leads.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { readFrames, root } from "../../fixtures.ts"
import { event } from "../../run/lines.ts"
import { replay, show } from "../../screen/screen.tsx"

async function failing(columns = 200, rows = 40) {
  const screen = await show({ link: replay, columns, rows })
  screen.feed(...(await readFrames(join(root, "fixtures/failing-run/transcript.jsonl"))))
  return screen
}

test.each([
  [200, 40],
  [80, 24],
  [40, 10],
] as const)("v on a log row shows what led to its turn at %dx%d, and Enter opens the row", async (columns, rows) => {
  const screen = await failing(columns, rows)
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  // From the end back to the error of coder 2.
  screen.press("E", "E", "E", "E")
  const text = await screen.press("v").text()
  expect(text).toContain("WHY")
  expect(text).toMatch(/▸ what f/)
  expect(await screen.press("enter").text()).toContain("DATA")
  expect(await screen.press("escape").text()).toContain("WHY")
})

test("v on a change of states lays its event beside the one that left the same state before", async () => {
  const screen = await failing()
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  screen.press("[", "s", "[", "s", "v", "m")
  expect(await screen.row("left before, and now")).toMatch(/"passed".* → coding\.done \{"tests":null\} → deploying/)
})

test("a long name of what was compared is read whole beside the list", async () => {
  const screen = await failing(120, 40)
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  const text = await screen.press("E", "E", "E", "v", ..."jjjjjjjj").text()
  expect(text).toMatch(/coder 1: reply, .*\n.*│ +turn 1 /)
  expect(text).not.toContain("coder 1: reply, …")
})

test("Enter on what was compared opens both turns beside each other", async () => {
  const screen = await failing()
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  screen.press("E", "E", "E", "v")
  for (let i = 0; i < 9 && !/▸ .*reply, turn 1/.test(await screen.row("▸ ")); i++) screen.press("j")
  expect(await screen.press("enter").text()).toMatch(/TURNS {2}coder 1 turn 1 → coder 2 turn 1/)
})

test.each([
  [80, 24],
  [40, 10],
] as const)("what was compared can be read in full in its line at %dx%d", async (columns, rows) => {
  const screen = await failing(columns, rows)
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  const text = (await screen.press("[", "s", "[", "s", "v", "j", "m").text()).replaceAll(/[│\s]+/g, "")
  const told = '{"tests":"passed","pass":2,"fail":0}→reviewing→coding.done{"tests":null}→deploying'
  expect(text).toContain(columns === 80 ? told : `${told.slice(0, 58)}…`)
})

test("a row of the log can be read in full in its line at 40x10 too", async () => {
  const screen = await failing(40, 10)
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  const text = (await screen.press("E", "E", "v").text()).replaceAll(/[│\s]+/g, " ")
  expect(text).toContain("coder 2 model error connection reset by peer")
})

test("Enter leads on from what was compared: to the step before, the context, and the view of time", async () => {
  const screen = await failing()
  const go = async (...words: readonly string[]) => {
    for (let i = 0; i < 20 && !(await screen.row("│ ▸ ")).includes(words[0] ?? ""); i++) screen.press("j")
    screen.press("enter")
    for (const word of words.slice(1)) expect(await screen.text()).toContain(word)
    expect(await screen.press("escape").text()).toContain("WHY")
  }
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  screen.press("[", "s", "[", "s", "v")
  await go("left before, and now", "─ chart", '"entered": ["reviewing"]')
  screen.press("escape", "E", "v")
  await go("time", "TIME", "coder 2")
  screen.press("escape", "E", "v")
  await go("turn before: input", "─ coder 2", "turn 2")
})

test("D shows the data of the turn that is asked about, and % its context, though the transcript is at another", async () => {
  const screen = await failing()
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  screen.press("E", "E", "E", "v")
  expect(await screen.text()).toContain("─ coder 2 turn 2 ─")
  expect(await screen.press("D").text()).toContain("seq 94 ")
  expect(await screen.press("escape", "%").row("▸ turn")).toContain("turn 2")
})

describe("v", () => {
  test("in NEEDS YOU shows what led to the alert", async () => {
    const screen = await failing()
    expect(await screen.press("!", "v").text()).toContain("WHY")
  })

  test("where nothing is known says so", async () => {
    const screen = await show({ link: replay }, event(1, "runner/started"))
    expect(await screen.press("v").text()).toContain("No known cause")
  })
})
