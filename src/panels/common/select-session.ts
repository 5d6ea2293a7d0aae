// Selects a session, or that of a log row with the turn that the row is of.
import type { Row } from "../../run/model/run.ts"
import { turnOfRow } from "../../run/select/turn-facts.ts"
import { turned } from "../../view/block-reading.ts"
import { targetOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import type { View } from "../../view/view.ts"
import { transcriptAt } from "./open-tab.ts"

type Shown = Pick<State, "run" | "view">

/** The session is selected and follows its end; a group that hides it unfolds. */
export function selecting({ run, view }: Shown, session: number): Partial<View> {
  const group = run.invocations[run.sessions[session]?.invocation ?? -1]?.id
  const folded = view.folded.filter(one => one !== group)
  return { selected: targetOf(run, session), pinned: true, text: turned(view.text), folded }
}

/** The row's session is selected, and its transcript opens at the row's turn. A row without a session selects none. */
export function selectingRow(state: Shown, row: Row): Partial<View> {
  const inspector = atRow(state, row)
  return inspector === null || row.session === null ? {} : { ...selecting(state, row.session), inspector }
}

/** The inspector with the transcript of the row's session at the row's turn, on its own tab; null without a session. */
export function atRow({ run, view }: Shown, row: Row): View["inspector"] | null {
  const session = run.sessions[row.session ?? -1]
  if (session === undefined) return null
  return { ...view.inspector, ...transcriptAt(session, turnOfRow(session, row)), tab: view.inspector.tab }
}
