// Fits the name of a session into columns.
import type { Run } from "../../run/model/run.ts"
import { sessionName } from "../../run/select/figures.ts"
import { clip, width } from "../../ui/text-width.ts"

/** The name in so many columns. Among siblings, the number is kept and the invocation's name is cut. */
export function sessionNameIn(run: Run, index: number, columns: number, ellipsis: string): string {
  const name = sessionName(run, index) ?? ""
  const session = run.sessions[index]
  const group = run.invocations[session?.invocation ?? -1]
  const isWhole = session === undefined || group === undefined || group.sessions.length === 1
  if (isWhole || width(name) <= columns) return clip(name, columns, ellipsis)
  const label = clip(session.label, columns, ellipsis)
  return `${clip(group.title, Math.max(0, columns - width(label) - 1), ellipsis)} ${label}`
}
