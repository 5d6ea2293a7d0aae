// Tests that what people come for takes few keys, from the screen as it opens.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { fixture, readFrames, root } from "../fixtures.ts"
import { live, replay, type Shown, show } from "./screen.tsx"

const did = ({ effects }: Shown) => effects.map(({ type }) => type)

/** A task, its keys, what the screen then says, or an effect that it has, and what the screen says of the keys before. */
const TASKS = (await Bun.file(join(root, "fixtures/scripts/tasks.txt")).text()).trimEnd().split("\n")

for (const [task, typed = "", shows = "", hint = ""] of TASKS.map(one => one.split(" = "))) {
  const keys = typed.split(" ")
  test(`${task}: ${keys.length > 3 ? `${keys[0]}, the word, Enter` : keys.join(" ")}, as the screen says`, async () => {
    const screen = await show({ link: replay, columns: 80, rows: 24 })
    await screen.feed(...(await readFrames(fixture("demo")))).rows()
    expect(await screen.text()).toContain(hint)
    expect(await screen.resize(120, 40).text()).toContain(hint)
    screen.press(...keys)
    const seen = [await screen.text(), ...did(screen)].join("\n")
    expect(seen).toMatch(new RegExp(shows))
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
