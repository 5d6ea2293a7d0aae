// Keeps which question has the keyboard, and what becomes of typed texts, as questions come, close and are refused.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { PromptKey } from "../../src/run/model/id.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import type { Action } from "../../src/view/action.ts"
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
import type { ViewChange } from "../../src/view/view.ts"
import { root } from "../fixtures.ts"
import { deepFreeze } from "../freeze.ts"
import { lost, open } from "../panels/planned.ts"
import { event, line } from "../run/lines.ts"

const asks = (id: string, opts: JsonObject = {}, type = "text", asker = id) =>
  line({ kind: "prompt", "prompt-id": id, invokeid: asker, type, opts: { prompt: `${id}?`, ...opts } })

/** A live run, and a line on each step: what is in front, and the texts. */
class Asked {
  state: StoreState = deepFreeze(emptyState(open))
  readonly told: string[] = []
  #now = 100_000
  /** When a key came last, ms before now; undefined where nobody has a keyboard. */
  #idleMs: number | undefined = Number.POSITIVE_INFINITY
  #seq = 0

  /** A step is of frames, apart at ", ", or of one thing that a person does; `@a` is the key of the question a. */
  step(words: string): void {
    const [verb = "", id = "", ...rest] = words.split(" ")
    if (verb === "idle") this.#idleMs = Number(id)
    else if (verb === "alone") this.#idleMs = undefined
    else if (verb === "wait") this.#now += Number(id)
    else {
      const { kept } = this.state.view.questions
      for (const action of this.#actions(verb, id, words, rest)) this.state = deepFreeze(reduce(this.state, action))
      const next = this.state.view.questions.kept
      if (Bun.deepEquals(next, kept)) expect(next).toBe(kept)
      this.#note(words)
    }
  }

  #actions(verb: string, id: string, words: string, rest: readonly string[]): readonly Action[] {
    const { questions } = this.state.view
    const change = (of: ViewChange): readonly Action[] => [{ type: "view", change: of }]
    if (verb === "past") return [{ type: "show", run: emptyRun }]
    if (verb === "link") return [lost, open].map(link => ({ type: "link", link, now: 1 }))
    if (verb === "listens") return change({ questions: { ignored: answersIgnored(this.#now) } })
    if (verb === "view") {
      const keyed = words.slice(5).replace(/"@(\w+)"/g, (_, one: string) => JSON.stringify(this.#key(one)))
      return change(JSON.parse(keyed) as ViewChange)
    }
    if (verb === "types") {
      const draft = { ...freshDraft(this.#key(id), [], undefined), text: rest.join(" ") }
      return change({ questions: { drafts: [...questions.drafts, draft] } })
    }
    if (verb === "says") {
      const frame = line({ kind: "answer", "prompt-id": id, value: rest.join(" ") }) as never
      return [{ type: "local", frames: [{ frame, text: "" }] }]
    }
    const hands = this.#idleMs === undefined ? {} : { hands: { now: this.#now, keyAt: this.#now - this.#idleMs } }
    return [{ type: "frames", frames: words.split(", ").map(one => this.#frame(one)), ...hands }]
  }

  #frame(words: string): Decoded {
    const [verb, id = "", first, ...rest] = words.split(" ")
    if (verb === "asks") return asks(id, JSON.parse(first ?? "{}"), ...rest)
    if (verb === "starts" || verb === "note")
      return event(id === "" ? ++this.#seq : Number(id), verb === "note" ? "app/note" : "runner/started")
    const told = verb === "ends" ? { answer: first ?? "" } : { errors: [first] }
    return event(++this.#seq, `human-input/${verb === "ends" ? "answer" : "validation-failed"}`, {
      invokeid: id,
      ...told,
    })
  }

  #key(id: string): PromptKey {
    const prompt = this.state.run.prompts.findLast(({ frame }) => frame.promptId === id)
    if (prompt === undefined) throw new Error(`expected the question ${id}`)
    return prompt.key
  }

  #note(what: string): void {
    const shown = shownState(this.state)
    const { drafts, kept, prompt, promptHidden, ignored } = shown.view.questions
    const name = (key: PromptKey | null) => shown.run.prompts.find(one => one.key === key)?.frame.promptId ?? key
    const fronts = [frontPrompt, askedPrompt, nextPrompt, heldPrompt].map(find => find(shown)?.frame.promptId ?? "-")
    const front = frontPrompt(shown)
    const typed = front === null ? "" : promptDraftOf(shown.view, front).text
    const texts = drafts.map(one => `${name(one.key)}=${one.text}`)
    const old = kept.map(one => `${name(one.key)}>${name(one.heir)}=${one.text}@${one.at}`)
    const marks = [
      prompt !== null && `chosen ${name(prompt)}`,
      promptHidden && "hidden",
      typed !== "" && `shows ${typed}`,
      ignored && `ignores ${ignored.keys}`,
    ]
    const states = shown.run.prompts.map(({ frame, state }) => `${frame.promptId}:${state}`)
    this.told.push([`${what}:`, fronts.join("/"), ...marks.filter(Boolean), ...texts, ...old, `(${states})`].join(" "))
  }
}

const STORIES = (await Bun.file(join(root, "fixtures/scripts/asked.txt")).text()).trimEnd().split("\n")

test.each(STORIES.map(one => one.split(" = ") as [string, string]))("a question %s", (_, steps) => {
  const asked = new Asked()
  for (const one of steps.split(" | ")) asked.step(one)
  expect(asked.told.join("\n")).toMatchSnapshot()
})

test("so many typed texts are kept, the latest", () => {
  const many = Array.from({ length: 11 }, (_, at) => ({ key: "0 x" as PromptKey, text: `${at}`, at, heir: null }))
  expect(keptTexts(many.slice(0, 2), ...many.slice(2))).toEqual(many.slice(2))
})

const ANSWERS = (await Bun.file(join(root, "fixtures/scripts/answers.jsonl")).text()).trimEnd().split("\n")

test("an answer starts as its question says", () => {
  const told = ANSWERS.map(words => {
    const { type, ...opts } = JSON.parse(words) as JsonObject & { readonly type: string }
    const { run, view } = reduce(emptyState(open), { type: "frames", frames: [asks("p", opts, type)] })
    const drafts = run.prompts.map(prompt => promptDraftOf(view, prompt))
    return `${words} → ${JSON.stringify(drafts.map(({ key: _, ...draft }) => draft))}`
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
