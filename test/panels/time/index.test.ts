// Tests that nothing can be sent from the past of a live run, and that each key says why.
import { expect, test } from "bun:test"
import { locked } from "../../../src/panels/plan.ts"
import { emptyView } from "../../../src/view/view.ts"
import { event, line } from "../../run/lines.ts"
import { replay, type Shown, show } from "../../screen/screen.tsx"
import { sent } from "../prompt/questions.ts"

const ids = { invokeid: "poet", "session-id": "p" }
const debug = (paused: boolean, more: object = {}) => line({ kind: "debug", paused, "step-budget": 0, ...more })

/** A live run with a debugger, at its first frame. */
async function past(...last: readonly object[]): Promise<Shown> {
  const screen = await show()
  screen.feed(event(1, "llm/start", ids), event(2, "llm/response", { ...ids, content: [] }), debug(false))
  const { run } = screen.store.get()
  screen.feed(event(3, "llm/start", ids), ...last.map(line))
  screen.store.dispatch({ type: "show", run })
  return screen
}

const prompt = { kind: "prompt", "prompt-id": "q#1", invokeid: "poet", type: "confirm", question: "Go on?" }

test.each([
  ["s", debug(true)],
  ["c", debug(true)],
  ["p", debug(false)],
  ["b", debug(true, { mode: "paused-at-turn", "turn-index": 1 })],
  ["s", debug(true, { mode: "paused-at-turn", "turn-index": 1 })],
])("the key %s is locked in the past of a live run and says why", async (key, state) => {
  const screen = await show({}, event(1, "llm/start", ids), state)
  const { run } = screen.store.get()
  screen.feed(event(2, "llm/response", { ...ids, content: [] }))
  screen.store.dispatch({ type: "show", run })
  expect((await screen.press(key).rows()).at(-1)).toContain(locked({ view: emptyView }))
  expect(sent(screen)).toEqual([])
  // In the present the same key works.
  expect(sent(screen.press("end", key))).toHaveLength(1)
})

test("Esc Esc, answers and re-runs are locked in the past of a live run, and a question waits in the badge", async () => {
  const screen = await past(prompt)
  expect((await screen.rows())[0]).toMatch(/LIVE \+\d+ \?1/)
  expect(await screen.text()).not.toContain("Go on?")
  screen.press("y", "escape").pass(1000)
  expect((await screen.press("escape", "escape").rows()).at(-1)).toContain(locked({ view: emptyView }))
  screen.press("o", "enter")
  for (const key of ["j", "k", "h", "l", "space", "tab", "enter", "escape", "e", "u", ".", ","]) screen.press(key)
  expect(sent(screen)).toEqual([])
})

test("frames are stepped and played from every tab of the inspector in a replay", async () => {
  const screen = await show({ link: replay })
  screen.feed(event(1, "llm/start", ids), event(2, "llm/response", { ...ids, content: [] }), event(3, "llm/start", ids))
  for (const view of ["T", "$", "%"]) {
    screen.press(view, ",")
    expect(screen.effects.at(-1)).toEqual({ type: "time/seek", moment: { type: "frame", frame: 2 } })
    screen.press("space")
    expect(screen.store.get().time.playing).toBe(true)
    screen.press("space")
    expect(screen.store.get().time.playing).toBe(false)
    expect((await screen.press(".").rows()).at(-1)).toContain("Already at the end")
  }
})

test("in a replay a digit is a count and moves no time, 50% goes to the middle, and :loop loops", async () => {
  const screen = await show({ link: replay }, ...Array.from({ length: 10 }, (_, n) => event(n, "runner/tick")))
  const command = async (text: string): Promise<void> => {
    await screen.press(":").rows()
    screen.type(text).press("enter")
  }
  expect(screen.press("5").effects).toEqual([])
  expect(screen.press(",").effects).toEqual([{ type: "time/seek", moment: { type: "frame", frame: 5 } }])
  for (const [percent, part] of [
    ["50%", 0.5],
    ["0%", 0],
    ["100%", 1],
    ["150%", 1],
  ] as const) {
    await command(percent)
    expect(screen.effects.at(-1)).toEqual({ type: "time/seek", moment: { type: "part", part } })
  }
  for (const isOn of [true, false]) {
    await command("loop")
    expect(screen.store.get().time.loop).toBe(isOn)
    expect((await screen.rows()).at(-2)).toContain(isOn ? " 1× loop " : " 1× ━")
  }
  const before = screen.effects.length
  await command("back to now")
  expect((await screen.rows()).at(-1)).toContain("This is the present")
  expect(screen.effects.length).toBe(before)
})

test("L lists the bookmarks in a replay too, and over what is read", async () => {
  const screen = await show({ link: replay }, event(1, "llm/start", ids))
  for (const opened of [[], ["tab", "enter"], ["T"]]) {
    expect(await screen.press(...opened, "L").text()).toContain("BOOKMARKS")
    screen.press("q", "q")
  }
})

test("Ctrl-O goes back to the moment and the row from which jumps went, one after the other", async () => {
  const screen = await show({ link: replay })
  const failed = { ...ids, message: "no more tea" }
  screen.feed(event(1, "llm/start", ids), event(2, "runner/tick"))
  const { run } = screen.store.get()
  screen.feed(event(3, "llm/error", failed), event(4, "runner/tick"))
  expect((await screen.press("ctrl-o").rows()).at(-1)).toContain("No jump to go back from")
  await screen.press(":").rows()
  screen.type("50%").press("enter")
  const half = { type: "frame", frame: 2 } as const
  expect(screen.effects.at(-1)).toEqual({ type: "time/seek", moment: { type: "part", part: 0.5 } })
  screen.store.dispatch({ type: "show", run })
  expect(await screen.press("e").row("no more tea")).toContain("▌")
  expect(screen.press("ctrl-o").effects.at(-1)).toEqual({ type: "time/seek", moment: half })
  expect(screen.store.get().view.log.cursor).toBeNull()
  screen.press("ctrl-o")
  expect(screen.store.get().time.present).toBeNull()
})

test("in a live run , after E is one frame before the error, and End is now", async () => {
  const screen = await show()
  const failed = event(3, "llm/error", { ...ids, message: "reset" })
  screen.feed(event(1, "llm/start", ids), event(2, "app/note", {}), failed, event(4, "app/note", {}))
  screen.press("E", ",")
  expect(screen.effects.at(-1)).toEqual({ type: "time/seek", moment: { type: "frame", frame: 2 } })
})

test.each(["space", "<", ">"])("a live run at its present doesn't play by %s, and says why", async key => {
  const screen = await show({}, event(1, "llm/start", ids))
  expect((await screen.press(key).rows()).at(-1)).toContain("a live run plays by itself; , goes back in time")
  expect(screen.store.get().time).toMatchObject({ playing: false, speed: 1 })
})
