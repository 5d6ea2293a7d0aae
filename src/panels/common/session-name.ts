// Fits the name of a session into columns.
import type { Run } from "../../run/model/run.ts"
import { sessionName, shortTitle } from "../../run/select/figures.ts"
import { clip, clipMiddle, width } from "../../ui/text-width.ts"

/** Columns that the name of an invocation keeps at least beside that of a session. */
const TITLE = 5

/** The name in so many columns. Among siblings, the part that differs gets more of them. */
export function sessionNameIn(run: Run, index: number, columns: number, ellipsis: string): string {
  const name = sessionName(run, index) ?? ""
  const session = run.sessions[index]
  const group = run.invocations[session?.invocation ?? -1]
  const isWhole = session === undefined || group === undefined || group.sessions.length === 1
  if (isWhole || width(name) <= columns) return clip(name, columns, ellipsis)
  const room = Math.max(0, columns - Math.min(width(group.title), TITLE) - 1)
  const short = clipMiddle(shortTitle(run, group, session), room, ellipsis)
  return `${clip(group.title, columns - width(short) - 1, ellipsis)} ${short}`
}
