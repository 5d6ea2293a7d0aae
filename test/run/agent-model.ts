// A model of an agent that asks, of its hub, and of the viewers that attach: frames as the real agent sends them.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import type { Prompt } from "../../src/run/model/prompts.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { delta, event, line } from "./lines.ts"

/** How an agent spells things. */
export interface Habits {
  /** Prompts carry the name of their asker. */
  readonly namesPrompts: boolean
  /** Events other than answers name the asker, as newer copies of the agent do. */
  readonly namesEvents: boolean
  /** All questions have the same words. */
  readonly isMonotonous: boolean
  /** Prompts overtake events that wait for a slow viewer. */
  readonly overtakes: boolean
}

export type Asker = "a" | "b" | "c"
export type Ending = "answer" | "cancelled" | "interrupted" | "error" | "validation-failed"

export interface Question {
  readonly id: string
  readonly asker: Asker
  readonly text: string
  /** Its prompt has been sent; the start goes out before. */
  isPrompted: boolean
  isOpen: boolean
  /** The number of its ending event. */
  end: number | null
  how: Ending | null
  /** Whose answer took effect. */
  takenFrom: ViewerModel | null
  /** Who cancelled it while the line was cut. */
  cancelLostBy: ViewerModel | null
}

const RING = 256
const BACKLOG = 64
export const greeted: Decoded = line({ kind: "sidecar", at: 2, what: "link", state: "greeted" })

export class AgentModel {
  questions: Question[] = []
  /** Answers on their way to the agent. */
  inbound: { readonly id: string; readonly value: string | null; readonly from: ViewerModel }[] = []
  /** Answers that took effect and were sent again after their sender had been told so. */
  sentAgain = 0
  readonly viewers: ViewerModel[] = []
  #count = 0
  #seq = 0
  epoch = 0
  #ring: { readonly seq: number; readonly frame: Decoded; readonly about: Question | null }[] = []
  #pending: { readonly frame: Decoded; readonly about: Question } | null = null

  constructor(readonly habits: Habits) {
    this.#started()
  }

  ask(asker: Asker): void {
    if (this.questions.some(one => one.asker === asker && one.isOpen)) return
    this.#count += 1
    const { namesPrompts, isMonotonous } = this.habits
    const id = `${namesPrompts ? asker : "prompt"}#${this.#count}`
    const text = isMonotonous ? "Go on?" : `What of ${asker}?`
    const question = {
      id,
      asker,
      text,
      isPrompted: false,
      isOpen: true,
      end: null,
      how: null,
      takenFrom: null,
      cancelLostBy: null,
    }
    this.questions.push(question)
    this.#event("human-input/start", { kind: "text", invokeid: asker, prompt: text }, question)
  }

  /** Sends the prompts whose starts are out. They overtake events in the queues of slow viewers. */
  prompt(): void {
    for (const question of this.questions.filter(one => !one.isPrompted && one.isOpen)) {
      question.isPrompted = true
      const invokeid = this.habits.namesPrompts ? question.asker : null
      const opts = { prompt: question.text }
      const frame = line({ kind: "prompt", "prompt-id": question.id, invokeid, type: "text", opts })
      this.#pending = { frame, about: question }
      for (const viewer of this.viewers) viewer.hear(frame, question)
    }
  }

  /** Takes the oldest answer; `refuses` ends the question all the same, as the real worker does. */
  take(refuses: boolean): void {
    const answer = this.inbound.shift()
    if (answer === undefined) return
    this.#pending = null
    const question = this.questions.find(one => one.id === answer.id && one.isOpen && one.isPrompted)
    if (question === undefined) return
    if (!refuses) question.takenFrom = answer.from
    if (answer.value === null) this.end(question, "cancelled")
    else if (refuses) this.end(question, "validation-failed")
    else this.end(question, "answer", answer.value)
  }

  end(question: Question, how: Ending, answer = "somebody's"): void {
    if (!question.isOpen || !question.isPrompted) return
    question.isOpen = false
    // An answer makes the hub forget its prompt, whichever it is; leaving the state that asked does not.
    if (how !== "interrupted" && how !== "error") this.#pending = null
    question.how = how
    const name = how === "answer" || this.habits.namesEvents ? { invokeid: question.asker } : {}
    const data = { answer: { kind: "text", answer }, error: { message: "m" }, "validation-failed": { errors: "e" } }
    this.#event(`human-input/${how}`, { ...name, ...(how in data ? data[how as keyof typeof data] : {}) }, question)
    question.end = this.#seq
  }

  /** Events about something else, which push older ones out of the ring. */
  talk(count: number): void {
    for (let i = 0; i < count; i++) this.#event("llm/delta", {}, null)
  }

  /** Another process on the same port, which numbers all from the start. */
  restart(): void {
    for (const viewer of this.viewers) viewer.cut()
    this.questions = []
    this.inbound = []
    this.#count = 0
    this.#seq = 0
    this.epoch += 1
    this.#ring = []
    this.#pending = null
    this.#started()
  }

  /** Greets a viewer: the newest prompt that nobody has answered, then the ring. */
  greet(viewer: ViewerModel): void {
    viewer.open(this.#pending?.about ?? null)
    if (this.#pending !== null) viewer.hear(this.#pending.frame, this.#pending.about)
    for (const { frame, about, seq } of this.#ring) viewer.queueEvent(frame, about, seq, true)
    // Without any event nobody can tell one run from the next.
    viewer.read(1)
  }

  /** The time of the latest event, epoch ms. */
  get now(): number {
    return 1000 + this.epoch * 1_000_000 + this.#seq
  }

  #started(): void {
    this.#event("runner/started", { "session-id": `run ${this.epoch}` }, null)
  }

  #event(name: string, data: object, about: Question | null): void {
    this.#seq += 1
    const ts = this.now
    const seq = this.#seq
    const frame = name === "llm/delta" ? delta(seq, "x", { ts }) : event(seq, name, data, ts)
    this.#ring = [...this.#ring, { seq, frame, about }].slice(-RING)
    for (const viewer of this.viewers) viewer.queueEvent(frame, about, seq)
  }
}

/** The start of a question, or its end. */
export interface Heard {
  readonly about: Question
  readonly isStart: boolean
}

/** A screen: what it was told, and what it made of that. */
export class ViewerModel {
  run: Run = emptyRun
  isAttached = false
  /** Prompts of questions that came here in this epoch of the agent, and events, by their numbers. */
  prompted = new Set<Question>()
  heard = new Map<number, Heard>()
  /** The asker of a greeting's prompt asked anew before it ended, or the line was cut: which question it is isn't told. */
  isUnsure = false
  /** The highest event that came, and whether some before it never did. */
  #seq = 0
  #epoch = 0
  hasGap = false
  #queue: { readonly frame: Decoded; readonly about: Question | null; readonly seq: number }[] = []
  /** The last event that the greeting repeats. */
  #greetsUntil = 0
  #greetedWith: Question | null = null
  #isGreeted = true

  constructor(private readonly agent: AgentModel) {
    agent.viewers.push(this)
  }

  open(greetedWith: Question | null): void {
    this.isAttached = true
    this.#greetedWith = greetedWith
    this.#isGreeted = false
    this.#queue = []
    this.#fold(line({ kind: "sidecar", at: this.agent.now, what: "link", state: "open" }))
  }

  cut(): void {
    if (!this.#isGreeted && this.#greetedWith !== null) this.isUnsure = true
    this.isAttached = false
    this.#queue = []
    for (const { id, value, from } of this.agent.inbound) {
      const question = this.agent.questions.find(one => one.id === id)
      if (from === this && value === null && question !== undefined) question.cancelLostBy = this
    }
    this.agent.inbound = this.agent.inbound.filter(({ from }) => from !== this)
  }

  hear(frame: Decoded, about: Question): void {
    if (!this.isAttached) return
    if (!this.agent.habits.overtakes) this.read(Number.POSITIVE_INFINITY)
    this.prompted.add(about)
    this.#fold(frame)
  }

  queueEvent(frame: Decoded, about: Question | null, seq: number, isOfGreeting = false): void {
    if (!this.isAttached) return
    this.#queue.push({ frame, about, seq })
    if (isOfGreeting) this.#greetsUntil = seq
    // A screen reads every 16 ms: it is never behind by as much as a greeting.
    else if (this.#queue.length > BACKLOG) this.read(BACKLOG)
  }

  /** Reads up to so many of the events that wait. */
  read(count: number): void {
    for (const { frame, about, seq } of this.#queue.splice(0, count)) {
      if (this.#epoch !== this.agent.epoch) this.#forget()
      if (seq > this.#seq + 1) this.hasGap = true
      this.#seq = Math.max(this.#seq, seq)
      if (
        about !== null &&
        about.asker === this.#greetedWith?.asker &&
        about.end !== seq &&
        seq > this.#greetsUntil &&
        !this.#isGreeted
      )
        this.isUnsure = true
      if (about !== null) this.heard.set(seq, { about, isStart: about.end !== seq })
      this.#fold(frame)
    }
  }

  /** The greeting is over: what is not confirmed is sent again. */
  endGreeting(): void {
    if (!this.isAttached || this.#isGreeted || (this.#queue[0]?.seq ?? Infinity) <= this.#greetsUntil) return
    this.#isGreeted = true
    this.#fold(greeted)
    for (const { answer, confirmed, frame } of this.run.prompts) {
      if (answer === null || confirmed) continue
      const took = [...this.heard.values()].find(
        ({ about, isStart }) => !isStart && about.id === frame.promptId && about.takenFrom === this,
      )
      if (took !== undefined && !this.hasGap) this.agent.sentAgain += 1
      this.agent.inbound.push({ id: frame.promptId, value: answer.cancelled ? null : String(answer.value), from: this })
    }
  }

  /** A person answers or cancels the question at this place among the open ones. */
  answer(at: number, value: string | null): void {
    const open = this.open_
    const prompt = open[at % Math.max(1, open.length)]
    // A question takes no answer before it was in front for longer than a greeting lasts.
    if (prompt === undefined || !this.isAttached || !this.#isGreeted) return
    const { promptId } = prompt.frame
    this.#fold(line({ kind: "answer", "prompt-id": promptId, ...(value === null ? { cancelled: true } : { value }) }))
    this.agent.inbound.push({ id: promptId, value, from: this })
  }

  get open_(): readonly Prompt[] {
    return this.run.prompts.filter(({ state }) => state === "open")
  }

  #forget(): void {
    this.#epoch = this.agent.epoch
    this.prompted = new Set([...this.prompted].filter(one => this.agent.questions.includes(one)))
    this.heard = new Map()
    this.isUnsure = false
    this.#seq = 0
    this.hasGap = false
  }

  #fold(frame: Decoded): void {
    this.run = fold(this.run, [frame])
  }
}
