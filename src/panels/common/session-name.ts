// Names a session by its invocation, and where that has several, by what tells them apart.
import type { Run } from "../../run/model/run.ts"
import type { Session } from "../../run/model/session.ts"
import { shortTitle } from "../../run/select/figures.ts"
import { clip, clipMiddle, width } from "../../ui/text-width.ts"

/** Columns that the name of an invocation keeps at least beside that of a session. */
const TITLE = 5

/** Who it is: the invocation, and where it has several sessions, which of them. */
export function sessionName(run: Run, session: Session): string {
  const invocation = run.invocations[session.invocation]
  if (invocation === undefined) return session.title
  return invocation.sessions.length === 1
    ? invocation.title
    : `${invocation.title} ${shortTitle(run, invocation, session)}`
}

/** The same in so many columns: of siblings what tells them apart is worth more than what they have in common. */
export function sessionNameIn(run: Run, session: Session, columns: number, ellipsis: string): string {
  const name = sessionName(run, session)
  const group = run.invocations[session.invocation]
  if (group === undefined || group.sessions.length === 1 || width(name) <= columns) return clip(name, columns, ellipsis)
  const room = Math.max(0, columns - Math.min(width(group.title), TITLE) - 1)
  const short = clipMiddle(shortTitle(run, group, session), room, ellipsis)
  return `${clip(group.title, columns - width(short) - 1, ellipsis)} ${short}`
}
