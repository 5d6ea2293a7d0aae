// Defines the filter language (docs/filter.md) as plain data, and what a filter asks of a subject.
import type { Run } from "../../run/model/run.ts"
/** A parsed filter. `parts` holds two or more, or none: the filter of an empty text, which everything matches. */
export type Filter =
  | { readonly type: "and" | "or"; readonly parts: readonly Filter[] }
  | { readonly type: "not"; readonly part: Filter }
  | Term

/** One condition on a row, a session or the run. */
export type Term =
  | { readonly type: "word"; readonly word: Word }
  /** The whole text, case-sensitive; `*` stands for any characters, `?` for one. */
  | { readonly type: "glob"; readonly key: TextKey; readonly op: "=" | "!="; readonly glob: string }
  /** Contains the text, in any case. */
  | { readonly type: "plain"; readonly key: TextKey; readonly text: string }
  /** `flags` is any of `i`, `m` and `s`, in this order. */
  | { readonly type: "pattern"; readonly key: TextKey; readonly source: string; readonly flags: string }
  | { readonly type: "number"; readonly key: NumberKey; readonly op: Compare; readonly value: number }
  | { readonly type: "time"; readonly key: "ts"; readonly op: Compare; readonly moment: MomentTerm }

/** A point in time as written; `span` is the number of ms that its last digit stands for. */
export interface MomentTerm {
  /** What `ms` counts from: 1970, midnight, or the run's first `ts`. */
  readonly from: "epoch" | "clock" | "start"
  readonly ms: number
  readonly span: number
}

export type TextKey = (typeof TEXT_KEYS)[number]
export type NumberKey = (typeof NUMBER_KEYS)[number]
export type Key = (typeof KEYS)[number]
export type Word = (typeof WORDS)[number]
export type Compare = (typeof COMPARES)[number]

export const TEXT_KEYS = ["kind", "event", "invokeid", "session", "model", "state", "text", "tool", "reason"] as const
export const NUMBER_KEYS = [
  ...(["turn", "visit", "tokens", "rate", "seq"] as const),
  ...(["cost", "input", "cached", "duration", "failed"] as const),
] as const
export const KEYS = [...TEXT_KEYS, ...NUMBER_KEYS, "ts"] as const
export const WORDS = ["error", "warning", "prompt"] as const

export const TEXT_OPS = ["=", "!=", "~"] as const
export const COMPARES = ["=", "!=", ">=", "<=", ">", "<"] as const
/** Keys that only log rows have. */
export const ROW_KEYS: readonly Key[] = ["kind", "event", "visit"]

/** The terms of a filter, those under a `not` too. */
export function termsOf(filter: Filter): readonly Term[] {
  if ("parts" in filter) return filter.parts.flatMap(termsOf)
  return filter.type === "not" ? termsOf(filter.part) : [filter]
}

/** The texts that a matching row may show, as far as the filter tells. */
export function wordsIn(filter: Filter): readonly string[] {
  if ("parts" in filter) return filter.parts.flatMap(wordsIn)
  if (filter.type === "plain") return filter.text === "" ? [] : [filter.text]
  return filter.type === "pattern" && !/[\\^$.*+?()[\]{}|]/.test(filter.source) ? [filter.source] : []
}

/** What can be asked of a subject. Nothing is computed before it is asked. */
export interface FactTable<Subject> {
  /** False for a key that the subject can't answer, so that the result is undecided. */
  knows(key: Key, subject: Subject): boolean
  /** The subject's texts under `key`. An empty one counts as absent. */
  texts(run: Run, subject: Subject, key: TextKey): Texts
  /** Null if the subject has none. `ts` in epoch ms, `rate` in tokens a second, `cost` in dollars, `duration` in s. */
  number(run: Run, subject: Subject, key: NumberKey | "ts"): number | null
  /** Null if the subject can't answer. */
  is(run: Run, subject: Subject, word: Word): boolean | null
}

export type Texts = Iterable<string | null | undefined>
