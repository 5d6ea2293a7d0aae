// Tests that a question which closes by itself while somebody types takes no key with it, and no text.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { afterKey, answersIgnored, isIgnoring } from "../../../src/view/questions/ignored-keys.ts"
import { NOTICE_MS } from "../../../src/view/view.ts"
import { forAll } from "../../for-all.ts"
import { event, line } from "../../run/lines.ts"
import { endScreens } from "../../screen/open-screens.ts"
import { type Shown, show } from "../../screen/screen.tsx"
import { name, sent, sure } from "./questions.ts"

/** How fast a person types, ms a key. */
const KEY_MS = 90
const paused = line({ kind: "debug", paused: true, "step-budget": 0 })
const ask = (id: string, invokeid: string, opts: object = {}, type = "text") =>
  line({ kind: "prompt", "prompt-id": id, invokeid, type, opts: { prompt: `Question ${id}?`, ...opts } })
const first = ask("a#1", "a")
const second = ask("b#2", "b")
const answered = event(5, "human-input/answer", { invokeid: "a", answer: "from another viewer" })
const withdrawn = event(5, "human-input/interrupted", {})
const IGNORED = "Keys are ignored until you pause"

/** Types a text at a person's pace; the agent closes a question behind so many keys. */
async function typeOn(screen: Shown, text: string, keys: number, ...closing: readonly Decoded[]): Promise<void> {
  for (const [index, key] of [...text].entries()) {
    // A field tells of a change once its key is over.
    await screen.rows()
    if (index === keys) screen.feed(...closing)
    screen.pressAtOnce(key === " " ? "space" : key).pass(KEY_MS)
  }
  await screen.rows()
}

const lastRow = async (screen: Shown) => (await screen.rows()).at(-1) ?? ""
const asksFor = (screen: Shown) => sent(screen).filter(({ type }) => type !== "answer")

describe("a question that closes while somebody types", () => {
  test.each([
    ["answered elsewhere", answered],
    ["withdrawn", withdrawn],
    ["cancelled", event(5, "human-input/cancelled", { invokeid: "a" })],
    ["ended by an error", event(5, "human-input/error", { message: "timed out" })],
    ["gone with a new run", event(0, "runner/started", { "session-id": "s2", "chart-id": ":c" })],
  ])("by being %s sends no letter to the debugger", async (_, closing) => {
    const screen = await show()
    screen.feed(event(4, "runner/started", { "session-id": "s", "chart-id": ":c" }), paused, first)
    await typeOn(screen, "stop specs pcs csp scp", 7, closing, paused)
    expect(sent(screen)).toEqual([])
    expect(await lastRow(screen)).toContain(IGNORED)
    expect(await lastRow(screen.pass(1000 - KEY_MS - 1))).toContain(IGNORED)
    expect(await lastRow(screen.pass(1))).not.toContain(IGNORED)
    expect(sent(screen.pressAtOnce("c"))).toEqual([{ type: "continue" }])
  })

  test("does not interrupt the agent by the two Escs that were to clear and cancel it", async () => {
    const screen = await show()
    await typeOn(screen.feed(first), "no", 9)
    screen.feed(answered)
    for (let press = 0; press < 2; press++) {
      screen.pressAtOnce("escape").pass(300)
    }
    screen.pass(700)
    expect(await lastRow(screen.pressAtOnce("escape"))).toContain("Esc again to interrupt")
    expect(sent(screen)).toEqual([])
  })

  test("interrupts within 6 s for who presses Esc again and again behind it, and no sooner than after 5 s", async () => {
    const screen = await show()
    await typeOn(screen.feed(first), "no", 9)
    screen.feed(answered)
    for (let ms = 0; ms < 5000; ms += 250) {
      screen.pressAtOnce("escape").pass(250)
    }
    expect(await lastRow(screen)).not.toContain(IGNORED)
    expect(sent(screen)).toEqual([])
    screen.pressAtOnce("escape")
    expect(await lastRow(screen.pass(250))).toContain("Esc again to interrupt")
    expect(sent(screen.pressAtOnce("escape"))).toEqual([{ type: "ui-interrupt" }])
  })

  test("takes clicks and pastes with it, also into a text that is asked for next", async () => {
    const screen = await show({}, event(1, "llm/start", { invokeid: "a", "session-id": "s" }), first, second)
    screen.pass(3000).feed(event(5, "human-input/answer", { invokeid: "a", answer: "x" }))
    await screen.paste("pasted")
    expect(await screen.text()).toContain("Question b#2?")
    expect(await screen.text()).not.toContain("pasted")
    const { focus } = screen.store.get().view
    await screen.click("LOG  3")
    expect(screen.store.get().view.focus).toBe(focus)
    expect(await lastRow(screen.pass(999))).toContain(IGNORED)
  })

  test("leaves Ctrl-C, Ctrl-Z and Ctrl-L what they are", async () => {
    const screen = await show()
    await typeOn(screen.feed(first), "no", 1, answered)
    screen.pressAtOnce("ctrl-l", "ctrl-z", "ctrl-c", "ctrl-c")
    const asked = screen.effects.map(({ type }) => type).filter(type => /terminal|exit/.test(type))
    expect(asked.join(", ")).toBe("terminal/redraw, terminal/suspend, program/exit")
  })

  test("ignores no key for longer though the clock was set back", async () => {
    const screen = await show()
    await typeOn(screen.feed(first), "no", 1, answered)
    screen.pass(-3_600_000).pressAtOnce("m")
    expect(screen.store.get().view.maximized).toBe(true)
  })
})

test("whatever is pressed on at any pace, nothing is sent and the next question gets nothing of it", async () => {
  const key = fc.constantFrom(..."abcdnopqsyPB1?:!", "space", "escape", "enter", "backspace", "tab", "ctrl-x")
  await forAll(
    [
      fc.array(fc.record({ key, gap: fc.integer({ min: 1, max: 240 }) }), { maxLength: 20 }),
      fc.constantFrom("text", "select", "confirm"),
      fc.boolean(),
      fc.boolean(),
    ],
    { seed: 31, numRuns: 60 },
    async (presses, type, isTyped, isHeld) => {
      const held = line({ kind: "debug", paused: isHeld, "step-budget": 0 })
      const screen = await show({}, held, first, ask("b#2", "b", { options: ["1", "2"] }, type))
      if (isTyped) await typeOn(screen, "no", 9)
      screen.feed(answered)
      for (const { key, gap } of presses) {
        screen.pressAtOnce(key).pass(gap)
      }
      expect(sent(screen)).toEqual([])
      const { overlays, typing } = screen.store.get().view
      const { drafts } = screen.store.get().view.questions
      expect([...drafts, ...overlays, typing]).toEqual([null])
      endScreens()
    },
  )
})

describe("the question behind one that closed by itself", () => {
  test("gets no letter and no Enter of the text that was typed, and waits on its line until a opens it", async () => {
    const screen = await show()
    await typeOn(screen.feed(first, second), "delete nothing please", 8, answered)
    expect(sent(screen.pressAtOnce("enter"))).toEqual([])
    expect(await screen.text()).toMatch(/\? .*b asks: Question b#2\? .*· a answers/)
    screen.pass(1000)
    await screen.pressAtOnce("a").rows()
    screen.type("Bob")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "b#2", value: "Bob" }])
  })

  test("waits too where it comes within 3 s after the last key, though that was typed into a question", async () => {
    for (const [ms, waits] of [
      [2999 - KEY_MS, true],
      [3000 - KEY_MS, false],
    ] as const) {
      const screen = await show()
      await typeOn(screen.feed(first), "no", 9)
      screen.feed(answered).pass(ms)
      expect((await screen.feed(second).text()).includes("a answers")).toBe(waits)
    }
  })

  test("takes its place at once where no key came for 3 s, and listens a second later", async () => {
    const screen = await show()
    screen.feed(ask("a#1", "a", {}, "confirm"), ask("b#2", "b", {}, "confirm")).pass(3000)
    expect(await screen.feed(answered).text()).toContain("Question b#2?")
    screen.pass(999)
    expect(sent(screen.pressAtOnce("y"))).toEqual([])
    screen.pass(1000)
    expect(sent(screen.pressAtOnce("n"))).toEqual([{ type: "answer", promptId: "b#2", value: false }])
  })

  test("takes the place of one that was answered at once, also if it comes after it", async () => {
    for (const isAfter of [false, true]) {
      const screen = await show({}, ...(isAfter ? [first] : [first, second]))
      screen.type("Ada").press("enter")
      screen.feed(event(5, "human-input/answer", { invokeid: "a", answer: "Ada" }), ...(isAfter ? [second] : []))
      expect(await screen.text()).not.toContain("a answers")
      // A letter that would answer another question is one of a text behind a text.
      screen.pressAtOnce("y").type("es")
      expect(sent(screen.press("enter")).at(-1)).toEqual({ type: "answer", promptId: "b#2", value: "yes" })
    }
  })
})

test("a refused answer that is asked for again leaves the keyboard to the question that has it", async () => {
  const screen = await show()
  screen.feed(first, second).type("bad")
  screen.press("enter").type("go")
  screen.feed(event(5, "human-input/validation-failed", { invokeid: "a", errors: ["too short"] })).type("od")
  expect(sent(screen.press("enter")).at(-1)).toEqual({ type: "answer", promptId: "b#2", value: "good" })
  expect(await screen.text()).toContain("too short")
})

test("what Esc clears from an answer comes back with Ctrl-Y, and stands in no other question meanwhile", async () => {
  const screen = await show()
  await typeOn(screen.feed(first), "half", 99)
  expect(await screen.press("escape").text()).toContain("Cleared. Ctrl-Y brings it back. Esc again cancels")
  screen.feed(ask("a#2", "a")).pass(700)
  expect(await screen.text()).not.toContain("half")
  await screen.press("ctrl-y").rows()
  expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "a#1", value: "half" }])
  const hidden = await show({}, ask("s#1", "a", { secret: true }))
  await typeOn(hidden, "half", 99)
  expect(await hidden.press("escape").text()).toContain("Cleared. Esc again cancels")
  expect(hidden.store.get().view.questions.kept).toEqual([])
})

describe("what was typed for a question that closed by itself", () => {
  const typed = "half an answer"

  test("is said to be kept, pasted by Ctrl-Y into the next text, and copied by y", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    await typeOn(screen.feed(first), typed, 99)
    const shown = (await screen.feed(answered).text()).replace(/\s+/g, " ")
    expect(shown).toContain("The question closed. Ctrl-Y pastes your text, y copies it")
    expect(shown).toContain(IGNORED)
    await typeOn(screen, "xyz", 99)
    expect(await screen.text()).toMatch(/Ctrl-Y pastes\s+your text/)
    screen.pass(3000)
    expect(screen.pressAtOnce("y").effects.at(-1)).toMatchObject({ type: "clipboard/copy", text: typed })
    screen.pass(3000)
    await screen.feed(second).rows()
    await screen.press("ctrl-y").rows()
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "b#2", value: typed }])
  })

  test("is named for 10 s, and not where a later question closes without a text", async () => {
    const screen = await show()
    await typeOn(screen.feed(first), typed, 99)
    screen.feed(answered).pass(2 * NOTICE_MS - 1)
    expect(await screen.text()).toContain("Ctrl-Y pastes your text")
    screen.pass(3000).feed(second)
    screen.pass(3000).feed(event(6, "human-input/answer", { invokeid: "b", answer: "x" }))
    expect(await lastRow(screen)).toMatch(/The question closed {2}/)
  })

  test("is pasted into a line that is typed, too, and with nothing kept Ctrl-Y says so", async () => {
    const screen = await show()
    screen.press("/", "ctrl-y")
    expect(screen.store.get().view.notice?.text).toBe("Nothing to paste")
    screen.press("escape").pass(3000)
    await typeOn(screen.feed(first), "pier", 99)
    screen.feed(answered).pass(1000)
    await screen.press("/").rows()
    await screen.press("ctrl-y").rows()
    expect(screen.store.get().view.typing?.text).toBe("pier")
  })

  test("stands in the field of a question of the same asker that replaces it, before or after it closed", async () => {
    const again = ask("a#2", "a")
    const elsewhere = ask("c#3", "c")
    for (const [isFirst, ...lines] of [
      [true, elsewhere, again, withdrawn],
      [false, answered],
    ] as const) {
      const screen = await show()
      await typeOn(screen.feed(first), typed, 99)
      screen.feed(...lines.slice(0, isFirst ? 2 : 0))
      screen.feed(event(5, "human-input/answer", { invokeid: "a", answer: "x" }))
      if (!isFirst) {
        screen.pass(1500).feed(elsewhere, again)
      }
      expect(await screen.text()).toContain("The question closed. Your text is in the one that replaces it")
      screen.pass(5000)
      const { drafts, kept } = screen.store.get().view.questions
      expect(drafts.map(one => one.text)).toEqual([typed])
      expect(screen.store.get().run.prompts.find(one => one.key === drafts[0]?.key)?.frame.promptId).toBe("a#2")
      expect(kept).toHaveLength(1)
    }
  })

  test("is not put into a question of another asker, of nobody, or one that comes 5 s later", async () => {
    for (const [asker, next, ms] of [
      ["a", second, 0],
      [null, line({ kind: "prompt", "prompt-id": "x#2", type: "text" }), 0],
      ["a", ask("a#2", "a"), 5001],
    ] as const) {
      const screen = await show({}, line({ kind: "prompt", "prompt-id": "a#1", invokeid: asker, type: "text" }))
      await typeOn(screen, typed, 99)
      screen.feed(event(5, "human-input/answer", { invokeid: asker, answer: "x" }))
      screen.pass(ms).feed(next)
      expect(screen.store.get().view.questions.drafts).toEqual([])
    }
  })

  test("is kept of a hidden question and of one behind another, whose keys go on", async () => {
    const screen = await show()
    screen.feed(first, second).type(typed)
    screen.press("tab").type("Bo")
    expect(await screen.feed(answered).text()).toContain("Ctrl-Y pastes your text")
    screen.type("b")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "b#2", value: "Bob" }])
    expect(screen.store.get().view.questions.kept.map(one => one.text)).toEqual([typed])
  })

  test("is kept where it was sent, but another viewer's answer was faster", async () => {
    const screen = await show()
    screen.feed(first).type("Ada")
    screen.press("enter").feed(answered)
    expect(screen.store.get().view.questions.kept.map(one => one.text)).toEqual(["Ada"])
    expect(await screen.text()).toContain("Ctrl-Y pastes your text")
    expect(await screen.text()).not.toContain(IGNORED)
  })

  test("is dropped if it is secret", async () => {
    const screen = await show()
    await typeOn(screen.feed(ask("a#1", "a", { secret: true })), typed, 99)
    screen.feed(answered, ask("a#2", "a"))
    const { kept, drafts } = screen.store.get().view.questions
    expect([...kept, ...drafts]).toEqual([])
    expect(await screen.text()).toContain("The question closed")
    expect(await screen.text()).not.toContain("your text")
  })

  test("is not kept once it was answered, nor a default that nobody changed", async () => {
    const screen = await show()
    screen.feed(first).type("Ada")
    screen.press("enter").feed(event(5, "human-input/answer", { invokeid: "a", answer: "Ada" }))
    screen.feed(ask("b#2", "b", { default: "Issa" }))
    screen.press("f1", "escape").feed(event(6, "human-input/answer", { invokeid: "b", answer: "Basho" }))
    expect(screen.store.get().view.questions.kept).toEqual([])
    expect(asksFor(screen)).toEqual([])
  })
})

test("a key that comes too early for a question is answered, not only ignored", async () => {
  for (const [key, shown] of Object.entries({ y: "y", escape: "Esc", enter: "Enter" })) {
    const screen = await show({}, sure)
    expect(await lastRow(screen.pressAtOnce(key))).toContain(`One moment, press ${shown} again`)
    expect(sent(screen)).toEqual([])
  }
  const screen = await show({}, name)
  expect(await lastRow(screen.pressAtOnce("enter"))).toContain("One moment, press Enter again")
  const options = Array.from({ length: 12 }, (_, n) => `Berth ${n + 1}`)
  const many = await show({}, ask("c#1", "c", { options }, "select"))
  expect(await many.pressAtOnce("1").text()).toMatch(/find 1 +4 of 12/)
})

test("a key that comes too early never shortens the wait for answers", () => {
  const listens = afterKey(answersIgnored(0), 100)
  expect([isIgnoring(listens, 599), isIgnoring(listens, 600)]).toEqual([true, false])
})
