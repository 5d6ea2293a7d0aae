// The overlays of text: the keys, a log row, a question, a file, a review, a comparison of turns.
import { keyLines } from "../../keys/hints.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { rowIndex } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import type { RowId } from "../../run/model/id.ts"
import type { Row } from "../../run/model/run.ts"
import { jsonLines } from "../../run/select/json-lines.ts"
import { rowData, rowName, rowWords } from "../../run/select/row-words.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { offset, timeOfDay } from "../../ui/text-width.ts"
import { wrap } from "../../ui/wrap.ts"
import type { State } from "../../view/state.ts"
import type { Page } from "../../view/view.ts"
import { keymap } from "../keymap.ts"
import { reviewLines } from "../rerun/lines.ts"
import { askedText } from "./asked.ts"
import { filePage } from "./file-text.ts"
import { jsonText, linesText, type Pager, type PageText } from "./pager-text.ts"
import { turnDiffPage } from "./turn-diff.ts"

/** The title and the text of an overlay. */
export function pagerOf(state: State, overlay: Page, context: RenderContext, columns: number): Pager {
  switch (overlay.type) {
    case "help":
      return { title: "KEYS", text: linesText(helpLines(columns)) }
    case "review":
      return {
        title: "RE-RUN  what will change",
        text: linesText(reviewLines(state, overlay.session, context, columns)),
      }
    case "prompt":
      return { title: "QUESTION", text: askedText(state, overlay.key, context, columns) }
    case "turn-diff":
      return turnDiffPage(state, overlay.before, overlay.after, context, columns)
    case "file":
      return filePage(state, overlay.name)
    case "entry":
      return entryPage(state, overlay.id)
  }
}

function helpLines(columns: number): readonly Line[] {
  const lines: Line[] = []
  let group = ""
  for (const one of keyLines(keymap)) {
    if (one.group !== group)
      lines.push(...(group === "" ? [] : [blank]), line(span(one.group, "bright", { bold: true })))
    group = one.group
    const keyColumns = Math.max(14, one.shown.length + 3)
    wrap(one.title, columns - keyColumns).forEach((text, i) => {
      lines.push(line(span((i === 0 ? `  ${one.shown}` : "").padEnd(keyColumns), "accent"), span(text)))
    })
  }
  return lines
}

/** A row that changes is a new object. */
const entries = new WeakMap<Row["what"], PageText>()

function entryPage(state: State, id: RowId): Pager {
  const { run } = state
  const row = recalledRowAt(state, rowIndex(run, id))
  if (row === undefined) return { title: "ENTRY", text: linesText([line(span("This row is gone", "dim"))]) }
  const name = rowName(row)
  const known = entries.get(row.what)
  const text = known ?? jsonText(entryHead(state, row, name), jsonLines(rowData(row)))
  entries.set(row.what, text)
  return { title: `ENTRY  ${rowWords(run, row).source}  ${sanitizeLine(name)}`, text }
}

function entryHead({ run, zone }: State, row: Row, name: string): readonly Line[] {
  const words = rowWords(run, row)
  const time =
    row.ts === null || run.firstTs === null ? "" : `${offset(row.ts - run.firstTs)}  ${timeOfDay(row.ts, zone)}  `
  const epoch = row.epoch > 0 ? `  epoch ${row.epoch + 1}` : ""
  const where = `${row.seq === null ? "" : `  seq ${row.seq}`}${epoch}  frame ${row.frame}`
  // An unknown event has no words but its data, which follow below.
  const plain = row.what.kind === "event" && row.what.body.type === "other"
  const said = words.text === "" || plain ? [] : [line(span(words.text, row.level === "error" ? "error" : "normal"))]
  return [
    line(
      span(`${time}${words.source}  `, "dim"),
      span(sanitizeLine(name), "bright", { bold: true }),
      span(where, "dim"),
    ),
    ...said,
    blank,
  ]
}
