// Tells more of the selected row, in the last line of the live pane.
import { groupIndex } from "../../run/identity/find-by-id.ts"
import type { Run } from "../../run/model/run.ts"
import { noTally } from "../../run/model/tally.ts"
import { groupTokens, sessionName, usageOf } from "../../run/select/figures.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { blank, type Line, line, type RenderContext, span } from "../../ui/line.ts"
import { clip, count, counted } from "../../ui/text-width.ts"
import { sessionOf } from "../../view/select/shown-session.ts"
import type { Target } from "../../view/view.ts"

/** Who the row is and how it stands, in one line. */
export function detailLine(run: Run, target: Target | null, { glyphs }: RenderContext, columns: number): Line {
  if (target === null) return blank
  const words =
    target.type === "session"
      ? identityWords(run, sessionOf(run, target) ?? -1, glyphs)
      : groupWords(run, groupIndex(run, target.invocation) ?? -1, glyphs)
  return line(span(` ${clip(words, columns - 1, glyphs.ellipsis)}`, "dim"))
}

/** Who a session is and how it stands, for the lines below the rows. */
function identityWords(run: Run, index: number, glyphs: Glyphs): string {
  const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || stream === undefined) return ""
  const { input, output } = usageOf(session, stream)
  const parts = [
    stream.model ?? "",
    session.turns === 0 ? "" : `turn ${session.turns}`,
    input === null ? "" : `${count(input)} in`,
    `${count(output ?? 0)} out`,
    session.contextUsed === null ? "" : `context ${Math.round(session.contextUsed * 100)}%`,
    session.stopReason === null ? "" : `last stop: ${session.stopReason}`,
  ]
  const name = sessionName(run, index) ?? ""
  return [name, ...parts.filter(part => part !== "")].join(` ${glyphs.dot} `)
}

/** The same for a group. */
function groupWords(run: Run, group: number, glyphs: Glyphs): string {
  const invocation = run.invocations[group]
  const { counts } = run.tallies[group] ?? noTally
  if (invocation === undefined) return ""
  const parts = [
    invocation.title,
    counted(invocation.sessions.length, "session"),
    `${count(groupTokens(run, invocation))} out`,
    `${count(counts.done)} done`,
    `${count(counts.waiting + counts.streaming + counts.tool)} open`,
    `${count(counts.error)} failed`,
  ]
  return parts.join(` ${glyphs.dot} `)
}
