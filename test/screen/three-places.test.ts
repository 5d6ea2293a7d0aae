// Tests the three places: lists take the list's place, what is read stands beside it, and keys go where the focus is.
import { expect, test } from "bun:test"
import { fixture, readFrames } from "../fixtures.ts"
import { replay, type Shown, show } from "./screen.tsx"

async function demo(columns = 120, rows = 40): Promise<Shown> {
  const screen = await show({ link: replay, columns, rows }, ...(await readFrames(fixture("demo"))))
  return screen
}

/** The titles of the boxes, from the top left on. */
async function titles(screen: Shown): Promise<readonly string[]> {
  return (await screen.rows()).flatMap(row =>
    [...row.matchAll(/┌─ ([^─]*?)(?: \u00b7| {2}| ─)/g)].map(([, title = ""]) => title),
  )
}

test("the reader shows what the cursor of what went wrong is on, and the selected session again once that is closed", async () => {
  const screen = await demo(200)
  const selected = (await titles(screen))[1]
  expect((await titles(screen.press("!")))[0]).toBe("SESSIONS › WENT WRONG")
  const who: (string | undefined)[] = []
  for (let i = 0; i < 3; i++, screen.press("j")) {
    who.push((await titles(screen))[1])
    expect(await screen.row("│ ▸ ")).toContain(who.at(-1) ?? "?")
  }
  expect(new Set(who).size).toBeGreaterThan(1)
  expect((await titles(screen.press("escape")))[1]).toBe(selected)
})

test("the reader shows the turn of the row under the log's cursor, and the selected session again in the list", async () => {
  const screen = await demo(200)
  const reader = async () => (await titles(screen))[1]
  const selected = await reader()
  screen.press("shift-tab", "g", "j", "j", "j", "j", "j", "j", "j", "j")
  const read = await reader()
  expect(read).toBe("drafter 1")
  expect(await screen.row("▌+00")).toContain("drafter 1")
  expect(selected).not.toBe(read)
  screen.press("tab")
  expect(await reader()).toBe(selected)
  expect((await screen.press("shift-tab", "G", "E").rows())[2]).toContain("check_times")
  // The transcript says once what two rows say: both lead there.
  expect((await screen.press("E").rows())[1]).toContain("drafter 3")
  expect((await screen.rows())[2]).toContain("▎ error")
})

test("the log stays where it is when nothing is found by /", async () => {
  const screen = await demo()
  const before = (await screen.press("shift-tab", "g", "j", "j").rows()).filter(row => row.includes("+00:"))
  expect(await screen.press("/", ..."zzz", "enter").text()).toContain("No match for")
  expect((await screen.rows()).filter(row => row.includes("+00:"))).toEqual(before)
})
