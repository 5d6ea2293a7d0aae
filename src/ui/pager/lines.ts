import { keyLines } from "../../keys/hints.ts"
import { keymap } from "../../keys/keymap.ts"
import { inertLine } from "../../protocol/inert.ts"
import { jsonLines } from "../../store/json-lines.ts"
import { indexOfRow } from "../../store/log-rows.ts"
import { rowAt } from "../../store/recall.ts"
import type { Row } from "../../store/run.ts"
import type { State } from "../../store/state.ts"
import type { Page } from "../../store/view.ts"
import { rowData, rowName, wordsOf } from "../../store/words.ts"
import { blank, type Line, line, span } from "../line.ts"
import type { Look } from "../look.ts"
import { reviewLines } from "../rerun/lines.ts"
import { offset, timeOfDay } from "../text.ts"
import { wrap } from "../wrap.ts"
import { askedText } from "./asked.ts"
import { filePage } from "./file.ts"
import { jsonText, linesText, type Pager, type PageText } from "./text.ts"
import { turnDiffPage } from "./turn-diff.ts"

/** What an overlay of text shows; the caller draws the part that is seen. */
export function pagerOf(state: State, overlay: Page, look: Look, columns: number): Pager {
  switch (overlay.type) {
    case "help":
      return { title: "KEYS", text: linesText(helpLines(columns)) }
    case "review":
      return { title: "RE-RUN  what will change", text: linesText(reviewLines(state, overlay.session, look, columns)) }
    case "prompt":
      return { title: "QUESTION", text: askedText(state, overlay.key, look, columns) }
    case "turn-diff":
      return turnDiffPage(state, overlay.before, overlay.after, look, columns)
    case "file":
      return filePage(state, overlay.name)
    case "entry":
      return entryPage(state, overlay.key)
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

/** A row is one value for as long as it is there, and laid out once. */
const entries = new WeakMap<Row["what"], PageText>()

function entryPage(state: State, key: number): Pager {
  const { run } = state
  const row = rowAt(state, indexOfRow(run, key))
  if (row === undefined) return { title: "ENTRY", text: linesText([line(span("This row is gone", "dim"))]) }
  const name = rowName(row)
  const known = entries.get(row.what)
  const text = known ?? jsonText(entryHead(state, row, name), jsonLines(rowData(row)))
  entries.set(row.what, text)
  return { title: `ENTRY  ${wordsOf(run, row).source}  ${inertLine(name)}`, text }
}

function entryHead({ run, zone }: State, row: Row, name: string): readonly Line[] {
  const words = wordsOf(run, row)
  const time =
    row.ts === null || run.firstTs === null ? "" : `${offset(row.ts - run.firstTs)}  ${timeOfDay(row.ts, zone)}  `
  const epoch = row.epoch > 0 ? `  epoch ${row.epoch + 1}` : ""
  const where = `${row.seq === null ? "" : `  seq ${row.seq}`}${epoch}  frame ${row.frame}`
  // An event that nobody knows has no words but its data, which stand below.
  const plain = row.what.kind === "event" && row.what.body.type === "other"
  const said = words.text === "" || plain ? [] : [line(span(words.text, row.level === "error" ? "error" : "normal"))]
  return [
    line(span(`${time}${words.source}  `, "dim"), span(inertLine(name), "bright", { bold: true }), span(where, "dim")),
    ...said,
    blank,
  ]
}
