// Draws the options of a question.
import type { Prompt } from "../../run/model/prompts.ts"
import { type Click, clipSpans, type Line, line, type Span, span, wrap } from "../../ui/line.ts"
import { clip, width } from "../../ui/text-width.ts"
import type { PromptDraft } from "../../view/questions/draft.ts"
import type { Place } from "../common/panel.ts"
import { foundOptions, isNumbered } from "./choice.ts"

type OptionPlace = Omit<Place, "outline">

/**
 * The options that match what was typed, around the cursor; a mark shows which are picked. Where not all of them fit in
 * full, only the one under the cursor is. If not all are visible, the last row is for finding.
 */
export function optionLines(prompt: Prompt, draft: PromptDraft, place: OptionPlace): readonly Line[] {
  const { columns, rows } = place
  const labels = labelsOf(prompt)
  if (labels.length === 0) return [line(span("No options", "dim"))]
  const shown = prompt.frame.type === "confirm" ? [0, 1] : foundOptions(prompt, draft)
  const searched = isSearched(prompt, draft, rows)
  const room = Math.max(1, searched ? rows - 1 : rows)
  const isWhole = rowsInFull(prompt, shown, columns) <= room
  const one = (at: number): readonly Line[] => {
    const index = shown[at] ?? -1
    return index < 0 ? [] : optionRows(prompt, draft, index, { ...place, isWhole })
  }
  const cursor = Math.max(0, shown.indexOf(draft.cursor))
  const here = one(cursor).slice(0, room)
  const others = room - here.length
  const above = Math.max(Math.min(Math.floor(others / 2), cursor), others - (shown.length - 1 - cursor))
  const top = Math.max(0, cursor - above)
  const before = Array.from({ length: cursor - top }, (_, i) => one(top + i)).flat()
  const after = Array.from({ length: room - here.length - before.length }, (_, i) => one(cursor + 1 + i)).flat()
  if (!searched) return [...before, ...here, ...after]
  const find = clipSpans(findSpans(draft.text, shown.length, labels.length), columns, place.render.glyphs.ellipsis)
  return [...before, ...here, ...after, line(...find)]
}

/** Rows that the options need at most: those of each in full, and one to find. */
export function optionRoom(prompt: Prompt, draft: PromptDraft, columns: number): number {
  const rows = rowsInFull(prompt, [...labelsOf(prompt).keys()], columns)
  return Math.max(1, rows) + (draft.text === "" ? 0 : 1)
}

function rowsInFull(prompt: Prompt, options: readonly number[], columns: number): number {
  const labels = labelsOf(prompt)
  const room = columns - (prompt.frame.type === "multi" ? 8 : 4)
  return options.reduce((sum, index) => sum + wrap(labels[index] ?? "", room).length, 0)
}

function isSearched(prompt: Prompt, draft: PromptDraft, rows: number): boolean {
  return prompt.frame.type !== "confirm" && (draft.text !== "" || (prompt.frame.options.length > rows && rows > 2))
}

function findSpans(text: string, found: number, all: number): readonly Span[] {
  if (text === "") return [span(`${all} options · type to find one`, "dim")]
  return [span("find ", "dim"), span(text, "bright"), span(`  ${found} of ${all}`, "dim")]
}

function labelsOf(prompt: Prompt): readonly string[] {
  const { type, options } = prompt.frame
  return type === "confirm" ? ["Yes", "No"] : options.map(option => option.label.replaceAll("\n", " "))
}

function optionRows(
  prompt: Prompt,
  draft: PromptDraft,
  index: number,
  place: OptionPlace & { readonly isWhole: boolean },
): readonly Line[] {
  const { type } = prompt.frame
  const { glyphs } = place.render
  const label = labelsOf(prompt)[index] ?? ""
  const here = index === draft.cursor
  const box = type === "multi" ? `[${draft.picked.includes(index) ? glyphs.on : glyphs.off}] ` : ""
  const number = isNumbered(prompt) && type !== "confirm" && draft.text === "" ? `${index + 1}` : " "
  const head = `${here ? glyphs.folded : " "} ${number} ${box}`
  const room = place.columns - width(head)
  const texts = here || place.isWhole ? wrap(label, room) : [clip(label, room, glyphs.ellipsis)]
  const click: Click = here ? (type === "multi" ? "space" : "enter") : { type: "prompt/point", index }
  return texts.map((text, i) => {
    const mark = i === 0 ? head : " ".repeat(width(head))
    const spans = [span(mark, here ? "accent" : "dim"), span(text, here ? "bright" : "normal", { bold: here })]
    const fits = texts.length === 1 && width(text) + width(DEFAULT) <= room
    const shown = fits && isDefault(prompt, index) ? [...spans, span(DEFAULT, "dim")] : spans
    return { spans: shown, selected: here, click }
  })
}

const DEFAULT = "  default"

/** Whether this is the default; in a multi prompt the defaults are picked already. */
function isDefault(prompt: Prompt, index: number): boolean {
  const { type, options, default: preset } = prompt.frame
  if (type === "multi" || preset === undefined) return false
  const value = type === "confirm" ? index === 0 : options[index]?.value
  return JSON.stringify(value) === JSON.stringify(preset)
}
