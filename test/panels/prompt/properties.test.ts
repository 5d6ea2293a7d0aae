// Tests that no order of events loses a draft or answers a question twice.
import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { plan } from "../../../src/panels/plan.ts"
import { promptByKey } from "../../../src/run/identity/find-by-id.ts"
import type { PromptKey } from "../../../src/run/model/id.ts"
import type { Effect } from "../../../src/view/effect.ts"
import type { Intent } from "../../../src/view/intent.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { answerable, emptyState, frontPrompt, promptDraftOf, type StoreState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { forAll } from "../../for-all.ts"
import { event, line } from "../../run/lines.ts"
import { lost, open } from "../planned.ts"

const IDS = ["p#1", "p#2", "p#3"] as const
type Id = (typeof IDS)[number]
const invokeidOf: { readonly [id in Id]: string | null } = { "p#1": "a", "p#2": "a", "p#3": null }

function ask(id: Id): Decoded {
  return line({ kind: "prompt", "prompt-id": id, invokeid: invokeidOf[id], type: "text", opts: { prompt: "?" } })
}

/** The real store's rules, and a separate record of what was sent and typed. */
class Machine {
  state: StoreState = emptyState(open)
  now = 0
  seq = 0
  isRefused = false
  /** For each question by its key: what was sent, and what was typed last. */
  readonly sent = new Map<PromptKey, Set<string>>()
  readonly typed = new Map<PromptKey, string>()

  tell(...lines: readonly Decoded[]): void {
    const before = this.state.run
    this.isRefused ||= lines.some(one => one.kind === "event" && one.name === "human-input/validation-failed")
    this.state = reduce(this.state, { type: "frames", frames: lines })
    for (const { key, state, frame } of this.state.run.prompts) {
      const old = promptByKey(before, key)
      const last = before.prompts.findLast(one => one.frame.promptId === frame.promptId)
      // A question asked again before its answer is confirmed was refused, so it starts with the typed text.
      if (old === undefined && last?.state === "answered" && !last.confirmed)
        this.typed.set(key, this.typed.get(last.key) ?? "")
      if (old === undefined || old.state === "open" || state !== "open") continue
      // Only a refusal opens a question again, so that it may be answered again. Which one it meant may show later.
      expect(this.isRefused).toBe(true)
      this.sent.delete(key)
    }
  }

  link(link: Link): void {
    this.state = reduce(this.state, { type: "link", link, now: this.now })
  }

  want(intent: Intent): void {
    this.now += 10_000
    const before = this.state
    const { actions, effects } = plan(shownState(this.state), intent, { now: this.now, page: 10, lines: 0 })
    for (const action of actions) this.state = reduce(this.state, action)
    for (const effect of effects) this.note(before, intent, effect)
    // Nobody takes an answer back here.
    if (this.state.view.questions.heldAnswer !== null && intent.type !== "prompt/release")
      this.want({ type: "prompt/release" })
  }

  /** Each answer is sent under the id of its question, with the text typed there. */
  private note(before: StoreState, intent: Intent, effect: Effect): void {
    if (effect.type !== "agent/send" || (effect.command.type !== "answer" && effect.command.type !== "cancel")) return
    const { promptId } = effect.command
    const said = JSON.stringify(effect.command)
    const latest = this.state.run.prompts.findLast(prompt => prompt.frame.promptId === promptId)
    expect(latest).toBeDefined()
    if (latest === undefined) return
    if (intent.type !== "prompt/resend") {
      expect(before.view.questions.heldAnswer?.key ?? frontPrompt(shownState(before))?.key).toBe(latest.key)
      expect(this.sent.has(latest.key)).toBe(false)
    }
    const known = this.sent.get(latest.key) ?? new Set()
    this.sent.set(latest.key, known.add(said))
    expect(known.size).toBe(1)
    if (effect.command.type === "answer") expect(effect.command.value).toBe(this.typed.get(latest.key) ?? "")
  }

  /** A typed text is kept as long as it may be needed. */
  check(): void {
    for (const prompt of answerable(shownState(this.state))) {
      expect(promptDraftOf(this.state.view, prompt).text).toBe(this.typed.get(prompt.key) ?? "")
    }
    const openIds = answerable(shownState(this.state)).map(prompt => prompt.frame.promptId)
    expect(new Set(openIds).size).toBe(openIds.length)
  }
}

type Step = (machine: Machine) => void

/** A step with something drawn for it, as often beside the others as its weight says. */
const often = <T>(weight: number, from: fc.Arbitrary<T>, step: (machine: Machine, drawn: T) => void) => ({
  weight,
  arbitrary: from.map(
    (drawn): Step =>
      machine =>
        step(machine, drawn),
  ),
})
const id = fc.constantFrom(...IDS)
const none = fc.constant(null)
const endings = fc.record({
  name: fc.constantFrom("answer", "cancelled", "interrupted", "error", "validation-failed", "start"),
  invokeid: fc.constantFrom("a", null, "nobody"),
})
const steps: fc.Arbitrary<Step> = fc.oneof(
  often(4, id, (machine, one) => machine.tell(ask(one))),
  often(4, fc.tuple(fc.nat(9), fc.constantFrom("x", "é\n", "", "🎉 long")), (machine, [one, text]) => {
    const waiting = answerable(shownState(machine.state))
    const prompt = waiting[one % Math.max(1, waiting.length)]
    if (prompt === undefined) return
    machine.typed.set(prompt.key, text)
    machine.want({ type: "prompt/text", key: prompt.key, text })
  }),
  often(1, fc.constantFrom("edited by another", ""), (machine, text) => {
    const prompt = frontPrompt(shownState(machine.state))
    if (prompt === null) return
    machine.typed.set(prompt.key, text)
    machine.want({ type: "prompt/edited", key: prompt.key, edited: { type: "edited", text, kept: null } })
  }),
  often(4, none, machine => machine.want({ type: "prompt/answer" })),
  often(2, none, machine => {
    const prompt = frontPrompt(shownState(machine.state))
    // The first Esc clears what was typed.
    if (prompt !== null) machine.typed.set(prompt.key, "")
    machine.want({ type: "front/close" })
  }),
  often(2, none, machine => machine.want({ type: "prompt/next", step: 1 })),
  often(1, none, machine => machine.want({ type: "prompt/hide" })),
  often(1, none, machine => machine.link(lost)),
  // A reconnect repeats the newest question, and answers are sent again.
  often(3, id, (machine, one) => {
    machine.link(lost)
    machine.link(open)
    if (machine.state.run.prompts.some(prompt => prompt.frame.promptId === one)) machine.tell(ask(one))
    machine.want({ type: "prompt/resend" })
  }),
  often(3, endings, (machine, { name, invokeid }) => {
    const who = invokeid === null ? {} : { invokeid }
    const data = { ...who, errors: ["no"], message: "no", kind: "custom" }
    machine.tell(event(machine.seq++, `human-input/${name}`, data))
  }),
)

test("any order of questions, answers, cancellations, reconnects and repeats loses no draft and answers each question once, correctly", () =>
  forAll([fc.array(steps, { minLength: 20, maxLength: 60 })], 500, course => {
    const machine = new Machine()
    for (const step of course) {
      step(machine)
      machine.check()
    }
  }))
