import { sessionTest } from "../../query/filters.ts"
import type { Run } from "../../run/model/run.ts"
import type { State } from "../state.ts"
import type { Target } from "../view.ts"

/**
 * The rows of the live pane from top to bottom. What is drawn and what the cursor walks over come from here. An
 * invocation with one session is that session's row; any other is a group with its sessions below, unless folded. What
 * does not pass is left out, and a group that nothing is left of.
 */
export function liveRows(
  run: Run,
  folded: readonly number[],
  passes: ((run: Run, session: number) => boolean) | null = null,
): readonly Target[] {
  const rows: Target[] = []
  run.invocations.forEach((invocation, index) => {
    const sessions = passes === null ? invocation.sessions : invocation.sessions.filter(one => passes(run, one))
    const [first] = sessions
    if (first === undefined) return
    if (invocation.sessions.length === 1) {
      rows.push({ type: "session", session: first })
      return
    }
    rows.push({ type: "group", invocation: index })
    if (folded.includes(index)) return
    for (const session of sessions) rows.push({ type: "session", session })
  })
  return rows
}

/** A cache beside the state: no row comes or goes but with a session, or where a group is folded. */
const unfiltered = new WeakMap<
  Run["invocations"],
  { readonly folded: readonly number[]; readonly rows: readonly Target[] }
>()

/** The rows of the live pane that the filters leave. */
export function shownRows({ run, view, zone }: State, folded = view.folded): readonly Target[] {
  const passes = sessionTest(view.filters, zone)
  if (passes !== null) return liveRows(run, folded, passes)
  const known = unfiltered.get(run.invocations)
  if (known?.folded === folded) return known.rows
  const rows = liveRows(run, folded)
  unfiltered.set(run.invocations, { folded, rows })
  return rows
}

export function sameTarget(a: Target | null, b: Target | null): boolean {
  if (a === null || b === null) return a === b
  if (a.type === "group") return b.type === "group" && a.invocation === b.invocation
  return b.type === "session" && a.session === b.session
}

/** The session whose text is shown for a row: a group stands for its most recent one. */
export function sessionOf(run: Run, target: Target | null): number | null {
  if (target === null) return null
  if (target.type === "session") return target.session
  const members = run.invocations[target.invocation]?.sessions ?? []
  const busy = members.findLast(index => run.turnBuffers[index]?.status === "streaming")
  return busy ?? members.at(-1) ?? null
}
