// Tests searching a transcript, in its pane and full screen.
import { describe, expect, test } from "bun:test"
import { delta, event, ids } from "../../run/lines.ts"
import { NOW, type Shown, show, spansWith } from "../../screen/screen.tsx"

const SIZES = [
  [120, 40],
  [80, 24],
  [40, 10],
] as const

/** Types `/`, the text and Enter; the field tells of its text only with the next drawing. */
async function search(screen: Shown, text: string): Promise<void> {
  await screen.press("/").rows()
  screen.type(text).press("enter")
}

describe.each(SIZES)("a transcript at %dx%d", (columns, rows) => {
  const lines = Array.from({ length: 60 }, (_, n) => (n % 20 === 7 ? `status of pier ${n}` : `line ${n}`))

  test.each([
    ["in its pane", ["tab"]],
    ["full screen", ["enter"]],
  ] as const)("is searched %s: n and N go from match to match, and nothing is sent", async (_, open) => {
    const screen = await show({ columns, rows })
    screen.feed(event(0, "llm/start", ids, NOW), delta(null, lines.join("\n"), { ts: NOW }))
    screen.feed(event(1, "runner/custom", {}, NOW))
    await search(screen.press(...open), "status of pier")
    expect(await screen.text()).toContain("status of pier 7")
    expect(spansWith(await screen.frame(), "status of pier").length).toBeGreaterThan(0)
    expect(await screen.press("n").text()).toContain("status of pier 27")
    expect(await screen.press("n", "N").text()).toContain("status of pier 27")
    if (columns === 120) expect(await screen.text()).toContain("/status of pier 2 of 3")
    expect(screen.effects.filter(one => one.type === "agent/send")).toEqual([])
  })
})

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
