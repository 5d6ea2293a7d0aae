// Draws the form of a re-run, and the review of its changes.
import type { ConversationTurn } from "../../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import { derived } from "../../run/model/derived.ts"
import type { SessionId } from "../../run/model/id.ts"
import { blank, type ColorToken, type Line, line, type Span, span, wrapLines } from "../../ui/line.ts"
import { pad } from "../../ui/text-width.ts"
import { type DiffPiece, diffLines, wordDiff } from "../../ui/word-diff.ts"
import type { Intent, RerunField } from "../../view/intent.ts"
import type { State } from "../../view/state.ts"
import { listLines, topRow } from "../common/list/list.ts"
import { type RerunDraft, rerunDraftAt } from "../common/open-rerun.ts"
import type { Place } from "../common/panel.ts"
import { candidates, meaning } from "./model-name.ts"
import {
  capturedTurn,
  changesOf,
  conversationOf,
  emptyWords,
  foreignWords,
  rerunFields,
  rerunPlace,
  rerunText,
  turnNumbers,
} from "./rerun-draft.ts"

const NAME_COLUMNS = 14
const COST =
  "This calls the model again and costs money. Tool calls identical to the recorded ones reuse their results; all others run for real."

/** The form above the field that is edited: its status, its fields, and the name of that one. */
export function formLines(state: State, draft: RerunDraft, place: Place): readonly Line[] {
  const stroke = place.render.glyphs.plain ? "-" : "─"
  const rule = `${stroke}${stroke} ${fieldName(state, draft, draft.field)} `.padEnd(place.columns, stroke)
  const [status, token] = statusWords(state, draft)
  const head = wrapLines(status, place.columns, token)
  const turn = capturedTurn(state.run, draft)?.turn
  return turn === undefined ? head : [...head, ...fieldLines(state, draft, turn, place), line(span(rule, "dim"))]
}

/** Why there is nothing to edit yet, what the agent refused, or that the re-run is on its way. */
function statusWords({ run, view }: State, draft: RerunDraft): readonly [string, ColorToken] {
  if (draft.error !== null) return [`The re-run failed: ${draft.error}`, "error"]
  if (view.control.ops.some(({ op }) => op === "rerun-from")) return ["Sent. Waiting for the agent to start it", "warn"]
  const captured = capturedTurn(run, draft)?.turn ?? null
  const foreign = foreignWords(run, draft, captured)
  if (foreign !== null && !view.control.ops.some(({ op }) => op === "request-conversation")) return [foreign, "warn"]
  if (captured === null) return [emptyWords(run, draft.session) ?? "Loading the conversation…", "warn"]
  if (rerunPlace(run, draft.session) !== null) return ["Edit anything. Enter shows the changes before sending", "dim"]
  return ["Can't re-run: the agent doesn't say where these turns are captured", "warn"]
}

/** One row for each field, in half of the place; a mark says which differ from the capture. */
function fieldLines(state: State, draft: RerunDraft, turn: ConversationTurn, place: Place): readonly Line[] {
  const fields = rerunFields(turn)
  const changed = changesOf(turn, draft).map(({ field }) => field)
  const here = fields.indexOf(draft.field)
  const rows = Math.max(1, Math.min(fields.length, Math.floor(place.rows / 2) - 2))
  const edit = (row: number): Intent => ({ type: "rerun/edit", field: fields[row] ?? "turn" })
  // While a value is picked, only the value under the cursor is marked.
  const isPicked = draft.field === "turn" || draft.field === "model"
  const lines = linesAround(fields, here, { ...place, rows }, edit, (field, isHere) => {
    const isChanged = changed.includes(field)
    const name = pad(fieldName(state, draft, field), NAME_COLUMNS)
    return [
      span(isChanged ? "* " : "  ", "warn"),
      span(name, isHere ? "bright" : "normal", { bold: isHere }),
      span(valueWords(state, draft, field), isChanged ? "warn" : "dim"),
    ]
  })
  return isPicked ? lines.map(one => ({ ...one, selected: false })) : lines
}

/** The rows around the chosen one, an index or -1, and what a click on one of them means. */
function linesAround<T>(
  all: readonly T[],
  chosen: number,
  place: Place,
  clickOf: (row: number) => Intent,
  spansOf: (one: T, here: boolean) => Span[],
): readonly Line[] {
  const top = topRow(chosen, place.rows, all.length)
  return listLines(all, chosen, place, spansOf, top).map((one, i) => ({ ...one, click: clickOf(top + i) }))
}

function fieldName({ run }: State, draft: RerunDraft, field: RerunField): string {
  if (typeof field !== "number") return field
  return `${field + 1} ${sanitizeLine(capturedTurn(run, draft)?.turn.messages[field]?.role ?? "")}`
}

function valueWords({ run }: State, draft: RerunDraft, field: RerunField): string {
  const captured = capturedTurn(run, draft)
  if (captured === null) return "–"
  if (field === "turn") {
    const conversation = conversationOf(run, draft.session)
    const last = conversation === null ? undefined : turnNumbers(conversation).at(-1)
    return `${captured.number + 1} of ${(last ?? captured.number) + 1}`
  }
  const text = sanitizeLine(rerunText(captured.turn, draft, field).slice(0, 400))
  return text === "" ? (field === "temperature" ? "unchanged" : "–") : text
}

/** The turns or models that can be picked for the field, around the one that is chosen. */
export function pickLines(state: State, draft: RerunDraft, place: Place): readonly Line[] {
  const captured = capturedTurn(state.run, draft)
  if (captured === null) return []
  const { names, chosen } = draft.field === "turn" ? turns(state, draft, captured.number) : models(state, draft)
  const choose = (index: number): Intent => ({ type: "rerun/choose", index })
  return linesAround(names, chosen, place, choose, ([name, more], isHere) => [
    span(name, isHere ? "bright" : "normal", { bold: isHere }),
    span(more === "" ? "" : `   ${more}`, "dim"),
  ])
}

interface Picks {
  readonly names: readonly (readonly [name: string, more: string])[]
  readonly chosen: number
}

function turns({ run }: State, draft: RerunDraft, number: number): Picks {
  const conversation = conversationOf(run, draft.session)
  if (conversation === null) return { names: [], chosen: -1 }
  const numbers = turnNumbers(conversation)
  const names = conversation.turns.map((turn, index) => {
    const last = turn.messages.at(-1)?.text ?? ""
    return [`turn ${(numbers[index] ?? index) + 1}`, sanitizeLine(last.slice(0, 400))] as const
  })
  return { names, chosen: numbers.indexOf(number) }
}

function models({ run }: State, draft: RerunDraft): Picks {
  const captured = capturedTurn(run, draft)
  if (run.models.catalog === null || captured === null) return { names: [["Loading models…", ""]], chosen: -1 }
  const names = candidates(run.models.catalog)
  const described = names.map(name => {
    const stands = meaning(run.models.catalog, name)
    return [name, stands === "" || stands === name ? "" : `→ ${stands}`] as const
  })
  return { names: described, chosen: names.indexOf(rerunText(captured.turn, draft, "model")) }
}

/** What a re-run will change, word by word, and that it costs money: read before it is sent. */
export function reviewLines(state: State, session: SessionId, { columns, render }: Place): readonly Line[] {
  const draft = rerunDraftAt(state, session)
  const captured = capturedTurn(state.run, draft)
  if (captured === null) return [line(span("The conversation is no longer available", "warn"))]
  const foreign = foreignWords(state.run, draft, captured.turn)
  const head = [
    line(span(`Re-runs from turn ${captured.number + 1}`, "bright", { bold: true })),
    ...placeLines(state, session, columns),
  ]
  const warnings = [
    blank,
    ...(foreign === null ? [] : wrapLines(foreign, columns, "error")),
    ...wrapLines(COST, columns, "warn"),
    ...wrapLines("Enter starts the re-run. Esc goes back and keeps your edits.", columns, "dim"),
  ]
  const changes = diffsOf(captured.turn, draft)
  if (changes.length === 0) return [...head, line(span("No changes: same input as before")), ...warnings]
  const names = candidates(state.run.models.catalog)
  const model = rerunText(captured.turn, draft, "model").trim()
  const isUnknown = names.length > 0 && !names.some(name => name === model || name.endsWith(` ${model}`))
  const parts = changes.flatMap(({ field, pieces }) => [
    blank,
    line(span(fieldName(state, draft, field), "accent", { bold: true })),
    ...(field === "model" && isUnknown ? wrapLines("Not among the agent's models", columns, "warn") : []),
    ...diffLines(pieces, columns, render.glyphs),
  ])
  return [...head, ...parts, ...warnings]
}

/** Whose turns the agent takes to be meant, if no event of the session says it. */
function placeLines({ run }: State, session: SessionId, columns: number): readonly Line[] {
  const place = rerunPlace(run, session)
  if (place === null || sessionById(run, session)?.capturePlace !== null) return []
  const where = `${sanitizeLine(place.nodeId)}, visit ${place.visit}`
  return wrapLines(`of ${where}: the agent named them, as no event of the session names its capture`, columns, "dim")
}

interface FieldDiff {
  readonly field: RerunField
  readonly pieces: readonly DiffPiece[]
}

/** The review is drawn many times of the same draft and turn, and a diff is expensive. */
const diffed = derived<readonly FieldDiff[]>()

function diffsOf(turn: ConversationTurn, draft: RerunDraft): readonly FieldDiff[] {
  return diffed([draft, turn], () =>
    changesOf(turn, draft).map(({ field, before, after }) => ({ field, pieces: wordDiff(before, after) })),
  )
}
