// Decides which question a human-input event settles, and which start belongs to which prompt. Pure: it only reads.
import type { EventFrame, PromptFrame } from "../../protocol/frame.ts"
import { type Json, stringifySafe } from "../../protocol/json.ts"
import type { MissingPrompt, Prompt, QuestionFacts } from "../model/prompts.ts"
import type { Run } from "../model/run.ts"

/** A question that an event may settle: a prompt, or one whose prompt never arrived. */
interface Candidate {
  readonly key: string
  readonly asker: string | null
  /** `answered` and `cancelled` are ours, and the agent has not confirmed them. */
  readonly state: "open" | "answered" | "cancelled"
  /** Number of the line of its start; null while none was seen. */
  readonly since: number | null
  readonly isRefused: boolean
  /** Number of the line of our answer. */
  readonly answerLine: number
  /** Our answer; undefined without one. */
  readonly value: Json | undefined
}

/** The question that an event is about, or the several that it may mean. `isGuess`: the event names no question. */
export type EventMeaning =
  | { readonly key: string; readonly isGuess: boolean; readonly among: readonly string[] }
  | { readonly key: null; readonly among: readonly string[] }

/** No answer: later than any connection. */
const latest = { answerLine: Number.POSITIVE_INFINITY }

type HumanEvent = Pick<EventFrame, "invokeid" | "body">

/**
 * The question that an event settles or refuses, by the table in docs/contract.md section 2; null if it is none that
 * we know. An event is never about a question whose start comes later, as long as the agent reports starts.
 */
export function questionMeant(run: Run, { invokeid, body }: HumanEvent): EventMeaning | null {
  const { reportsStarts } = run.questions
  const isKnown = invokeid !== null && isAsker(run, invokeid)
  const namesNone = invokeid === null && body.type !== "human-input/answer"
  const pool = candidates(run).filter(({ asker }) => namesNone || asker === (isKnown ? invokeid : null))
  const begun = pool.filter(({ since }) => since !== null || !reportsStarts)
  const sent = begun.filter(({ state }) => state !== "open").toSorted((a, b) => a.answerLine - b.answerLine)
  const waiting = begun.filter(({ state }) => state === "open").toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0))
  // A refused question has ended, and is only shown until it is asked anew.
  const alive = waiting.filter(({ isRefused }) => !isRefused)
  const open = isKnown || alive.length === 0 ? waiting : alive
  const among = [...sent, ...open].map(({ key }) => key)
  const only = (key: string): EventMeaning => ({ key, isGuess: !isKnown && among.length > 1, among })
  const taken = answerTaken(pool, body)
  if (taken !== undefined) return only(taken.key)
  const likely = body.type === "human-input/cancelled" ? "cancelled" : "answered"
  const likelySent = sent.filter(({ state }) => state === likely)
  // Under one name the agent settles questions in their order.
  const given = isKnown ? likelySent[0] : likelySent.at(-1)
  // What was answered before the line was cut may never have arrived.
  const isCancelled = given !== undefined && likely === "cancelled"
  if (!isKnown && !isCancelled && among.length > 1 && (given ?? sent.at(-1) ?? latest).answerLine < run.attachment.line)
    return { key: null, among }
  if (given !== undefined) return only(given.key)
  if (isKnown) {
    const first = open[0] ?? sent.at(-1)
    return first === undefined ? null : only(first.key)
  }
  const other = sent.at(-1)
  if (other !== undefined) return only(other.key)
  const unnamed = open.filter(({ key }) => !isNamed(run, key))
  const single = onlyOne(unnamed) ?? (unnamed.length === 0 || leavesState(body) ? onlyOne(open) : undefined)
  if (single !== undefined) return only(single.key)
  return among.length === 0 ? null : { key: null, among }
}

/** True if a question of this epoch, settled or not, is asked under this name. */
function isAsker({ prompts, questions }: Run, invokeid: string): boolean {
  const isOfEpoch = (prompt: Prompt, index: number) => index >= questions.firstPrompt || isUnsettled(prompt)
  return (
    prompts.some((prompt, index) => prompt.asker === invokeid && isOfEpoch(prompt, index)) ||
    questions.missing.some(missing => missing.invokeid === invokeid)
  )
}

/** Our answer with the value that the agent took: whoever else was faster gave another. */
function answerTaken(sent: readonly Candidate[], body: EventFrame["body"]): Candidate | undefined {
  if (body.type !== "human-input/answer" || body.answer === undefined) return undefined
  const taken = stringifySafe(body.answer)
  return sent.find(({ value }) => value !== undefined && stringifySafe(value) === taken)
}

/** The chart left the state that asked, or a person cancelled: nothing else ends a question without its name. */
function leavesState({ type }: EventFrame["body"]): boolean {
  return type === "human-input/cancelled" || type === "human-input/interrupted"
}

/** True for a prompt with an invokeid of its own: one that only its start has told doesn't count. */
function isNamed({ prompts }: Run, key: string): boolean {
  return prompts.some(prompt => prompt.key === key && prompt.frame.invokeid !== null)
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}

/** The questions of this epoch that are not settled. */
function candidates({ prompts, questions }: Run): readonly Candidate[] {
  const asked = prompts.flatMap((prompt): readonly Candidate[] => {
    const { key, asker, since, isRefused, answer, answerLine } = prompt
    if (!isUnsettled(prompt) || prompt.state === "closed" || prompt.told?.holds === true) return []
    return [{ key, asker, state: prompt.state, since, isRefused, answerLine: answerLine ?? 0, value: answer?.value }]
  })
  const missing = questions.missing.map(({ key, invokeid, line }): Candidate => {
    return { key, asker: invokeid, state: "open", since: line, isRefused: false, answerLine: 0, value: undefined }
  })
  return [...asked, ...missing]
}

/** True if the prompt is open, or the agent has not confirmed our answer. */
export function isUnsettled(prompt: Prompt): boolean {
  return prompt.state === "open" || isUnconfirmed(prompt)
}

/** True if we answered or cancelled the prompt and the agent has not confirmed it. */
export function isUnconfirmed({ answer, confirmed, state }: Prompt): boolean {
  return answer !== null && !confirmed && (state === "answered" || state === "cancelled")
}

/**
 * The questions that undecided events have settled after all: as many events as questions they may mean, or an event
 * of which only one question is left.
 */
export function decided(questions: QuestionFacts, isOpen: (key: string) => boolean): ReadonlyMap<string, number> {
  const settled = new Map<string, number>()
  const left = (among: readonly string[]) => among.filter(key => isOpen(key) && !settled.has(key))
  for (let again = true; again; ) {
    again = false
    const open = questions.undecided.flatMap(({ guess, among, to }, index) =>
      guess === null && to.state !== "open" && ![...settled.values()].includes(index)
        ? [{ index, among: left(among) }]
        : [],
    )
    const all = new Set(open.flatMap(({ among }) => among))
    const isFull = all.size > 0 && open.length >= all.size
    for (const { index, among } of open) {
      const [key] = left(among)
      if (key === undefined || (!isFull && among.length > 1)) continue
      settled.set(key, index)
      again = true
    }
  }
  return settled
}

/** What a `human-input/start` says of its question. */
export interface Start {
  readonly invokeid: string | null
  /** The kind as events spell it; null if unknown. */
  readonly kind: string | null
  /** The question; null if the event doesn't have it. */
  readonly text: string | null
}

/** A prompt and what is known of its asker: null if a start alike may be another prompt's. */
export interface Pairing<T> {
  readonly to: T
  readonly asker: string | null
}

/** The prompt that waits for this start; null if there is none. `isGreeting`: it may repeat what is older. */
export function promptOfStart(run: Run, start: Start, isGreeting: (prompt: Prompt) => boolean): Pairing<Prompt> | null {
  const unsettled = run.prompts.filter(isUnsettled)
  const waiting = unsettled.filter(({ since }) => since === null)
  const named = waiting.filter(({ frame }) => frame.invokeid !== null && frame.invokeid === start.invokeid)
  const own = named.find(({ frame }) => isAlike(frame, start)) ?? named.find(prompt => !isGreeting(prompt))
  if (own !== undefined) return { to: own, asker: own.asker }
  const unnamed = ({ asker, frame }: Prompt) => asker === null && isAlike(frame, start)
  const first = waiting.find(unnamed)
  if (first !== undefined) {
    // Who asked in these words before asks again; else another may ask in the same words.
    const asksSo = run.prompts.some(({ asker, frame }) => asker === start.invokeid && isAlike(frame, start))
    return { to: first, asker: asksSo || unsettled.filter(unnamed).length === 1 ? start.invokeid : null }
  }
  const repeated = unsettled.find(prompt => {
    if (!isGreeting(prompt) || !isAlike(prompt.frame, start)) return false
    const { count } = run.attachment
    // Of a prompt that came over an earlier line, the first start that fits is the one.
    const mayBeLater = prompt.attachment === count && prompt.told?.holds !== false
    if (!mayBeLater && !isNewest(run, prompt)) return false
    return prompt.frame.invokeid === null || prompt.frame.invokeid === start.invokeid
  })
  return repeated === undefined ? null : { to: repeated, asker: start.invokeid }
}

/** True for the prompt of the greeting: the newest one, whose start is the last of the ring that fits. */
export function isNewest({ attachment }: Run, prompt: Prompt): boolean {
  const { count } = attachment
  return prompt.repeatedIn === count || (prompt.beforeFirstEvent && prompt.soughtIn === count)
}

/** The start, seen before, of a prompt that has come now; null if there is none. */
export function startOfPrompt(run: Run, frame: PromptFrame): Pairing<MissingPrompt> | null {
  // What had been asked before a greeting has its prompt behind it.
  const missing = run.questions.missing.filter(({ inGreeting }) => run.attachment.greeting > 0 || !inGreeting)
  if (frame.invokeid !== null) {
    const named = missing.filter(({ invokeid }) => invokeid === frame.invokeid)
    const to = named.find(one => isAlike(frame, one)) ?? named[0]
    return to === undefined ? null : { to, asker: frame.invokeid }
  }
  const alike = missing.filter(one => isAlike(frame, one))
  const live = alike.filter(({ inGreeting }) => !inGreeting)
  const likely = live.length > 0 ? live : alike
  const to = likely.at(-1)
  if (to === undefined) return null
  const others = run.prompts.some(one => one.asker === null && isUnsettled(one) && isAlike(one.frame, to))
  return { to, asker: likely.length === 1 && !others ? to.invokeid : null }
}

/** True if the start may be that of the prompt, by its kind and its words. */
export function isAlike({ type, question }: PromptFrame, { kind, text }: Omit<Start, "invokeid">): boolean {
  const spelled = type === "multi" ? "multi-select" : type
  return (kind === null || kind === spelled || kind === type) && (text === null || text === question)
}

/** True if the new prompt is asked in place of one whose answer was refused: by the same asker, if that is known. */
export function isAskedAnew(refused: Prompt, { asker, frame }: Prompt): boolean {
  if (asker !== null && refused.asker !== null) return asker === refused.asker
  return refused.frame.type === frame.type && refused.frame.question === frame.question
}
