// Tests what keys do to a prompt: drafts, answers of each type, cancelling, and a lost connection.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { isEarly } from "../../../src/panels/prompt/keys.ts"
import { promptKey } from "../../../src/run/model/id.ts"
import type { Intent, IntentOf } from "../../../src/view/intent.ts"
import { answersIgnored } from "../../../src/view/questions/ignored-keys.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/store.ts"
import { event, line } from "../../run/lines.ts"
import { esc, lost, open, Planned, type Scenario, stepsOn, told } from "../planned.ts"

const options = [{ label: "Blue", value: "blue" }, "bare"]

function ask(type: string, opts: object = {}, id = "p#1", invokeid = "a"): Decoded {
  return line({ kind: "prompt", "prompt-id": id, invokeid, type, opts: { prompt: "?", ...opts } })
}

const enter: Intent = { type: "prompt/answer" }
const resend: Intent = { type: "prompt/resend" }
const hide: Intent = { type: "prompt/hide" }
const next: Intent = { type: "prompt/next", step: 1 }
const back: Intent = { type: "prompt/next", step: -1 }
const toggle: Intent = { type: "prompt/toggle" }
/** The first question, with the id that most use. */
const first = promptKey("p#1", null)
const settle = (answer: IntentOf<"prompt/settle">["answer"]): Intent => ({ type: "prompt/settle", key: first, answer })
const type = (text: string, key = first): Intent => ({ type: "prompt/text", key, text })
const option = (step: 1 | -1): Intent => ({ type: "prompt/option", step })
const pick = (index: number): Intent => ({ type: "prompt/pick", index })
const text = ask("text")
const second = ask("text", {}, "p#2", "b")
const hidden = ask("text", { secret: true }, "p#2", "b")
const known = line({ kind: "answer", "prompt-id": "p#2", secret: true })
const refused = event(1, "human-input/validation-failed", { invokeid: "a", errors: ["too short"] })
const wordless = event(1, "human-input/validation-failed", { invokeid: "a" })
const taken = event(1, "human-input/answer", { invokeid: "a" })
const started = (at: number) => event(1, "runner/started", {}, at)

/** The question in front, the drafts and texts that are kept, and how the questions stand. */
function stand({ front, state, view: { questions } }: Planned): readonly string[] {
  const drafts = questions.drafts.map(({ text, cursor, picked, edits = 0 }) =>
    JSON.stringify([text, cursor, picked, ...(edits === 0 ? [] : [`edit ${edits}`])]),
  )
  const kept = questions.kept.map(({ text }) => `kept ${JSON.stringify(text)}`)
  const asked = state.run.prompts.map(one => `${one.frame.promptId} ${one.state}${one.confirmed ? "!" : ""}`)
  return [front ?? "none", ...drafts, ...kept, asked.join(", ")]
}

const tell = (scenarios: readonly Scenario[], link: Link = open): string => told(scenarios, stand, link)

test("an answer is what was typed, part of the run at once, and kept as a draft until the agent has taken it", () => {
  const typed = "é?\n".repeat(3)
  expect(
    tell([
      ["nothing", [text], enter],
      ["verbatim", [text], type("x"), type(typed), type(typed), enter, enter, taken],
      ["typed away", [ask("select", { options })], type("zz"), enter],
      ["a default", [ask("text", { default: "Ada" })], enter],
      ["emptied", [ask("text", { default: "Ada" })], type(""), enter],
      ["refused", [text], type("bad"), enter, refused, enter],
      ["refused without a word", [text], type("bad"), enter, wordless],
      ["asked again, refused", [text], type("bad"), enter, text, refused, enter],
      ["refused, asked again", [text], type("bad"), enter, refused, text, enter],
      ["at once", [text], type("bad"), enter, [text, refused], enter],
      ["at once, refused first", [text], type("bad"), enter, [refused, text], enter],
      ["typed since", [text], type("bad"), enter, text, type("better", promptKey("p#1", first)), refused],
      ["taken, asked again", [text], type("good"), enter, [taken, text], resend],
      ["another run", [started(10), text], type("bad"), enter, [started(900), text]],
      ["cleared", [text], type("half"), esc, 5000, esc],
      ["a secret that is cleared", [ask("text", { secret: true })], type("half"), esc, { type: "text/yank" }],
      ["Esc at once behind it", [text], type("x".repeat(60)), enter, esc, 5000, esc],
      ["blanks", [text], type("  "), enter],
      ["without its form", [text, second], settle({ value: 7 }), settle({ value: 8 }), settle({ cancelled: true })],
      ["cancelled without its form", [text, second], settle({ cancelled: true })],
      ["neither yes nor no", [ask("confirm")], settle({ value: "maybe" })],
      ["a default that is cleared", [ask("text", { default: "Ada" })], esc, esc],
    ]),
  ).toMatchSnapshot()
})

test("keys that answer are passed over for a moment, in questions only, and a text takes no key of the answer before", () => {
  const screen = new Planned(open, [ask("confirm")]).ask({ type: "prompt/say", value: true })
  const ignored = answersIgnored(0)
  const state = shownState(reduce(screen.state, { type: "view", change: { questions: { ignored } } }))
  const early = (scope: string, now: number, intent: Intent | null = esc) => isEarly(state, scope, intent, now, "y")
  expect([early("confirm", 599), early("alerts", 599), early("confirm", 600)]).toEqual([true, false, false])
  expect([early("confirm", 0, hide), early("text", 0, null), early("confirm", 0, null)]).toEqual([false, true, false])
})

test("several prompts are in front oldest first, keep their drafts, and are hidden together", () => {
  const both = [text, second]
  const secondTaken = event(2, "human-input/answer", { invokeid: "b" })
  expect(
    tell([
      ["in turn", both, type("one"), next, type("two", promptKey("p#2", null)), next, enter, enter],
      ["back", both, back, back],
      ["another comes", [text], type("one"), second],
      ["hidden, another comes", [text], hide, second],
      ["typed behind", both, next, type("one")],
      ["none is open", [], hide, { type: "prompt/show" }, { type: "text/yank" }],
      ["gone to, hidden", both, next, hide, hide],
      ["hidden", both, hide, hide, hide, { type: "prompt/show" }],
      ["a new one", both, hide, [taken, secondTaken], ask("text", {}, "p#3", "c")],
    ]),
  ).toMatchSnapshot()
})

test("options are found, pointed at and picked in the draft, round the ends and in their order", () => {
  const many = Array.from({ length: 10 }, (_, i) => `o${i}`)
  const find = (text: string): Intent => ({ type: "prompt/find", text })
  const erase: Intent = { type: "prompt/erase" }
  const point = (index: number): Intent => ({ type: "prompt/point", index })
  const choice = ask("select", { options })
  const round = [option(-1), option(1), find("b"), option(1), find("x"), erase, point(0)]
  const multi = ask("multi", { options: ["a", "b", "c"] })
  expect(
    tell([
      ["round", [choice], ...round],
      ["found where it is", [choice], option(1), find("b")],
      ["a pair of units", [ask("select", { options: ["🎉a", "b"] })], find("🎉"), erase],
      ["ten", [ask("select", { options: many })], pick(1), toggle],
      ["eleven", [ask("multi", { options: [...many, "o10"] })], point(10), toggle, point(2), toggle, enter],
      ["no such digit", [choice], pick(5), { type: "prompt/say", value: true }],
      ["typed to others", [ask("select", { options: ["ab", "bc", "bd"] })], type("b"), option(1)],
      ["typed to others, up", [ask("select", { options: ["ab", "bc", "bd"] })], type("b"), option(-1)],
      ["several", [multi], pick(2), pick(0), pick(2), toggle, option(1), toggle, enter],
      ["yes or no", [ask("confirm")], enter, option(-1), option(1), option(1), enter],
      ["no digit", [ask("confirm")], pick(0), toggle, find("a"), erase],
      ["a text has no picks", [ask("text", { options: ["/help"] })], toggle, pick(0)],
      ["completed", [ask("text", { options: ["/help", "/hello"] }), second], type("/h"), back, next, next, next],
    ]),
  ).toMatchSnapshot()
})

test("an answer while disconnected is kept, and sent again until the agent is seen to have it", () => {
  const pair = [text, ask("confirm", {}, "p#2", "b")]
  const no: Intent = { type: "prompt/say", value: false }
  expect(
    [
      tell(
        [
          ["until it is taken", [text], type("x"), enter, open, resend, lost, open, resend, taken, resend],
          ["and one since", [text, second], type("x"), enter, open, enter, resend],
          // The event may have been the end of either, so neither is sent again.
          ["a cancellation", pair, esc, no, open, resend, event(1, "human-input/cancelled"), resend],
          ["another run", [started(1), text], enter, open, started(900), resend],
          ["and a secret that is lost", [text, hidden], type("x"), enter, known, open, resend],
        ],
        lost,
      ),
      tell([
        ["over HTTP", [text], type("x"), enter, resend, { ...lost, api: true }, resend],
        ["its id anew", [text], type("old"), enter, text, resend],
      ]),
      // A prompt of a recording cannot be answered.
      tell([["recorded", [text], enter]], { state: "ended", path: "x", incompleteLength: 0 }),
    ].join("\n"),
  ).toMatchSnapshot()
})

test("an answer in the person's own editor starts with the draft of a text, comes back as the draft, and is never lost", () => {
  const edit: Intent = { type: "prompt/edit" }
  const edited = (text: string, kept: string | null = null): Intent => ({
    ...{ type: "prompt/edited", key: first, edited: { type: "edited", text, kept } },
  })
  const failed = { type: "failed", why: "vi failed with exit code 1" } as const
  expect(
    tell([
      ["a default", [ask("text", { default: "Ada\u001b[2J" })], edit, edited("Grace\nHopper"), enter],
      ["a choice", [ask("select", { options })], edit],
      ["a secret", [ask("text", { secret: true })], edit],
      ["it fails", [text], type("mine"), { type: "prompt/edited", key: first, edited: failed }, enter],
      ["too late", [text], taken, edited("late", "/state/answer.txt"), edited("late")],
    ]),
  ).toMatchSnapshot()
})

test("what an agent CLI wants to do is seen to its end before a key allows it", () => {
  const up: Intent = { type: "prompt/scroll", step: -1 }
  const top = (one: Planned) => [...stand(one), ...one.view.questions.drafts.map(({ top }) => `from line ${top}`)]
  const talking: Link = { state: "ended", path: "/x", incompleteLength: 0, talks: true }
  const rows = [talking, open].flatMap(link =>
    [enter, pick(0)].map(intent => {
      const screen = new Planned(link, [ask("select", { options })])
      screen.question = { page: 4, last: 6 }
      const rows = stepsOn(screen, link === open ? [intent] : [intent, intent, intent], top)
      // The box has grown.
      screen.question = { page: 2, last: 3 }
      return [...rows, ...stepsOn(screen, [up, up], top)].join("\n")
    }),
  )
  expect(rows.join("\n")).toMatchSnapshot()
})
