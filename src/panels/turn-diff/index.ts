import { turnPlace } from "../../run/identity/find-by-id.ts"
import { derived } from "../../run/model/derived.ts"
import type { TurnPlace } from "../../run/model/id.ts"
import { sessionName } from "../../run/select/figures.ts"
import { type TurnParts, turnParts } from "../../run/select/turn-parts.ts"
import { refsIn } from "../../run/select/turn-rows.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import { count, counted } from "../../ui/text-width.ts"
import { diffLines, isAnother, wordDiff } from "../../ui/word-diff.ts"
import type { OverlayOf } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText, type Pager } from "../common/pager/pager-text.ts"
import type { Panel, Place } from "../common/panel.ts"

export const turnDiffPanel = {
  overlays: {
    "turn-diff": {
      ...pageOverlay(turnDiffPage),
      refs: ({ run }, { before, after }) => [before, after].flatMap(turn => refsIn(run, turnPlace(run, turn))),
    },
  },
} satisfies Panel

const PARTS = ["model", "system", "messages", "tools", "parameters", "reply"] as const

/** A page is drawn several times a frame, and a diff is expensive. */
const pages = derived<Pager>()

/** The two turns may be of one session or of two. */
function turnDiffPage(
  state: State,
  { before, after }: OverlayOf<"turn-diff">,
  { render: { glyphs }, columns }: Place,
): Pager {
  const { run, captures } = state
  const [one, other] = [turnPlace(run, before), turnPlace(run, after)]
  const [a, b] = [run.sessions[one.session], run.sessions[other.session]]
  const models = [one, other].map(({ session }) => run.turnBuffers[session]?.turn.model)
  return pages([captures, a?.entries, b?.entries, ...models, one.turn, other.turn, columns, glyphs], () => {
    const parts = [turnParts(state, one), turnParts(state, other)] as const
    const title = `TURNS  ${nameOf(state, one)} ${glyphs.arrow} ${nameOf(state, other)}`
    return { title, text: linesText(pageLines(parts, glyphs, columns)) }
  })
}

function pageLines([before, after]: readonly [TurnParts, TurnParts], glyphs: Glyphs, columns: number): readonly Line[] {
  const isWhole = before.isWhole && after.isWhole
  const notes = isWhole ? [] : [line(span("Full text missing for some requests; comparing excerpts", "warn"))]
  const legend = [line(span("[-removed-]", "error"), span("  "), span("{+added+}", "ok")), ...notes, blank]
  return [...legend, ...PARTS.flatMap(part => partLines(part, before[part], after[part], glyphs, columns))]
}

function partLines(name: string, before: string, after: string, glyphs: Glyphs, columns: number): readonly Line[] {
  const bold = (text: string) => span(text, "bright", { bold: true })
  if (before === "" && after === "") return [line(bold(`${name}:`), span(" not recorded", "dim")), blank]
  const heading = (words: string) => line(bold(name), span(`  ${words}`, "dim"))
  if (before === after) return [heading(`unchanged, ${count(before.length)} characters`), blank]
  const pieces = wordDiff(before, after)
  const words = (kind: "removed" | "added") =>
    pieces.reduce((sum, piece) => sum + (piece.kind === kind ? (piece.text.match(/\S+/g)?.length ?? 0) : 0), 0)
  const size = isAnother(pieces)
    ? "little in common: before and after"
    : `${counted(words("removed"), "word")} removed, ${count(words("added"))} added`
  return [heading(size), ...diffLines(pieces, columns, glyphs), blank]
}

function nameOf({ run }: State, { session, turn }: TurnPlace): string {
  const name = sessionName(run, session)
  return name === null ? "?" : `${name} turn ${turn}`
}
