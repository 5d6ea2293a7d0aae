// Holds the hits of a search in the whole run, or in all runs beside it.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Run } from "../../run/model/run.ts"
import { promptTexts, type TextKind } from "../../run/select/event-texts.ts"
import type { SearchScope } from "../../view/effect.ts"
import { createSlice } from "../../view/slice.ts"
import type { View, ViewChange } from "../../view/view.ts"

/** Where a text was found. All of it but the ids and the file may be shown. */
export interface FoundText {
  /** Its run, where it is another: how it is called, and its directory, raw. */
  readonly run: { readonly title: string; readonly directory: string } | null
  readonly who: string
  /** Raw ids; null where they are not known. */
  readonly invokeid: string | null
  readonly sessionId: string | null
  readonly turn: number | null
  readonly what: TextKind | "artifact"
  /** The file, below the run's directory, raw, and the line in it, from 1. */
  readonly file: string
  readonly line: number
  /** One line around what was found, and where in it that stands, in UTF-16 units. */
  readonly excerpt: string
  readonly from: number
  readonly to: number
}

export type Found = Pick<SearchResults, "hits" | "why" | "share" | "isOver">

export interface SearchResults {
  readonly text: string
  readonly scope: SearchScope
  /** By their runs and files; what spans streamed texts comes last. At most `MOST_FOUND`. */
  readonly hits: readonly FoundText[]
  readonly isOver: boolean
  /** How much of the recording was searched for all there is, from 0 to 1; of the one that is searched now. */
  readonly share: number
  /** What could not be read, in one line; the latest. */
  readonly why: string | null
}

/** The last search in the whole run or in all runs; null before any. */
export const searches = createSlice<{ readonly last: SearchResults | null }>("search", { last: null })

/** The change of a view that shows what its search has found by now. */
export function withFound(view: View, found: Found): ViewChange {
  const { last } = searches.of(view)
  return last === null ? {} : searches.put(view, { last: { ...last, ...found } })
}

/** Most hits of a search; it ends with the last of them. */
export const MOST_FOUND = 1000

/** The index of the session that said it; null where it is not known at the moment shown. */
export function sessionOfHit(run: Run, { invokeid, sessionId }: FoundText): number | null {
  if (sessionId === null) return null
  const index = run.sessions.findIndex(
    one => one.sessionId === sessionId && run.invocations[one.invocation]?.invokeid === invokeid,
  )
  return index < 0 ? null : index
}

/** The question that a hit stands in, null where it is in none. */
export function promptOfHit(run: Run, { what, invokeid, excerpt }: FoundText): Prompt | null {
  if (what !== "question") return null
  const text = excerpt.replace(/^…|…$/g, "")
  const has = ({ asker, frame }: Prompt): boolean =>
    asker === invokeid && promptTexts(frame).some(one => sanitizeLine(one.text).includes(text))
  return run.prompts.find(has) ?? null
}
