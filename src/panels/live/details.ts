// Tells more of a run's only session, in the second line of its head.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import type { Run } from "../../run/model/run.ts"
import { sessionName, usageOf } from "../../run/select/figures.ts"
import { blank, type Line, line, type RenderContext, span } from "../../ui/line.ts"
import { clip, count } from "../../ui/text-width.ts"
import type { Target } from "../../view/live-list.ts"

/** Who the session is and how it stands, in one line. */
export function headLine(run: Run, target: Target | undefined, { glyphs }: RenderContext, columns: number): Line {
  const index = target?.type === "session" ? (sessionIndex(run, target.session) ?? -1) : -1
  const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || stream === undefined) return blank
  const { input, output } = usageOf(session, stream)
  const parts = [
    sessionName(run, index) ?? "",
    stream.turn.model ?? "",
    session.turns === 0 ? "" : `turn ${session.turns}`,
    input === null ? "" : `${count(input)} in`,
    `${count(output ?? 0)} out`,
    session.contextUsed === null ? "" : `context ${Math.round(session.contextUsed * 100)}%`,
    session.stopReason === null ? "" : `last stop: ${session.stopReason}`,
  ]
  const words = parts.filter(part => part !== "").join(` ${glyphs.dot} `)
  return line(span(` ${clip(words, columns - 1, glyphs.ellipsis)}`, "dim"))
}
