// Lays two turns beside each other: word by word, what goes and what comes in each part.
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { TurnRef } from "../../run/model/turn-ref.ts"
import { shortTitle } from "../../run/select/figures.ts"
import { type TurnParts, turnParts } from "../../run/select/turn-parts.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { count } from "../../ui/text-width.ts"
import { diffLines, wordDiff } from "../../ui/word-diff.ts"
import type { State } from "../../view/state.ts"
import { linesText, type Pager } from "./pager-text.ts"

const PARTS = ["system", "messages", "tools", "parameters", "reply"] as const

/** What the last page was made of: it is asked for several times a frame, and finding a difference costs. */
interface Made {
  readonly of: readonly unknown[]
  readonly pager: Pager
}
let made: Made | null = null

/** The page of two turns, of one session or of two. */
export function turnDiffPage(
  state: State,
  before: TurnRef,
  after: TurnRef,
  look: RenderContext,
  columns: number,
): Pager {
  const { run, captures } = state
  const [a, b] = [sessionById(run, before.session), sessionById(run, after.session)]
  const of = [a?.entries, b?.entries, before.turn, after.turn, captures, columns, look.glyphs]
  if (made?.of.every((one, i) => one === of[i])) return made.pager
  const parts = [turnParts(state, before), turnParts(state, after)] as const
  const title = `TURNS  ${nameOf(state, before)} ${look.glyphs.arrow} ${nameOf(state, after)}`
  const pager = { title, text: linesText(pageLines(parts, look, columns)) }
  made = { of, pager }
  return pager
}

function pageLines(
  [before, after]: readonly [TurnParts, TurnParts],
  look: RenderContext,
  columns: number,
): readonly Line[] {
  const notes =
    before.isWhole && after.isWhole
      ? []
      : [line(span("Not every request has a capture: snippets are compared", "warn"))]
  const legend = [line(span("[-what goes-]", "error"), span("  "), span("{+what comes+}", "ok")), ...notes, blank]
  return [...legend, ...PARTS.flatMap(part => partLines(part, before[part], after[part], look, columns))]
}

function partLines(name: string, before: string, after: string, look: RenderContext, columns: number): readonly Line[] {
  const heading = (words: string) => line(span(name, "bright", { bold: true }), span(`  ${words}`, "dim"))
  if (before === "" && after === "") return [heading("none known"), blank]
  if (before === after) return [heading(`the same, ${count(before.length)} characters`), blank]
  const pieces = wordDiff(before, after)
  const words = (kind: "removed" | "added") =>
    pieces.reduce((sum, piece) => sum + (piece.kind === kind ? (piece.text.match(/\S+/g)?.length ?? 0) : 0), 0)
  const size = `${count(words("removed"))} words go, ${count(words("added"))} come`
  return [heading(size), ...diffLines(pieces, columns, look.glyphs), blank]
}

function nameOf({ run }: State, { session: id, turn }: TurnRef): string {
  const session = sessionById(run, id)
  const invocation = run.invocations[session?.invocation ?? -1]
  if (session === undefined || invocation === undefined) return "?"
  const short = invocation.sessions.length > 1 ? ` ${shortTitle(run, invocation, session)}` : ""
  return `${invocation.title}${short} turn ${turn}`
}
