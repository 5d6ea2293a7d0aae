import type { ConversationTurn } from "../../protocol/frame.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import type { SessionId } from "../../run/model/id.ts"
import { blank, clipSpans, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { pad } from "../../ui/text-width.ts"
import { type DiffPiece, diffLines, wordDiff } from "../../ui/word-diff.ts"
import { wrap } from "../../ui/wrap.ts"
import type { RerunField } from "../../view/intent.ts"
import { candidates, meaning } from "../../view/model-name.ts"
import {
  capturedTurn,
  changesOf,
  conversationOf,
  type RerunDraft,
  rerunFields,
  rerunText,
  turnNumbers,
} from "../../view/rerun-draft.ts"
import type { State } from "../../view/state.ts"
import { rerunDraftAt } from "../common/open-rerun.ts"

const NAME_COLUMNS = 14

/** How the re-run stands: why there is nothing to edit yet, what the agent refused, that it is on its way. */
export function rerunStatusLines(state: State, draft: RerunDraft, columns: number): readonly Line[] {
  const say = (text: string, token: "dim" | "error" | "warn") => wrap(text, columns).map(row => line(span(row, token)))
  if (draft.error !== null) return say(`No branch was started: ${draft.error}`, "error")
  if (state.view.ops.some(({ op }) => op === "rerun-from")) return say("Sent; waiting for the branch", "warn")
  if (capturedTurn(state.run, draft) !== null)
    return say("Change what shall be different; Enter shows it before it is sent", "dim")
  const empty = conversationOf(state.run, draft.session) !== null
  return say(empty ? "No turn of this session was captured" : "Waiting for the captured conversation", "warn")
}

/** One row for each field, around the one that is edited; a mark says which differ from the capture. */
export function fieldLines(
  state: State,
  draft: RerunDraft,
  context: RenderContext,
  columns: number,
  rows: number,
): readonly Line[] {
  const captured = capturedTurn(state.run, draft)
  const fields = rerunFields(captured?.turn ?? null)
  const changed = captured === null ? [] : changesOf(captured.turn, draft).map(({ field }) => field)
  const here = Math.max(0, fields.indexOf(draft.field))
  const top = Math.max(0, Math.min(here - Math.floor(rows / 2), fields.length - rows))
  return fields.slice(top, top + rows).map(field => {
    const isHere = field === draft.field
    const mark = span(`${isHere ? context.glyphs.folded : " "} `, "accent")
    const star = span(changed.includes(field) ? "* " : "  ", "warn")
    const name = span(pad(fieldName(state, draft, field), NAME_COLUMNS), isHere ? "bright" : "normal", { bold: isHere })
    const value = span(valueWords(state, draft, field), changed.includes(field) ? "warn" : "dim")
    return { spans: clipSpans([mark, star, name, value], columns, context.glyphs.ellipsis), selected: isHere }
  })
}

/** What a field is called: a message by its place and who said it. */
export function fieldName(state: State, draft: RerunDraft, field: RerunField): string {
  if (typeof field !== "number") return field
  const role = capturedTurn(state.run, draft)?.turn.messages[field]?.role ?? ""
  return `${field + 1} ${sanitizeLine(role)}`
}

/** As much of a value as a row could show. */
function valueWords(state: State, draft: RerunDraft, field: RerunField): string {
  const captured = capturedTurn(state.run, draft)
  if (captured === null) return "–"
  if (field === "turn") {
    const numbers = conversationOf(state.run, draft.session)?.turns.length ?? 0
    return `${captured.number}   (of ${numbers} captured)`
  }
  const text = sanitizeLine(rerunText(captured.turn, draft, field).slice(0, 400))
  return text === "" ? (field === "temperature" ? "as captured" : "–") : text
}

/** What can be picked for the field: turns or models, around the one that is chosen. */
export function pickLines(
  state: State,
  draft: RerunDraft,
  context: RenderContext,
  columns: number,
  rows: number,
): readonly Line[] {
  const captured = capturedTurn(state.run, draft)
  if (captured === null) return []
  const { names, chosen } = draft.field === "turn" ? turns(state, draft, captured.number) : models(state, draft)
  const top = Math.max(0, Math.min(chosen - Math.floor(rows / 2), names.length - rows))
  return names.slice(top, top + rows).map(([name, more], index) => {
    const here = top + index === chosen
    const spans = [
      span(here ? `${context.glyphs.folded} ` : "  ", "accent"),
      span(name, here ? "bright" : "normal", { bold: here }),
      span(more === "" ? "" : `   ${more}`, "dim"),
    ]
    return { spans: clipSpans(spans, columns, context.glyphs.ellipsis), selected: here }
  })
}

interface Picks {
  readonly names: readonly (readonly [name: string, more: string])[]
  /** Index of the chosen one, -1 where it is none of them. */
  readonly chosen: number
}

function turns(state: State, draft: RerunDraft, number: number): Picks {
  const conversation = conversationOf(state.run, draft.session)
  if (conversation === null) return { names: [], chosen: -1 }
  const numbers = turnNumbers(conversation)
  const names = conversation.turns.map((turn, index) => {
    const last = turn.messages.at(-1)?.text ?? ""
    return [`turn ${numbers[index] ?? index}`, sanitizeLine(last.slice(0, 400))] as const
  })
  return { names, chosen: numbers.indexOf(number) }
}

function models(state: State, draft: RerunDraft): Picks {
  const { catalog } = state.run
  const captured = capturedTurn(state.run, draft)
  if (catalog === null || captured === null) return { names: [["Waiting for the model catalog", ""]], chosen: -1 }
  const names = candidates(catalog)
  return {
    names: names.map(name => {
      const stands = meaning(catalog, name)
      return [name, stands === "" || stands === name ? "" : `stands for ${stands}`] as const
    }),
    chosen: names.indexOf(rerunText(captured.turn, draft, "model")),
  }
}

/** What a re-run will change, word by word, and that it costs money: read before it is sent. */
export function reviewLines(
  state: State,
  session: SessionId,
  context: RenderContext,
  columns: number,
): readonly Line[] {
  const draft = rerunDraftAt(state, session)
  const captured = capturedTurn(state.run, draft)
  if (captured === null) return [line(span("The conversation is gone", "warn"))]
  const cost =
    "A re-run calls the model again and costs money. Results of tools that match are taken from the capture; tools that do not match run for real."
  const head = [
    ...wrap(cost, columns).map(text => line(span(text, "warn"))),
    ...wrap("Enter runs it, Esc goes back; your edits stay.", columns).map(text => line(span(text, "dim"))),
    blank,
    line(span(`Turn ${captured.number} runs again`, "bright", { bold: true })),
  ]
  const changes = diffsOf(captured.turn, draft)
  if (changes.length === 0)
    return [...head, blank, line(span("Nothing is changed: it runs as it was captured", "normal"))]
  const parts = changes.flatMap(({ field, pieces }) => [
    blank,
    line(span(fieldName(state, draft, field), "accent", { bold: true })),
    ...diffLines(pieces, columns, context.glyphs),
  ])
  return [...head, ...parts]
}

interface FieldDiff {
  readonly field: RerunField
  readonly pieces: readonly DiffPiece[]
}

const made = new WeakMap<RerunDraft, { readonly turn: ConversationTurn; readonly diffs: readonly FieldDiff[] }>()

/** The diff of each change. Draft and turn are values, so that theirs is made once, however often it is drawn. */
function diffsOf(turn: ConversationTurn, draft: RerunDraft): readonly FieldDiff[] {
  const known = made.get(draft)
  if (known?.turn === turn) return known.diffs
  const diffs = changesOf(turn, draft).map(({ field, before, after }) => ({ field, pieces: wordDiff(before, after) }))
  made.set(draft, { turn, diffs })
  return diffs
}
