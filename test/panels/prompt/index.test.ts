// Tests what keys do to a prompt: drafts, answers of each type, cancelling, and a lost connection.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { promptKey } from "../../../src/run/model/id.ts"
import type { Intent } from "../../../src/view/intent.ts"
import { event, line } from "../../run/lines.ts"
import { esc, lost, open, Planned } from "../planned.ts"

const options = [{ label: "Blue", value: "blue" }, "bare"]

function ask(type: string, opts: object = {}, id = "p#1", invokeid = "a"): Decoded {
  return line({ kind: "prompt", "prompt-id": id, invokeid, type, opts: { prompt: "?", ...opts } })
}

class Screen extends Planned {
  constructor(lines: readonly Decoded[], link: Link = open) {
    super(link, lines)
  }
}

const enter: Intent = { type: "prompt/answer" }
/** The first question, with the id that most use. */
const first = promptKey("p#1", null)
const type = (text: string, key = first): Intent => ({ type: "prompt/text", key, text })
const value = (given: unknown, promptId = "p#1") => [{ type: "answer", promptId, value: given }]

describe("an answer", () => {
  test("to a text prompt is the typed text, verbatim, and may be empty", () => {
    expect(new Screen([ask("text")]).ask(enter).sent).toEqual(value(""))
    const typed = "é?\n".repeat(20)
    expect(new Screen([ask("text")]).ask(type("x")).ask(type(typed)).ask(enter).sent).toEqual(value(typed))
  })

  test("is no option that was typed away", () => {
    const screen = new Screen([ask("select", { options })]).ask(type("zz")).ask(enter)
    expect(screen.sent).toEqual([])
    expect(screen.state.view.notice?.text).toBe('No option has "zz". Backspace deletes a letter')
  })

  test("to a text prompt starts with its default", () => {
    expect(new Screen([ask("text", { default: "Ada" })]).ask(enter).sent).toEqual(value("Ada"))
    expect(new Screen([ask("text", { default: "Ada" })]).ask(type("")).ask(enter).sent).toEqual(value(""))
  })

  test("is part of the run at once; the draft is kept until the agent has taken the answer", () => {
    const screen = new Screen([ask("text")]).ask(type("x")).ask(enter)
    expect(screen.state.run.prompts).toMatchObject([{ state: "answered", confirmed: false, answer: { value: "x" } }])
    expect(screen.front).toBe(null)
    expect(screen.ask(enter).sent).toEqual([])
    expect(screen.state.view.questions.drafts).toHaveLength(1)
    expect(screen.tell(event(1, "human-input/answer", { invokeid: "a" })).state.view.questions.drafts).toEqual([])
  })

  test("that the agent refuses is no longer said to be answered", () => {
    const refused = event(1, "human-input/validation-failed", { invokeid: "a", errors: ["too short"] })
    for (const frames of [[refused], [ask("text"), refused]]) {
      const screen = new Screen([ask("text")]).ask(type("bad")).ask(enter)
      expect(screen.state.view.notice?.text).toStartWith("Answered: bad")
      for (const frame of frames) screen.tell(frame)
      expect(screen.state.view.notice).toMatchObject({ text: "Refused: too short", level: "warning" })
    }
    const bare = new Screen([ask("text")]).ask(type("bad")).ask(enter)
    bare.tell(event(1, "human-input/validation-failed", { invokeid: "a" }))
    expect(bare.state.view.notice?.text).toBe("Refused")
    const taken = new Screen([ask("text")]).ask(type("good")).ask(enter)
    taken.tell(event(1, "human-input/answer", { invokeid: "a" }), ask("text"))
    expect(taken.state.view.notice?.text).toStartWith("Answered: good")
  })
})

describe("a question asked again under its id", () => {
  const refused = event(1, "human-input/validation-failed", { invokeid: "a", errors: ["too short"] })
  const text = (screen: Screen) => screen.state.view.questions.drafts.map(draft => draft.text)

  test("before or after its answer is refused keeps the typed text", () => {
    for (const frames of [
      [ask("text"), refused],
      [refused, ask("text")],
    ]) {
      const apart = new Screen([ask("text")]).ask(type("bad")).ask(enter)
      for (const frame of frames) apart.tell(frame)
      const together = new Screen([ask("text")])
        .ask(type("bad"))
        .ask(enter)
        .tell(...frames)
      for (const screen of [apart, together]) {
        expect(text(screen)).toEqual(["bad"])
        expect(screen.front).toBe("p#1")
        expect(screen.ask(enter).sent).toEqual(value("bad"))
      }
    }
  })

  test("before its answer is refused keeps what was typed since", () => {
    const screen = new Screen([ask("text")]).ask(type("bad")).ask(enter).tell(ask("text"))
    screen.ask({ type: "prompt/text", key: promptKey("p#1", first), text: "better" }).tell(refused)
    expect(text(screen)).toEqual(["better"])
  })

  test("after its answer was taken starts empty", () => {
    const screen = new Screen([ask("text")]).ask(type("good")).ask(enter)
    screen.tell(event(1, "human-input/answer", { invokeid: "a" }), ask("text"))
    expect(text(screen)).toEqual([])
    expect(screen.front).toBe("p#1")
  })

  test("in another run starts empty", () => {
    const screen = new Screen([event(1, "runner/started", {}, 10), ask("text")]).ask(type("bad")).ask(enter)
    screen.tell(event(1, "runner/started", {}, 900), ask("text"))
    expect(text(screen)).toEqual([])
  })
})

test("Esc clears what was typed first, and says so; then it cancels", () => {
  const typed = new Screen([ask("text")]).ask(type("half"))
  expect(typed.ask(esc).sent).toEqual([])
  expect(typed.said).toBe("Cleared. Ctrl-Y brings it back. Esc again cancels the question")
  expect(typed.state.view.questions).toMatchObject({ drafts: [{ text: "" }], kept: [{ text: "half" }] })
  expect(typed.ask(esc, 5000).sent).toEqual([{ type: "cancel", promptId: "p#1" }])
})

describe("several prompts", () => {
  const two = [ask("text", {}, "p#1", "a"), ask("text", {}, "p#2", "b")]

  test("are in front oldest first, and keep their drafts", () => {
    const screen = new Screen(two).ask(type("one"))
    expect(screen.ask({ type: "prompt/next", step: 1 }).front).toBe("p#2")
    screen.ask(type("two", promptKey("p#2", null)))
    expect(screen.ask({ type: "prompt/next", step: 1 }).front).toBe("p#1")
    expect(screen.ask(enter).sent).toEqual(value("one", "p#1"))
    expect(screen.front).toBe("p#2")
    expect(screen.ask(enter).sent).toEqual(value("two", "p#2"))
    expect(screen.front).toBe(null)
  })

  test("do not replace the one being answered when another comes", () => {
    const screen = new Screen([ask("text", {}, "p#1", "a")]).ask(type("one")).tell(ask("text", {}, "p#2", "b"))
    expect(screen.front).toBe("p#1")
  })

  test("come back by the key that hid them, and a new one is not hidden with settled ones", () => {
    const screen = new Screen(two).ask({ type: "prompt/hide" })
    expect(screen.front).toBe(null)
    expect(screen.ask({ type: "prompt/hide" }).front).toBe("p#1")
    screen.ask({ type: "prompt/hide" })
    screen.tell(event(1, "human-input/answer", { invokeid: "a" }), event(2, "human-input/answer", { invokeid: "b" }))
    expect(screen.tell(ask("text", {}, "p#3", "c")).front).toBe("p#3")
  })
})

describe("an answer while disconnected", () => {
  test("is kept with a notice, and sent again until the agent is seen to have it", () => {
    const screen = new Screen([ask("text")], lost).ask(type("x")).ask(enter)
    expect(screen.said).toContain("sent after reconnecting")
    expect(screen.state.run.prompts).toMatchObject([{ state: "answered", confirmed: false }])
    screen.link(open)
    expect(screen.ask({ type: "prompt/resend" }).sent).toEqual(value("x"))
    screen.link(lost).link(open)
    expect(screen.ask({ type: "prompt/resend" }).sent).toEqual(value("x"))
    screen.tell(event(1, "human-input/answer", { invokeid: "a" }))
    expect(screen.ask({ type: "prompt/resend" }).sent).toEqual([])
  })

  test("is sent again over the API, once the connection is lost", () => {
    const screen = new Screen([ask("text")]).link(open).ask(type("x")).ask(enter)
    expect(screen.link({ ...lost, api: true }).ask({ type: "prompt/resend" }).sent).toEqual(value("x"))
  })

  test("and one given since the reconnect are sent once each", () => {
    const screen = new Screen([ask("text"), ask("text", {}, "p#2", "b")], lost).ask(type("x")).ask(enter)
    screen.link(open)
    expect(screen.ask(enter).sent).toEqual(value("", "p#2"))
    expect(screen.ask({ type: "prompt/resend" }).sent).toEqual(value("x"))
  })

  test("may be a cancellation, or one of several", () => {
    const screen = new Screen([ask("text", {}, "p#1", "a"), ask("confirm", {}, "p#2", "b")], lost)
    screen.ask(esc).ask({ type: "prompt/say", value: false })
    expect(screen.link(open).ask({ type: "prompt/resend" }).sent).toEqual([
      { type: "cancel", promptId: "p#1" },
      { type: "answer", promptId: "p#2", value: false },
    ])
    screen.tell(event(1, "human-input/cancelled"))
    // The event may have been the end of either, so neither is sent again.
    expect(screen.ask({ type: "prompt/resend" }).sent).toEqual([])
  })

  test("is dropped by a new epoch", () => {
    const screen = new Screen([event(1, "runner/started", {}, 1), ask("text")], lost).ask(enter).link(open)
    expect(screen.tell(event(1, "runner/started", {}, 900)).ask({ type: "prompt/resend" }).sent).toEqual([])
  })

  test("is not sent to the same id asked anew", () => {
    const screen = new Screen([ask("text")]).ask(type("old")).ask(enter).tell(ask("text"))
    expect(screen.front).toBe("p#1")
    expect(screen.ask({ type: "prompt/resend" }).sent).toEqual([])
  })
})

test("a prompt of a recording cannot be answered", () => {
  const screen = new Screen([ask("text")], { state: "ended", path: "x", incompleteLength: 0 })
  expect(screen.front).toBe(null)
  expect(screen.ask(enter).sent).toEqual([])
  expect(screen.state.run.prompts).toMatchObject([{ state: "open" }])
})

describe("an answer in the person's own editor", () => {
  const edited = (text: string, kept: string | null = null): Intent => ({
    type: "prompt/edited",
    key: first,
    edited: { type: "edited", text, kept },
  })

  test("starts with the draft of a text prompt only, and comes back as the draft", () => {
    const screen = new Screen([ask("text", { default: "Ada\u001b[2J" })])
    expect(screen.ask({ type: "prompt/edit" }).effects).toEqual([{ type: "answer/edit", key: first, text: "Ada␛[2J" }])
    expect(screen.ask(edited("Grace\nHopper")).ask(enter).sent).toEqual(value("Grace\nHopper"))
    const choice = new Screen([ask("select", { options })])
    expect(choice.ask({ type: "prompt/edit" }).effects).toEqual([])
  })

  test("leaves the draft as it was if the editor fails, and says why", () => {
    const screen = new Screen([ask("text")]).ask(type("mine"))
    screen.ask({ type: "prompt/edited", key: first, edited: { type: "failed", why: "vi failed with exit code 1" } })
    expect(screen.said).toBe("The answer is unchanged: vi failed with exit code 1")
    expect(screen.ask(enter).sent).toEqual(value("mine"))
  })

  test("to a prompt that was settled meanwhile is left in a file, which is named", () => {
    const screen = new Screen([ask("text")]).tell(event(1, "human-input/answer", { invokeid: "a" }))
    expect(screen.ask(edited("late", "/state/answer.txt")).said).toContain("/state/answer.txt")
    expect(screen.sent).toEqual([])
  })
})

test("what an agent CLI wants to do is seen to its end before a key allows it", () => {
  const talking: Link = { state: "ended", path: "/x", incompleteLength: 0, talks: true }
  for (const intent of [enter, { type: "prompt/pick", index: 0 }] as const) {
    const screen = new Screen([ask("select", { options })], talking)
    screen.question = { page: 4, last: 6 }
    expect([screen.ask(intent).sent, screen.said]).toEqual([[], "It goes on below: read it first"])
    expect(screen.ask(intent).sent).toEqual([])
    expect(screen.ask(intent).sent).toEqual(value("blue"))
  }
  const wire = new Screen([ask("select", { options })])
  wire.question = { page: 4, last: 6 }
  expect(wire.ask(enter).sent).toEqual(value("blue"))
})
