// Reads the entries of a run, wherever their texts are.
import { emptyList, firstIndexWhere, slice } from "../model/chunked-list.ts"
import type { TurnPlace } from "../model/id.ts"
import type { Run } from "../model/run.ts"
import type { Entry } from "../model/session.ts"

/** A run, and its entries with their texts, which memory need not hold. */
export interface RunTexts {
  readonly run: Run
  entries(session: number, from: number, to: number): readonly Entry[]
}

/** A run whose texts are all in memory. */
export function textsInMemory(run: Run): RunTexts {
  return { run, entries: (session, from, to) => slice(run.sessions[session]?.entries ?? emptyList, from, to) }
}

/** The entries of a turn. */
export function turnEntries({ run, entries }: RunTexts, { session, turn }: TurnPlace): readonly Entry[] {
  const all = run.sessions[session]?.entries ?? emptyList
  const from = firstIndexWhere(all, entry => entry.turn >= turn)
  const to = firstIndexWhere(all, entry => entry.turn > turn)
  return entries(session, from, to)
}
