// Findings: the faults that a run shows, and their places.

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

/** Kinds of faults (docs/glossary.md). From `cost` on they concern the run as a whole. */
export type FindingKind = (typeof FINDING_KINDS)[number]

/** Where something happened: its frame, from 1, and its epoch and the line of the recording, counted from 0. */
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
  readonly session: number | null
  readonly turn: number | null
  /** The fault at its place, and its subject, such as the call; no detail if the words say it all. */
  readonly why: string
  readonly detail: string
  /** The measure at its place: a count, a share, tokens. 0 without a measure. */
  readonly size: number
  /** The worst that came of it after its place; null if it got no worse. */
  readonly worst: WorseFinding | null
  /** The same for a finding that continues: a call is made once more, or another retry. */
  readonly about: string
  /** When it began, epoch ms: the first of the repeated calls, the last sign before a silence. */
  readonly since: number | null
  readonly place: FindingPlace
}

export interface WorseFinding extends Pick<Finding, "size" | "turn" | "place"> {
  /** Words that follow those of the finding: "up to 92%". */
  readonly words: string
}

export interface FindingLimits {
  /** Longest time without a sign of a model that should answer, ms; null for the usual one. */
  readonly silence: number | null
  /** Number of identical calls in a row, and of retries of a turn. */
  readonly repeats: number
  readonly retries: number
  /** Used share of the context window, 0 to 1. */
  readonly context: number
  /** How many times the input of the turn before a turn's input may be. */
  readonly growth: number
  /** The most that the run may cost in dollars, and the longest it may take in ms; null for no limit. */
  readonly cost: number | null
  readonly duration: number | null
}

/** The usual longest silence in a finished run, ms; a live run has shorter limits. */
export const USUAL_SILENCE_MS = 60_000

export const usualLimits: FindingLimits = {
  silence: null,
  repeats: 3,
  retries: 3,
  context: 0.8,
  growth: 3,
  cost: null,
  duration: null,
}

/** A finding about the whole run; `more` replaces its fields. */
export function findingOf(kind: FindingKind, why: string, place: FindingPlace, more: Partial<Finding>): Finding {
  const bare = { session: null, turn: null, detail: "", size: 0, worst: null, about: why, since: null }
  return { kind, why, place, ...bare, ...more }
}

/** The first findings of a run, and the number of those that were not kept. */
export interface Findings {
  readonly list: readonly Finding[]
  readonly more: number
}

export const noFindings: Findings = { list: [], more: 0 }

const KEPT = 1000
/** The number of latest findings in which an earlier one is searched. */
const REPLACEABLE = 64

/** Adds a finding. One that continues another changes at most its worst: place, turn and words stay together. */
export function withFinding(all: Findings, finding: Finding, grown: string): Findings {
  const { list, more } = all
  const from = Math.max(0, list.length - REPLACEABLE)
  const earlier = list.findLastIndex((one, i) => i >= from && isSame(one, finding))
  const known = list[earlier]
  if (known !== undefined) {
    const { size, turn, place } = finding
    const isKnown = finding.why === known.why || grown === known.worst?.words
    if (isKnown || size < (known.worst ?? known).size) return all
    return { list: list.with(earlier, { ...known, worst: { size, turn, place, words: grown } }), more }
  }
  return list.length < KEPT ? { list: [...list, finding], more } : { list, more: more + 1 }
}

/** Adds a finding unless there is one of its kind, or no room. */
export function withFirstOfKind(all: Findings, finding: Finding): Findings {
  const { list } = all
  const isKnown = list.length >= KEPT || list.some(({ kind }) => kind === finding.kind)
  return isKnown ? all : { ...all, list: [...list, finding] }
}

function isSame(a: Finding, b: Finding): boolean {
  return a.kind === b.kind && a.session === b.session && a.place.epoch === b.place.epoch && a.about === b.about
}

/** A finding in words: the fault, the worst of it, and its subject. */
export function findingWords({ why, detail, turn, worst }: Finding): string {
  const later = worst === null || worst.turn === null || worst.turn === turn ? "" : ` in turn ${worst.turn}`
  const words = worst === null ? why : `${why}, ${worst.words}${later}`
  return detail === "" ? words : `${words}: ${detail}`
}
