// Tests searching a transcript, in its pane and full screen.
import { expect, test } from "bun:test"
import { delta, event, ids } from "../../run/lines.ts"
import { NOW, type Shown, show } from "../../screen/screen.tsx"

/** Types `/`, the text and Enter; the field tells of its text only with the next drawing. */
async function search(screen: Shown, text: string): Promise<void> {
  await screen.press("/").rows()
  screen.type(text).press("enter")
}

test("a search of the text pane is ended by Esc, and one without a match says so", async () => {
  const screen = await show({}, event(0, "llm/start", ids, NOW), delta(null, "a quiet pier", { ts: NOW }))
  await search(screen.press("tab"), "lighthouse")
  expect(await screen.text()).toContain("No match for lighthouse")
  expect(await screen.press("escape").text()).not.toContain("/lighthouse")
  expect(screen.store.get().view.backKey?.by).toBe("escape")
})

test("letters in a transcript are no debugger keys, and say so", async () => {
  const screen = await show()
  screen.feed(event(0, "llm/start", ids, NOW), delta(null, "a quiet pier", { ts: NOW })).press("enter")
  for (const key of ["s", "c", "p", "P", "b"]) {
    expect((await screen.press(key).rows()).at(-1)).toContain(`${key} does nothing here · ? shows the keys`)
  }
  expect(screen.effects.filter(one => one.type === "agent/send")).toEqual([])
})
