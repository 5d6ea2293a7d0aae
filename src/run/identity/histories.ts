// Follows the questions that an event without a name may be about: every history that fits the events. Pure.
import type { History, Settlement } from "../model/prompts.ts"

type Histories = readonly History[]

/** The most histories that are followed. An event that would make more is left out: no question is lost by that. */
const MOST = 256

/** An event ended one of these questions. A question that has ended in every history is left out. */
export function endedOne(histories: Histories, among: readonly string[], to: Settlement): Histories {
  const next = histories.flatMap(history =>
    among.filter(key => !history.has(key)).map((key): History => new Map([...history, [key, to]])),
  )
  return next.length > MOST ? histories : distinct(next, histories)
}

/** The question was open until now. */
export function wasOpen(histories: Histories, key: string): Histories {
  const fitting = histories.filter(history => !history.has(key))
  return fitting.length > 0 ? fitting : renamed(histories, key, null)
}

/** The questions had ended by now, if that may be. */
export function hadEnded(histories: Histories, keys: readonly string[]): Histories {
  const fitting = histories.filter(history => keys.every(key => history.has(key)))
  return fitting.length > 0 ? fitting : histories
}

/** The questions that have ended in every history, and how. */
export function surelyEnded([first, ...others]: Histories): readonly (readonly [string, Settlement])[] {
  return [...(first ?? [])].filter(([key]) => others.every(history => history.has(key)))
}

/** True if the question has ended in some history. */
export function isAmong(histories: Histories, key: string): boolean {
  return histories.some(history => history.has(key))
}

/** The question is known under another key, or, with null, is of no matter any more. */
export function renamed(histories: Histories, key: string, name: string | null): Histories {
  if (!isAmong(histories, key)) return histories
  const rename = ([one, to]: readonly [string, Settlement]): readonly (readonly [string, Settlement])[] =>
    one !== key ? [[one, to]] : name === null ? [] : [[name, to]]
  return distinct(
    histories.map(history => new Map([...history].flatMap(rename))),
    histories,
  )
}

/** Merges histories that end the same questions. Of two ends of a question, a refusal gives way: it may be over. */
function distinct(histories: Histories, otherwise: Histories): Histories {
  const byKeys = new Map<string, History>()
  for (const history of histories) {
    const keys = [...history.keys()].toSorted().join("\n")
    const ends = [...(byKeys.get(keys) ?? [])].filter(([, { state }]) => state !== "open")
    byKeys.set(keys, new Map([...history, ...ends]))
  }
  return byKeys.size === 0 ? otherwise : [...byKeys.values()]
}
