// A row of the log with all its data.

import { sanitizeLine } from "../../protocol/sanitize.ts"
import { rowIndex } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { at } from "../../run/model/chunked-list.ts"
import { derived } from "../../run/model/derived.ts"
import type { RowId } from "../../run/model/id.ts"
import type { Row } from "../../run/model/run.ts"
import { jsonLines } from "../../run/select/json-lines.ts"
import { rowData, rowName, rowWords } from "../../run/select/row-words.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import { offset, timeOfDay } from "../../ui/text-width.ts"
import { nothing } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { openRow, readingAtRow } from "../common/open-entry.ts"
import { openTranscript } from "../common/open-transcript.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { jsonText, linesText, type Pager, type PageText } from "../common/pager/pager-text.ts"
import type { Panel } from "../common/panel.ts"

export const entryPanel = {
  keys: {
    group: "Find",
    openers: [
      {
        from: ["entry"],
        keys: [
          {
            id: "log/transcript",
            keys: ["enter"],
            title: "open the transcript at the turn of the log row",
            words: "session messages read",
            hint: "transcript",
            when: state => openedRow(state)?.session != null,
          },
        ],
        first: true,
      },
    ],
  },
  updates: {
    "log/transcript": state => {
      const row = openedRow(state)
      const reading = row === undefined ? null : readingAtRow(state, row)
      return row?.session == null || reading === null ? nothing : openTranscript(state, row.session, reading)
    },
  },
  overlays: {
    entry: {
      ...pageOverlay({ text: (state, { id }) => entryPage(state, id) }, "entry"),
      rows: ({ present }, { id }) => [rowIndex(present, id)],
    },
  },
} satisfies Panel

function openedRow(state: State): Row | undefined {
  return at(state.present.log.rows, openRow(state) ?? -1)
}

const entries = derived<PageText>()

function entryPage(state: State, id: RowId): Pager {
  const { present } = state
  const row = recalledRowAt(state, rowIndex(present, id))
  if (row === undefined) return { title: "", text: linesText([line(span("This row no longer exists", "dim"))]) }
  const name = rowName(row)
  const text = entries([row.what], () => jsonText(entryHead(state, row, name), jsonLines(rowData(row))))
  return { title: `${rowWords(present, row).source} · ${sanitizeLine(name)}`, text }
}

function entryHead({ present: run, zone }: State, row: Row, name: string): readonly Line[] {
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
