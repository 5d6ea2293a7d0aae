import { keyLines } from "../../keys/hints.ts"
import { keymap } from "../../keys/keymap.ts"
import { indexOfRow } from "../../store/plan-move.ts"
import type { State } from "../../store/state.ts"
import { at } from "../../store/vec.ts"
import type { Page } from "../../store/view.ts"
import { rowDetail, wordsOf } from "../../store/words.ts"
import { blank, type Line, line, span } from "../line.ts"
import type { Look } from "../look.ts"
import { reviewLines } from "../rerun/lines.ts"
import { offset } from "../text.ts"
import { wrap } from "../wrap.ts"
import { askedLines } from "./asked.ts"

export interface Pager {
  readonly title: string
  readonly lines: readonly Line[]
}

/** The whole of what an overlay shows, wrapped to the width; the caller draws the part that fits. */
export function pagerOf(state: State, overlay: Page, look: Look, columns: number): Pager {
  switch (overlay.type) {
    case "help":
      return { title: "KEYS", lines: helpLines(columns) }
    case "review":
      return { title: "RE-RUN  what will change", lines: reviewLines(state, overlay.session, look, columns) }
    case "prompt":
      return { title: "QUESTION", lines: askedLines(state, overlay.key, look, columns) }
    case "entry":
      return entryPage(state, overlay.key, columns)
  }
}

function helpLines(columns: number): readonly Line[] {
  const lines: Line[] = []
  const keyColumns = 14
  let group = ""
  for (const one of keyLines(keymap)) {
    if (one.group !== group)
      lines.push(...(group === "" ? [] : [blank]), line(span(one.group, "bright", { bold: true })))
    group = one.group
    wrap(one.title, columns - keyColumns).forEach((text, i) => {
      lines.push(line(span((i === 0 ? `  ${one.shown}` : "").padEnd(keyColumns), "accent"), span(text)))
    })
  }
  return lines
}

function entryPage(state: State, key: number, columns: number): Pager {
  const { run } = state
  const row = at(run.log.rows, indexOfRow(run, key))
  if (row === undefined) return { title: "ENTRY", lines: [line(span("This row is gone", "dim"))] }
  const words = wordsOf(run, row)
  const time = row.ts === null || run.firstTs === null ? "" : `${offset(row.ts - run.firstTs)}  `
  const name = row.what.kind === "event" ? row.what.name : row.what.kind
  const where = row.seq === null ? "" : `  seq ${row.seq}`
  const head = [
    line(span(`${time}${words.source}  `, "dim"), span(name, "bright", { bold: true }), span(where, "dim")),
    ...wrap(words.text, columns).map(text => line(span(text, row.level === "error" ? "error" : "normal"))),
    blank,
  ]
  return { title: "ENTRY", lines: [...head, ...wrap(rowDetail(row), columns).map(text => line(span(text)))] }
}
