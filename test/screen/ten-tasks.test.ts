// Tests that what people come for takes few keys, from the screen as it opens.
import { expect, test } from "bun:test"
import { fixture, readFrames } from "../fixtures.ts"
import { event } from "../run/lines.ts"
import { live, replay, type Shown, show } from "./screen.tsx"

const ids = { invokeid: "w", "session-id": "s" }
const input = { path: "a.txt", note: `${"word ".repeat(60)}the-last-words` }
const call = { type: "tool_use", id: "t", name: "write", input }
const did = ({ effects }: Shown) => effects.map(({ type }) => type)

/** A task: its keys, and what the screen then says, or an effect that it has. */
const TASKS: { readonly [task: string]: readonly [keys: readonly string[], shows: string | RegExp] } = {
  "the latest error and why": [["E", "v"], /▸ what failed +\+00:23\.796 {2}reviewer/],
  "the failed session and why": [["!", "v"], /▸ what failed +\+00:13\.607 {2}drafter 3/],
  "what it cost": [["$"], "COST"],
  "what filled the context": [["%"], "CONTEXT"],
  "the waterfall": [["T"], "now · TIME"],
  "an export": [["x", "enter"], "run/export"],
  "a word in the whole run": [["F", ..."ferry", "enter"], "SEARCH  ferry · this run"],
  "the log's errors alone": [["f", "enter"], "3 of 68"],
  "leaving a recording": [["q"], "program/exit"],
}

for (const [task, [keys, shows]] of Object.entries(TASKS)) {
  test(`${task}: ${keys.length > 3 ? `${keys[0]}, the word, Enter` : keys.join(" ")}`, async () => {
    const screen = await show({ link: replay })
    await screen.feed(...(await readFrames(fixture("demo")))).rows()
    screen.press(...keys)
    const seen = [await screen.text(), ...did(screen)].join("\n")
    expect(seen).toMatch(shows)
  })
}

test("a tool's full arguments: Tab l", async () => {
  const screen = await show({ link: replay })
  screen.feed(event(0, "llm/start", ids), event(1, "llm/response", { ...ids, content: [call] }))
  screen.feed(event(2, "llm/tool-result", { ...ids, tool: "write", "tool-use-id": "t", "content-preview": "written" }))
  expect(await screen.text()).not.toContain("the-last-words")
  expect(await screen.press("tab", "l").text()).toContain("the-last-words")
})

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
