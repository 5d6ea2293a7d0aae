// What a run shows to be wrong, and where.

export const FINDING_KINDS = [
  "error",
  "failed-tool",
  "repeat",
  "retries",
  "truncated",
  "refused",
  "silence",
  "context",
  "growth",
  "cost",
  "duration",
  "unreached",
] as const

/** What is wrong (docs/glossary.md). Those from `cost` on concern the run as a whole, and are known at its end. */
export type FindingKind = (typeof FINDING_KINDS)[number]

/** Where something happened: its frame, and the line of the recording, counted from 0. */
export interface FindingPlace {
  readonly frame: number
  readonly epoch: number
  readonly seq: number | null
  readonly line: number
  /** Epoch ms. */
  readonly ts: number | null
}

export interface Finding {
  readonly kind: FindingKind
  /** Index of its session; null for the run. */
  readonly session: number | null
  readonly turn: number | null
  readonly why: string
  /** The same for the finding that this one replaces: a call that is made once more, or another retry. */
  readonly about: string
  /** When it began, epoch ms: the first of the repeated calls, the last sign before a silence. */
  readonly since: number | null
  readonly place: FindingPlace
}

/** From when on something is a finding. */
export interface FindingLimits {
  /** Longest time without a sign of a model that should answer, ms. */
  readonly silence: number
  /** Number of identical calls in a row, and of retries of a turn. */
  readonly repeats: number
  readonly retries: number
  /** Used share of the context window, 0 to 1. */
  readonly context: number
  /** How many times the input of the turn before a turn's input may be. */
  readonly growth: number
}

export const usualLimits: FindingLimits = { silence: 60_000, repeats: 3, retries: 3, context: 0.8, growth: 3 }

/** The first findings of a run, and the number of those that were not kept. */
export interface Findings {
  readonly list: readonly Finding[]
  readonly more: number
}

export const noFindings: Findings = { list: [], more: 0 }

/** Number of findings kept: somebody who has read these needs another view. */
const KEPT = 1000
/** How many of the latest findings are searched for the one that a finding replaces. */
const REPLACEABLE = 64

/** Adds a finding, or replaces the one that it continues, which keeps its place and its beginning. */
export function withFinding(all: Findings, finding: Finding): Findings {
  const { list, more } = all
  const from = Math.max(0, list.length - REPLACEABLE)
  const earlier = list.findLastIndex((one, i) => i >= from && isSame(one, finding))
  const known = list[earlier]
  if (known !== undefined) {
    const { since, place } = known
    return { list: list.with(earlier, { ...finding, since, place }), more }
  }
  return list.length < KEPT ? { list: [...list, finding], more } : { list, more: more + 1 }
}

function isSame(a: Finding, b: Finding): boolean {
  return a.kind === b.kind && a.session === b.session && a.place.epoch === b.place.epoch && a.about === b.about
}
