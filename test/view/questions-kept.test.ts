// Keeps which question has the keyboard, and what becomes of typed texts, as questions come, close and are refused.
import { expect, test } from "bun:test"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { PromptKey } from "../../src/run/model/id.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { freshDraft, keptTexts } from "../../src/view/questions/draft.ts"
import { afterKey, allIgnored, answersIgnored, isIgnoring } from "../../src/view/questions/ignored-keys.ts"
import { reduce } from "../../src/view/reduce.ts"
import {
  askedPrompt,
  emptyState,
  frontPrompt,
  heldPrompt,
  nextPrompt,
  promptDraftOf,
  type StoreState,
} from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import type { QuestionView, ViewChange } from "../../src/view/view.ts"
import { deepFreeze } from "../freeze.ts"
import { lost, open } from "../panels/planned.ts"
import { event, line } from "../run/lines.ts"

const asks = (id: string, opts: JsonObject = {}, type = "text", asker = id) => [
  line({ kind: "prompt", "prompt-id": id, invokeid: asker, type, opts: { prompt: `${id}?`, ...opts } }),
]
const human = (seq: number, name: string, invokeid: string, data: object = {}) => [
  event(seq, `human-input/${name}`, { invokeid, ...data }),
]

/** A live run whose person is busy or not, and a line on each step: what is in front, and the texts. */
class Asked {
  state: StoreState = deepFreeze(emptyState(open))
  readonly #told: string[] = []
  now = 100_000
  /** When a key came last, ms before now. */
  idleMs = Number.POSITIVE_INFINITY

  tell(what: string, frames: ReturnType<typeof asks>, hands = true): this {
    const told = { now: this.now, keyAt: this.now - this.idleMs }
    this.state = deepFreeze(reduce(this.state, { type: "frames", frames, ...(hands && { hands: told }) }))
    return this.#note(what)
  }

  view(what: string, change: ViewChange): this {
    this.state = deepFreeze(reduce(this.state, { type: "view", change }))
    return this.#note(what)
  }

  /** Shows the moment before the first frame. */
  goesBack(): this {
    this.state = deepFreeze(reduce(this.state, { type: "show", run: emptyRun }))
    return this.#note("goes back")
  }

  ours(what: string, promptId: string, value: string): this {
    const frame = line({ kind: "answer", "prompt-id": promptId, value }) as never
    this.state = deepFreeze(reduce(this.state, { type: "local", frames: [{ frame, text: "" }] as never }))
    return this.#note(what)
  }

  key(id: string): PromptKey {
    const prompt = this.state.run.prompts.findLast(({ frame }) => frame.promptId === id)
    if (prompt === undefined) throw new Error(`expected the question ${id}`)
    return prompt.key
  }

  types(id: string, text: string, more: Partial<QuestionView> = {}): this {
    const { drafts } = this.state.view.questions
    const draft = { ...freshDraft(this.key(id), [], undefined), text }
    return this.view(`types ${text}`, { questions: { drafts: [...drafts, draft], ...more } })
  }

  #note(what: string): this {
    const shown = shownState(this.state)
    const { drafts, kept, prompt, promptHidden, ignored } = shown.view.questions
    const name = (key: PromptKey | null) => shown.run.prompts.find(one => one.key === key)?.frame.promptId ?? key
    const fronts = [frontPrompt, askedPrompt, nextPrompt, heldPrompt].map(find => find(shown)?.frame.promptId ?? "-")
    const texts = drafts.map(one => `${name(one.key)}=${one.text}`)
    const old = kept.map(one => `${name(one.key)}>${name(one.heir)}=${one.text}@${one.at}`)
    const marks = [
      prompt !== null && `chosen ${name(prompt)}`,
      promptHidden && "hidden",
      ignored && `ignores ${ignored.keys}`,
    ]
    const states = shown.run.prompts.map(({ frame, state }) => `${frame.promptId}:${state}`)
    this.#told.push(
      [what.padEnd(26), fronts.join("/"), ...marks.filter(Boolean), ...texts, ...old, `(${states})`].join(" "),
    )
    return this
  }

  get text(): string {
    return this.#told.join("\n")
  }
}

test("the keyboard goes from question to question, but not from what a person does", () => {
  const typing = { to: "search", text: "", error: null, before: {} } as const
  const calm = new Asked()
    .tell("first", asks("a"))
    .tell("second", asks("b"))
    .view("types", { typing })
    .view("typed", { typing: null })
    .view("chooses b", { questions: { prompt: null } })
  calm
    .view("chosen", { questions: { prompt: calm.key("b") } })
    .tell("third", asks("c"))
    .tell("b closes", human(1, "answer", "b", { answer: "x" }))
  calm
    .view("listens", { questions: { ignored: answersIgnored(calm.now), promptHidden: false } })
    .tell("nothing", [event(2, "app/note")])
  calm.tell("all close", [...human(3, "answer", "a", { answer: "x" }), ...human(4, "answer", "c", { answer: "x" })])
  calm.tell("while ignored", asks("d")).view("hides", { questions: { promptHidden: true, ignored: null } })
  calm.tell("stays hidden", asks("e"))
  const busy = new Asked()
  busy.idleMs = 2999
  busy
    .tell("busy", asks("a"))
    .tell("still", asks("b"))
    .view("shows", { questions: { promptHidden: false } })
  busy.tell("a closes", human(1, "answer", "a", { answer: "x" }))
  const settled = new Asked().view("answered since", { questions: { settledAt: 98_000 } })
  settled.idleMs = 2500
  settled.tell("asked", asks("a"))
  const later = new Asked().view("answered before", { questions: { settledAt: 97_000 } })
  later.idleMs = 2500
  later.tell("asked", asks("a"))
  const idle = new Asked()
  idle.idleMs = 3000
  idle.tell("not busy any more", asks("a"))
  const engaged = [
    new Asked()
      .tell("begins", [event(0, "runner/started")])
      .goesBack()
      .tell("asked", asks("a")),
    new Asked().view("types", { typing }).tell("asked", asks("a")).view("typed", { typing: null }),
    new Asked()
      .view("reads", { overlays: [{ type: "status", top: 0 }] })
      .tell("asked", asks("a"))
      .view("closes", { overlays: [] }),
    new Asked().tell("without hands", asks("a"), false).tell("closes", human(1, "answer", "a", { answer: "x" }), false),
  ]
  expect([calm, busy, settled, later, idle, ...engaged].map(one => one.text).join("\n\n")).toMatchSnapshot()
})

test("a question that nothing waits for takes no keyboard, and keeps none", () => {
  const waits = { waits: true }
  const one = new Asked().tell("idle", asks("a", waits)).tell("real", asks("b")).tell("idle too", asks("c", waits))
  one.tell("b closes", human(1, "answer", "b", { answer: "x" })).tell("real", asks("d"))
  one.view("chooses an idle one", { questions: { prompt: one.key("c"), promptHidden: false } })
  const held = new Asked().tell("two", [...asks("a"), ...asks("b")])
  const command = { type: "answer", promptId: "a", value: "x" } as const
  held.view("holds a", { questions: { heldAnswer: { key: held.key("a"), command, words: "x", until: 1 } } })
  held
    .tell("third", asks("c"))
    .tell("b, c close", [...human(1, "answer", "b", { answer: "" }), ...human(2, "answer", "c", { answer: "" })])
  held.tell("fourth", asks("d")).tell("a closes", human(3, "answer", "a", { answer: "" }))
  const alone = new Asked().tell("one", asks("a", waits))
  const heldAnswer = { key: alone.key("a"), command, words: "x", until: 1 }
  alone.view("holds it", { questions: { heldAnswer, promptHidden: false } })
  alone.tell("another", asks("b")).view("takes it back", { questions: { heldAnswer: null } })
  expect([one, held, alone].map(({ text }) => text).join("\n\n")).toMatchSnapshot()
})

test("a typed text is kept when its question closes, and goes to the next of the same asker", () => {
  const heirs = new Asked()
    .tell("two of one", [...asks("a1", {}, "text", "a"), ...asks("x")])
    .types("a1", "mine")
    .types("x", "other")
  heirs.tell("a1 closes", human(1, "answer", "a", { answer: "theirs" }))
  heirs.now += 5000
  heirs.tell("heirs", [
    ...asks("a2", {}, "confirm", "a"),
    ...asks("a3", {}, "text", "a"),
    ...asks("a4", {}, "text", "a"),
  ])
  heirs.tell("x closes", human(2, "answer", "x", { answer: "theirs" }))
  heirs.now += 5001
  heirs.tell("too late", asks("x2", {}, "text", "x"))
  const closing = (hands: boolean): Asked => {
    const ids = ["d", "s", "c", "e", "w"]
    const [same, secret] = [asks("d", { default: "same" }), asks("s", { secret: true })]
    const one = new Asked().tell("many", [...same, ...secret, ...asks("c", {}, "confirm"), ...asks("e"), ...asks("w")])
    for (const [i, text] of ["same", "secret", "text", "", "away"].entries()) one.types(ids[i] ?? "", text)
    const ends = ids.flatMap((id, i) => human(1 + i, "answer", id, { answer: "x" }))
    return one.tell("all close", ends, hands)
  }
  const { kept } = heirs.state.view.questions
  heirs.tell("another", asks("z"))
  expect(heirs.state.view.questions.kept).toBe(kept)
  // Neither a question that has the keyboard nor one with a text of its own inherits.
  const two = ["p1", "p2", "x"].flatMap(id => asks(id, {}, "text", id.slice(0, 1)))
  const [front, drafted] = [new Asked().tell("three", two), new Asked().tell("three", two)]
  front.types("p1", "mine", { prompt: front.key("p2") }).tell("p1 closes", human(1, "answer", "p", { answer: "x" }))
  drafted.types("p1", "mine").types("p2", "own", { prompt: drafted.key("x") })
  drafted.tell("p1 closes", human(1, "answer", "p", { answer: "x" }))
  expect([heirs, closing(false), closing(true), front, drafted].map(one => one.text).join("\n\n")).toMatchSnapshot()
  const many = Array.from({ length: 11 }, (_, at) => ({ key: front.key("x"), text: `${at}`, at, heir: null }))
  expect(keptTexts(many.slice(0, 2), ...many.slice(2))).toEqual(many.slice(2))
})

test("a draft follows its question, when the answer is sent, refused, lost or asked again", () => {
  const one = new Asked().tell("asked", asks("a")).types("a", "short").ours("sent", "a", "short")
  one.tell("another", asks("b")).tell("refused", human(1, "validation-failed", "a", { errors: ["too short"] }))
  one
    .tell("again", asks("a"))
    .ours("sent again", "a", "longer")
    .tell("confirmed", human(2, "answer", "a", { answer: "longer" }))
  const again = new Asked()
    .tell("asked", [event(9, "app/note"), ...asks("a")])
    .types("a", "mine")
    .ours("sent", "a", "mine")
  for (const link of [lost, open]) again.state = reduce(again.state, { type: "link", link, now: 1 })
  again.tell("back", [event(5, "runner/started")]).tell("asked again", asks("a"))
  expect(`${one.text}\n\n${again.text}`).toMatchSnapshot()
})

test("an answer starts as its question says", () => {
  const options = ["a", "b", { label: "C", value: { c: 1 } }]
  const rows: readonly (readonly [type: string, opts: JsonObject])[] = [
    ["text", {}],
    ["text", { default: "Ada" }],
    ["text", { default: "a", options }],
    ["select", { options, default: "b" }],
    ["select", { options, default: "z" }],
    ["select", { options, default: { c: 1 } }],
    ["multi", { options, default: [{ c: 1 }, "z", "a"] }],
    ["multi", { options }],
    ["confirm", {}],
    ["confirm", { default: true }],
    ["confirm", { default: false }],
    ["confirm", { options, default: true }],
  ]
  const told = rows.map(([type, opts]) => {
    const { run, view } = new Asked().tell("", asks("p", opts, type)).state
    const drafts = run.prompts.map(prompt => promptDraftOf(view, prompt))
    return `${type} ${JSON.stringify(opts)} → ${JSON.stringify(drafts.map(({ key: _, ...draft }) => draft))}`
  })
  expect(told.join("\n")).toMatchSnapshot()
})

test("keys are ignored until a person pauses, for answers a moment only", () => {
  const answers = answersIgnored(1000)
  const all = allIgnored(1000)
  const tried = [answers, all].flatMap(one =>
    [-4000, 0, 500, 999, 1000, 1599, 1600, 1999, 2000, 5999, 6000].map(
      now => `${one.keys} ${now} ${isIgnoring(one, now)} ${JSON.stringify(afterKey(one, now))}`,
    ),
  )
  const held = [1900, 2800, 3700, 4600, 5500, 5900].reduce(afterKey, all)
  expect([...tried, JSON.stringify(held)].join("\n")).toMatchSnapshot()
})
