import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { rowIndex } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { derived } from "../../run/model/derived.ts"
import type { RowId, TurnPlace } from "../../run/model/id.ts"
import type { Row } from "../../run/model/run.ts"
import { jsonLines } from "../../run/select/json-lines.ts"
import { rowData, rowName, rowWords } from "../../run/select/row-words.ts"
import { rowsOfTurn } from "../../run/select/turn-rows.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import { offset, timeOfDay } from "../../ui/text-width.ts"
import { change, notice, without } from "../../view/plan-result.ts"
import { pageIn } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { rowInFront, turnInFront } from "../common/in-front.ts"
import { PLACES } from "../common/keys.ts"
import { entryOf } from "../common/open-entry.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { jsonText, linesText, type Pager, type PageText } from "../common/pager/pager-text.ts"
import { bind, type Panel } from "../common/panel.ts"
import { showData } from "../common/place-title.ts"

export const entryPanel = {
  keys: {
    group: "Find",
    openers: [
      {
        from: ["entry"],
        keys: [
          bind("time/row", ["enter"], "go to the moment of the log row", "back in time here seek", {
            group: "Time",
            hint: "go to this moment",
          }),
        ],
        first: true,
      },
      { from: PLACES, keys: [showData] },
    ],
  },
  updates: {
    "data/toggle": (state, _, context) => {
      if (pageIn(state.view)?.type === "entry") return change({ overlays: without(state, "entry") })
      const row = rowInFront(state) ?? firstRow(state, turnInFront(state, context))
      if (row === undefined) return notice("No data here yet", "info", context.now)
      return change({ overlays: [...state.view.overlays, entryOf(state, row)] })
    },
  },
  overlays: {
    entry: {
      ...pageOverlay((state, { id }) => entryPage(state, id), "entry"),
      rows: ({ present }, { id }) => [rowIndex(present, id)],
    },
  },
} satisfies Panel

/** The first log row of a turn. */
function firstRow({ present }: State, turn: TurnPlace | null): Row | undefined {
  const session = present.sessions[turn?.session ?? -1]
  return turn === null || session === undefined ? undefined : rowsOfTurn(present, turn, session).own[0]
}

const entries = derived<PageText>()

function entryPage(state: State, id: RowId): Pager {
  const { present } = state
  const row = recalledRowAt(state, rowIndex(present, id))
  if (row === undefined) return { title: "", text: linesText([line(span("This row no longer exists", "dim"))]) }
  const name = rowName(row)
  const text = entries([row.what], () => jsonText(entryHead(state, row), jsonLines(rowData(row))))
  return { title: `${rowWords(present, row).source} · ${sanitizeLine(name)}`, text }
}

/** What the title doesn't say: when and where in the run, and the words of the log. */
function entryHead({ present: run, zone }: State, row: Row): readonly Line[] {
  const words = rowWords(run, row)
  const time =
    row.ts === null || run.firstTs === null ? "" : `${offset(row.ts - run.firstTs)}  ${timeOfDay(row.ts, zone)}  `
  const epoch = row.epoch > 0 ? `epoch ${row.epoch + 1}  ` : ""
  const where = `${row.seq === null ? "" : `seq ${row.seq}  `}${epoch}frame ${row.frame}`
  // An unknown event has no words but its data, which follow below.
  const plain = row.what.kind === "event" && row.what.body.type === "other"
  const said = words.text === "" || plain ? [] : [line(span(words.text, row.level === "error" ? "error" : "normal"))]
  return [line(span(`${time}${where}`, "dim")), ...said, blank]
}
