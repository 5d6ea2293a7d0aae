// Tests that what people come for takes few keys, from the screen as it opens.
import { expect, test } from "bun:test"
import { fixture, readFrames } from "../fixtures.ts"
import { live, replay, type Shown, show } from "./screen.tsx"

const did = ({ effects }: Shown) => effects.map(({ type }) => type)

/** A task: its keys, what the screen then says, or an effect that it has, and what the screen says of the keys before. */
type Task = readonly [keys: readonly string[], shows: string | RegExp, hint: string]
const TASKS: { readonly [task: string]: Task } = {
  "the latest error and why": [["E", "v"], /▸ what failed +\+00:23\.796 {2}reviewer/, "e E error"],
  "the failed session and why": [["!", "v"], /▸ what failed +\+00:13\.607 {2}drafter 3/, "! went wrong"],
  "what it cost": [["$"], "COST", "$ cost"],
  "what filled the context": [["%"], "CONTEXT", "% context"],
  "the waterfall": [["T"], "now · TIME", "T time"],
  "an export": [["x", "enter"], "run/export", "x export"],
  "a word in the whole run": [["F", ..."ferry", "enter"], "SEARCH  ferry · this run", "F search all"],
  "the log's errors alone": [["f", "enter"], "3 of 68", "f filter"],
  "leaving a recording": [["ctrl-c"], "program/exit", "Ctrl-C quit"],
}

for (const [task, [keys, shows, hint]] of Object.entries(TASKS)) {
  test(`${task}: ${keys.length > 3 ? `${keys[0]}, the word, Enter` : keys.join(" ")}, as the screen says`, async () => {
    const screen = await show({ link: replay, columns: 80, rows: 24 })
    await screen.feed(...(await readFrames(fixture("demo")))).rows()
    expect(await screen.text()).toContain(hint)
    expect(await screen.resize(120, 40).text()).toContain(hint)
    screen.press(...keys)
    const seen = [await screen.text(), ...did(screen)].join("\n")
    expect(seen).toMatch(shows)
  })
}

test("the moment before the error in a live run, and back to now: E , End", async () => {
  const screen = await show({ link: live })
  const frames = await readFrames(fixture("demo"))
  screen.feed(...frames.slice(0, 900))
  const { run } = screen.store.get()
  expect(await screen.feed(...frames.slice(900, 2000)).row("┌─ SESSIONS")).toContain("┌─ reviewer ─")
  for (const open of [[], ["v"], ["L"]]) {
    expect(screen.press("E", ",").effects.at(-1)).toMatchObject({ type: "time/seek" })
    screen.store.dispatch({ type: "show", run })
    expect((await screen.rows()).at(-1)).toContain("End now")
    screen.press(...open, "end", ...open.map(() => "escape"))
    expect(await screen.row("┌─ SESSIONS")).toContain("┌─ reviewer ─")
    expect(await screen.text()).toMatch(/─ turn 3 of 3 · following ─+┘/)
    expect(await screen.row("┌─ LOG")).toContain("· following ─")
  }
})
