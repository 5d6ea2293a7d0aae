// Tells more of the selected row, in two lines below the rows of the live pane.
import { groupIndex } from "../../run/identity/find-by-id.ts"
import type { Run } from "../../run/model/run.ts"
import type { Stage } from "../../run/model/session.ts"
import { isAmongOpen, noTally } from "../../run/model/tally.ts"
import { groupTokens, sessionName, usageOf } from "../../run/select/figures.ts"
import { barStages, runRange } from "../../run/select/waterfall.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { blank, type ColorToken, type Line, line, type RenderContext, span } from "../../ui/line.ts"
import { clip, count, counted, duration, width } from "../../ui/text-width.ts"
import { sessionOf } from "../../view/select/live-rows.ts"
import type { Target } from "../../view/view.ts"

/** Who the row is and how it stands, and a strip of the session's own time. */
export function detailLines(run: Run, target: Target | null, context: RenderContext, columns: number): readonly Line[] {
  const { glyphs } = context
  if (target === null) return []
  if (target.type !== "session") {
    const words = groupWords(run, groupIndex(run, target.invocation) ?? -1, glyphs)
    return [line(span(` ${clip(words, columns - 1, glyphs.ellipsis)}`, "dim")), blank]
  }
  const index = sessionOf(run, target) ?? -1
  const words = identityWords(run, index, glyphs)
  return [line(span(` ${clip(words, columns - 1, glyphs.ellipsis)}`, "dim")), stripLine(run, index, context, columns)]
}

/** What the session did since it began, and how long that is. */
function stripLine(run: Run, index: number, { glyphs, now, goneMs }: RenderContext, columns: number): Line {
  const session = run.sessions[index]
  const whole = runRange(run, now)
  if (session === undefined || session.beganTs === null || whole === null) return blank
  const end = Math.max(session.lastTs ?? 0, run.turnBuffers[index]?.lastTs ?? 0)
  const isOn = isAmongOpen(run.tally, index) || session.pendingCalls.length > 0
  const range = { from: session.beganTs, to: Math.max(session.beganTs + 1, isOn ? whole.to : end) }
  const words = ` ${duration(range.to - range.from)}`
  const room = columns - 1 - width(words)
  if (room < 10) return blank
  const strip = barStages(run, index, range, room, whole.to).map(stage => stageGlyph(stage, glyphs))
  const hue: ColorToken = goneMs == null ? `hue${session.invocation}` : "dim"
  return line(span(` ${strip.join("")}`, hue), span(words, "dim"))
}

function stageGlyph(stage: Stage | null, glyphs: Glyphs): string {
  switch (stage?.kind) {
    case "first-token":
      return glyphs.barEmpty
    case "generation":
      return glyphs.barFull
    case "tool":
      return "="
    case "human":
      return glyphs.asks
    case "failed":
      return glyphs.error
    case "waiting":
    case "over":
    case undefined:
      return glyphs.dot
  }
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
