// Defines questions: prompts, and questions whose prompts never arrived.
import type { AnswerFrame, PromptFrame } from "../../../packages/wire/src/frame.ts"
import type { Json } from "../../../packages/wire/src/json.ts"
import type { PromptKey } from "./id.ts"

export interface Prompt {
  /** Unique in the run, unlike the prompt id, which may be asked again. */
  readonly key: PromptKey
  readonly frame: PromptFrame
  readonly title: string
  /** The asking session; null if none was known when the question arrived. */
  readonly session: number | null
  readonly state: "open" | "answered" | "cancelled" | "closed"
  readonly answer: AnswerFrame | null
  /** Number of the line that answered it; null while there is no answer. */
  readonly answerLine: number | null
  /** The answer as the agent reported it; null if it has not reported one or keeps it private. */
  readonly reportedAnswer: Json
  readonly confirmed: boolean
  /** A new run began before our answer was confirmed. */
  readonly lost: boolean
  readonly errors: readonly string[]
  /** The agent refused an answer, and has not asked anew. */
  readonly isRefused: boolean
  /** Its invokeid, else that of its start; null while unknown (docs/contract.md section 2). */
  readonly asker: string | null
  readonly since: number | null
  /** The attachment whose greeting may repeat its start and older events; null if its start was seen. */
  readonly soughtIn: number | null
  /** Its settlement by that greeting; null if there is none. It holds unless a later start follows. */
  readonly told: { readonly to: Settlement; readonly holds: boolean } | null
  /** The epoch whose question it is. */
  readonly epoch: number
  /** The attachment it came with, and whether it came before that attachment's first event. */
  readonly attachment: number
  readonly beforeFirstEvent: boolean
  /** The latest attachment that repeated it in its greeting; null if none has since it was answered. */
  readonly repeatedIn: number | null
  /** The run's latest `ts` when it was asked, epoch ms. */
  readonly ts: number | null
}

export type Settlement = Pick<Prompt, "state"> & Partial<Pick<Prompt, "answer" | "reportedAnswer" | "errors">>

/** The facts of an epoch's questions beside their prompts. */
export interface QuestionFacts {
  /** QuestionFacts that events report but whose prompt never arrived, so nobody can answer them here. */
  readonly missing: readonly MissingPrompt[]
  /** The histories that fit the events without a name. A question is over once it is over in each of them. */
  readonly histories: readonly History[]
  readonly epoch: number
  /** The agent reports the start of each question, so that an event before it means an earlier one. */
  readonly reportsStarts: boolean
}

/** The keys of the questions that may have ended. */
export type History = ReadonlyMap<string, Settlement>

/** A question without a prompt: the hub repeats only the newest one to a new client (docs/contract.md section 2). */
export interface MissingPrompt {
  /** Unique in the run, and no prompt's. */
  readonly key: string
  readonly invokeid: string | null
  /** The kind as events spell it, and the question; null if the event didn't have them. */
  readonly kind: string | null
  readonly text: string | null
  /** Number of the line of its start, and whether that was part of a greeting. */
  readonly line: number
  readonly inGreeting: boolean
  readonly session: number | null
  readonly ts: number | null
}

export const noQuestions: QuestionFacts = {
  missing: [],
  histories: [new Map()],
  epoch: 0,
  reportsStarts: false,
}
