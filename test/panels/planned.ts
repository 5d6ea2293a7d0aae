// Provides a state that intents are planned on without a screen, with the effects they have.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { linesText } from "../../src/panels/common/pager/pager-text.ts"
import { PageSheet } from "../../src/panels/common/pager/sheet.ts"
import { pageOf } from "../../src/panels/common/pager/update.ts"
import { plan } from "../../src/panels/plan.ts"
import { blank } from "../../src/ui/line.ts"
import type { Action } from "../../src/view/action.ts"
import type { Anchor, Outline } from "../../src/view/block-reading.ts"
import type { Effect } from "../../src/view/effect.ts"
import type { Intent, KeyOp, Move } from "../../src/view/intent.ts"
import type { ViewContext } from "../../src/view/plan-result.ts"
import { reduce } from "../../src/view/reduce.ts"
import { readText } from "../../src/view/select/shown-session.ts"
import { emptyState, frontPrompt, type StoreState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import type { View } from "../../src/view/view.ts"
import { deepFreeze } from "../freeze.ts"
import { line } from "../run/lines.ts"

export const url = "ws://127.0.0.1:1/ws"
export const open = { state: "open", url, since: 0 } satisfies Link
export const lost = { state: "lost", url, since: 0, retryAt: 9, why: "closed", everOpen: true } satisfies Link
export const replaying = { state: "replaying", path: "x.jsonl", incompleteLength: 0 } satisfies Link
export const debug = line({ kind: "debug", paused: true })

/** A run and the view of it; an intent changes it as the store would. */
export class Planned {
  state: StoreState
  effects: readonly Effect[] = []
  now = 10_000
  page = 10
  lines = 0
  isTiny = false
  /** How the question in front scrolls, if it is longer than its rows. */
  question: ViewContext["question"]

  constructor(link: Link, lines: readonly Decoded[] = []) {
    const start = deepFreeze(emptyState(link))
    this.state = deepFreeze(reduce(start, { type: "frames", frames: lines }))
  }

  ask(intent: Intent, afterMs = 0): this {
    this.now += afterMs
    const page = pageOf(shownState(this.state))
    const text = linesText(Array.from({ length: this.lines }, () => blank))
    const sheet = page === null ? {} : { sheet: new PageSheet(text, page, 80, this.page) }
    const facts: ViewContext = {
      now: this.now,
      page: this.page,
      lines: this.lines,
      isTiny: this.isTiny,
      question: this.question,
      ...this.read(),
      ...sheet,
    }
    const { actions, effects } = plan(shownState(this.state), intent, facts)
    for (const action of actions) this.state = deepFreeze(reduce(this.state, action))
    this.effects = effects
    if (this.view.questions.heldAnswer === null || intent.type === "prompt/release") return this
    // Nobody takes an answer back here.
    return this.ask({ type: "prompt/release" })
  }

  /** A text of so many lines, if a text is in front. */
  private read(): { readonly outline?: Outline } {
    const { focus } = this.view
    const shown = shownState(this.state)
    if (focus !== "text" && frontPrompt(shown) === null) return {}
    const { lines: length, page: rows } = this
    const top = readText(shown).first?.row ?? Math.max(0, length - rows)
    const [lineOf, anchorAt] = [({ row }: Anchor) => row, (row: number) => ({ block: "0", row })]
    const none = () => null
    const moves = { turnFrom: none, errorFrom: none, hitFrom: none, isSearching: false, turnAt: () => 1 }
    return { outline: { length, rows, top, lineOf, anchorAt, cardOf: block => block, isClosed: () => false, ...moves } }
  }

  /** The first visible line of the text; null if the end is followed. */
  get textTop(): number | null {
    return this.view.reader.text.first?.row ?? null
  }

  tell(...lines: Decoded[]): this {
    this.state = deepFreeze(reduce(this.state, { type: "frames", frames: lines }))
    return this
  }

  link(link: Link): this {
    this.state = deepFreeze(reduce(this.state, { type: "link", link, now: this.now }))
    return this
  }

  move(by: Move): this {
    return this.ask({ type: "cursor/move", by })
  }

  get view(): View {
    return this.state.view
  }

  /** The question in front. */
  get front(): string | null {
    return frontPrompt(shownState(this.state))?.frame.promptId ?? null
  }

  get sent(): readonly unknown[] {
    return this.effects.flatMap(effect => (effect.type === "agent/send" ? [effect.command] : []))
  }

  get exits(): boolean {
    return this.effects.some(effect => effect.type === "program/exit")
  }

  get said(): string {
    return this.view.notice?.text ?? ""
  }
}

export const op = (name: KeyOp, n = 1): Intent => ({ type: "debugger/send", op: name, n })
export const esc: Intent = { type: "front/close" }
export const quit: Intent = { type: "program/quit" }

/** An intent, a change of the state, what the agent tells, a link, or the ms that pass before the next step. */
export type PlannedStep = Intent | Action | Decoded | readonly Decoded[] | Link | number

/** A state, what was told before it, and the steps. */
export type Scenario = readonly [name: string, lines: readonly Decoded[], ...steps: PlannedStep[]]

/** What each step comes to: how `stand` tells that it stands then, what is said, and what goes out. */
export function told(
  scenarios: readonly Scenario[],
  stand: (screen: Planned) => readonly string[],
  link: Link,
): string {
  return scenarios
    .flatMap(([name, lines, ...steps]) => [name, ...stepsOn(new Planned(link, lines), steps, stand)])
    .join("\n")
}

export function stepsOn(
  screen: Planned,
  steps: readonly PlannedStep[],
  stand: (screen: Planned) => readonly string[],
): readonly string[] {
  let ms = 0
  return steps.flatMap(step => {
    if (typeof step === "number") ms = step
    if (typeof step === "number") return []
    screen.effects = []
    const words = `${ms === 0 ? "" : `${ms} ms, `}${doneBy(screen, step, ms)}`
    ms = 0
    const out = screen.effects.map(one => (one.type === "agent/send" ? one.text : JSON.stringify(one)))
    return [`  ${words} → ${[...stand(screen), screen.said, ...out].filter(Boolean).join(" · ")}`]
  })
}

/** Carries it out, and names it. */
function doneBy(screen: Planned, step: Exclude<PlannedStep, number>, ms: number): string {
  if ("state" in step) return screen.link(step) && step.state
  if ("type" in step && (`${step.type}`.includes("/") || !("kind" in step))) {
    const { type, ...more } = step as Intent | Action
    if (type.includes("/")) screen.ask(step as Intent, ms)
    else screen.state = deepFreeze(reduce(screen.state, step as Action))
    const words = type === "show" ? [] : Object.values(more).map(one => JSON.stringify(one))
    return [type, ...words].join(" ").slice(0, 100)
  }
  const lines = ("kind" in step ? [step] : step) as readonly Decoded[]
  screen.tell(...lines)
  return lines
    .map(one => (one.kind === "event" ? one.name : one.kind))
    .join(", ")
    .slice(0, 60)
}
