// Opens the transcript of a session in the reader.
import type { Run } from "../../run/model/run.ts"
import { isOpen } from "../../run/session-index.ts"
import { type OutlineReading, readingAt, readingOf } from "../../view/block-reading.ts"
import { change, type Plan } from "../../view/plan-result.ts"
import { withoutPages } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"

/** The reader shows the transcript of a session, and has the focus. */
export function openTranscript({ run, view }: State, index: number, reading?: OutlineReading): Plan {
  const text = reading ?? readingNow({ run, view }, index)
  return change({ reader: { text, reads: "row" }, overlays: withoutPages(view), focus: "text" })
}

/** Where a session's transcript opens: where it was read, else at its latest turn. */
function readingNow({ run, view }: Pick<State, "run" | "view">, index: number): OutlineReading {
  const isRead = view.reader.text.session === run.sessions[index]?.id && view.reader.text.at !== null
  return isRead ? view.reader.text : latestReading(run, view.reader.text, index)
}

/** At the end of a reply that grows; else from the beginning of the last turn on. */
export function latestReading(run: Run, before: OutlineReading, index: number): OutlineReading {
  const session = run.sessions[index]
  const reading = readingOf(before, session?.id ?? null)
  if (session === undefined || isOpen(run.turnBuffers[index])) return reading
  const { at, first } = readingAt(before, session, session.turns)
  return { ...reading, at, first }
}
