// Decides which question a human-input event settles, and which start belongs to which prompt. Pure: it only reads.
import type { EventFrame, PromptFrame } from "../../../packages/wire/src/frame.ts"
import { type Json, stringifySafe } from "../../../packages/wire/src/json.ts"
import type { MissingPrompt, Prompt, QuestionFacts } from "../model/prompts.ts"
import type { Run } from "../model/run.ts"
import { isAmong } from "./histories.ts"

/** A question that an event may settle: a prompt, or one whose prompt never arrived. */
interface Candidate {
  readonly key: string
  readonly asker: string | null
  /** `answered` and `cancelled` are ours, not confirmed by the agent; `assumed`: an event may have meant it. */
  readonly state: "open" | "answered" | "cancelled" | "assumed"
  /** Number of the line of its start; null while none was seen. */
  readonly since: number | null
  /** The frame of its prompt names no asker. */
  readonly isUnnamed: boolean
  readonly isRefused: boolean
  readonly answerLine: number
  /** Our answer; undefined without one. */
  readonly value: Json | undefined
}

/**
 * The questions that an event may be about. `key` is the one taken for it; null if that would be a guess. Of several
 * it is the one that we answered, and another event may still tell otherwise.
 */
export interface EventMeaning {
  readonly key: string | null
  readonly among: readonly string[]
}

type HumanEvent = Pick<EventFrame, "invokeid" | "body">

/**
 * The question that an event settles or refuses, by the table in docs/contract.md section 2; null if it is none that
 * we know. An event is never about a question whose start comes later, as long as the agent reports starts.
 */
export function questionMeant(run: Run, { invokeid, body }: HumanEvent): EventMeaning | null {
  const isKnown = invokeid !== null && isAsker(run, invokeid)
  const namesNone = invokeid === null && body.type !== "human-input/answer"
  const pool = candidates(run).filter(({ asker }) => namesNone || asker === (isKnown ? invokeid : null))
  const only = ({ key }: Candidate): EventMeaning => ({ key, among: [key] })
  // Under no name another may have given the same answer to another question.
  const taken = answerTaken(pool, body)
  if (taken !== undefined && (isKnown || pool.length === 1)) return only(taken)
  const begun = pool.filter(({ since }) => since !== null || !run.questions.reportsStarts)
  const sent = begun
    .filter(({ state }) => state === "answered" || state === "cancelled")
    .toSorted((a, b) => a.answerLine - b.answerLine)
  const likely = body.type === "human-input/cancelled" ? "cancelled" : "answered"
  const likelySent = sent.filter(({ state }) => state === likely)
  const waiting = begun.filter(({ state }) => state === "open").toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0))
  const assumed = begun.filter(({ state }) => state === "assumed")
  // A refused question has ended, and is only shown until it is asked anew.
  const alive = waiting.filter(({ isRefused }) => !isRefused)
  const open = alive.length > 0 || sent.length > 0 ? alive : waiting
  if (isKnown) {
    // Under one name the agent settles questions in their order.
    const first = likelySent[0] ?? open[0] ?? sent.at(-1) ?? assumed[0]
    return first === undefined ? null : only(first)
  }
  // A question with a name comes from an asker that names its events too.
  const isUnnamed = open.some(one => one.isUnnamed)
  const meant = [...sent, ...assumed, ...(isUnnamed ? open.filter(({ key }) => !isNamed(run, key)) : open)]
  const [first] = meant
  if (first === undefined) return null
  if (meant.length === 1) return only(first)
  // The agent takes our cancels in their order. A cancel can't be refused.
  const given =
    taken ??
    likelySent.at(likely === "cancelled" ? 0 : -1) ??
    (body.type === "human-input/validation-failed" ? undefined : sent.at(-1))
  const isOurCancel = given?.state === "cancelled" && likely === "cancelled"
  // An answer from before the line was cut may never have arrived.
  const isSure = given !== undefined && (isOurCancel || given === taken || given.answerLine >= run.attachment.line)
  return { key: isSure ? given.key : null, among: meant.map(({ key }) => key) }
}

/** True if a question of this epoch, settled or not, is asked under this name. */
function isAsker({ prompts, questions }: Run, invokeid: string): boolean {
  return (
    prompts.some(({ asker, epoch }) => asker === invokeid && epoch === questions.epoch) ||
    questions.missing.some(missing => missing.invokeid === invokeid)
  )
}

/** Our latest answer with the value that the agent took; another viewer may have given a different one. */
function answerTaken(sent: readonly Candidate[], body: EventFrame["body"]): Candidate | undefined {
  if (body.type !== "human-input/answer" || body.answer === undefined) return undefined
  const taken = stringifySafe(body.answer)
  return sent.findLast(({ value }) => value !== undefined && stringifySafe(value) === taken)
}

/** True for a prompt with an invokeid of its own, not only that of its start. */
function isNamed({ prompts }: Run, key: string): boolean {
  return prompts.some(prompt => prompt.key === key && prompt.frame.invokeid !== null)
}

/** The questions of this epoch that may not be settled. */
function candidates({ prompts, questions }: Run): readonly Candidate[] {
  const asked = prompts.flatMap((prompt): readonly Candidate[] => {
    const { key, asker, since, isRefused, answer, answerLine, frame } = prompt
    const state = stateOf(prompt, questions)
    if (state === null) return []
    const isUnnamed = frame.invokeid === null
    return [{ key, asker, state, since, isUnnamed, isRefused, answerLine: answerLine ?? 0, value: answer?.value }]
  })
  const none = { isUnnamed: false, isRefused: false, answerLine: 0, value: undefined }
  const missing = questions.missing.map(
    ({ key, invokeid, line }): Candidate => ({ key, asker: invokeid, state: "open", since: line, ...none }),
  )
  return [...asked, ...missing]
}

function stateOf(prompt: Prompt, { histories }: QuestionFacts): Candidate["state"] | null {
  const { key, state, isRefused, told } = prompt
  if (told?.holds === true) return null
  if (isUnsettled(prompt) && !isRefused) return state === "closed" ? null : state
  if (isAmong(histories, key)) return "assumed"
  return isRefused ? "open" : null
}

/** True if the prompt is open, or the agent has not confirmed our answer. */
export function isUnsettled(prompt: Prompt): boolean {
  return prompt.state === "open" || isUnconfirmed(prompt)
}

/** True if we answered or cancelled the prompt and the agent has not confirmed it. */
export function isUnconfirmed({ answer, confirmed }: Prompt): boolean {
  return answer !== null && !confirmed
}

export interface Start {
  readonly invokeid: string | null
  /** The kind as events spell it; null if unknown. */
  readonly kind: string | null
  /** The question; null if the event doesn't have it. */
  readonly text: string | null
}

/** A prompt and its asker: null if the same start may be another prompt's. */
export interface Pairing<T> {
  readonly to: T
  readonly asker: string | null
}

/** The prompt that waits for this start; null if there is none. `isGreeting`: the start may be an older one. */
export function promptOfStart(run: Run, start: Start, isGreeting: (prompt: Prompt) => boolean): Pairing<Prompt> | null {
  const unsettled = run.prompts.filter(isUnsettled)
  const waiting = unsettled.filter(({ since }) => since === null)
  const named = waiting.filter(({ frame }) => frame.invokeid !== null && frame.invokeid === start.invokeid)
  const own = named.find(({ frame }) => isAlike(frame, start)) ?? named.find(prompt => !isGreeting(prompt))
  if (own !== undefined) return { to: own, asker: own.asker }
  const unnamed = ({ asker, frame }: Prompt) => asker === null && isAlike(frame, start)
  const first = waiting.find(unnamed)
  if (first !== undefined) {
    // The asker of these words asks again; else another asker may use the same words.
    const asksSo = run.prompts.some(({ asker, frame }) => asker === start.invokeid && isAlike(frame, start))
    return { to: first, asker: asksSo || unsettled.filter(unnamed).length === 1 ? start.invokeid : null }
  }
  const repeated = unsettled.findLast(prompt => {
    if (!isGreeting(prompt) || !isAlike(prompt.frame, start)) return false
    const { count } = run.attachment
    // Of a prompt that came over an earlier line, in no greeting that was cut, the first start that fits is the one.
    const mayBeLater = (prompt.attachment === count || prompt.beforeFirstEvent) && prompt.told?.holds !== false
    if (!mayBeLater && !isNewest(run, prompt)) return false
    return prompt.frame.invokeid === null || prompt.frame.invokeid === start.invokeid
  })
  return repeated === undefined ? null : { to: repeated, asker: start.invokeid }
}

/** True for the prompt of the greeting: the newest one, whose start is the last of the ring that fits. */
export function isNewest({ attachment }: Run, prompt: Prompt): boolean {
  const { count } = attachment
  return prompt.repeatedIn === count || (prompt.beforeFirstEvent && prompt.attachment === count)
}

/** The start, seen before, of a prompt that has come now; null if there is none. */
export function startOfPrompt(run: Run, frame: PromptFrame): Pairing<MissingPrompt> | null {
  // A question from before the greeting has its prompt behind it.
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

/** True if the start fits the prompt by its kind and its words. */
export function isAlike({ type, question }: PromptFrame, { kind, text }: Omit<Start, "invokeid">): boolean {
  const spelled = type === "multi" ? "multi-select" : type
  return (kind === null || kind === spelled || kind === type) && (text === null || text === question)
}

/** True if the new prompt replaces one whose answer was refused: by the same asker, if that is known. */
export function isAskedAnew(refused: Prompt, { asker, frame }: Prompt): boolean {
  if (asker !== null && refused.asker !== null) return asker === refused.asker
  return refused.frame.type === frame.type && refused.frame.question === frame.question
}
