// Finds the moment that is in front: that of a log row, else the one shown, with the turn that is read.
import { rowIndex } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import { frameNumber, type Row } from "../../run/model/run.ts"
import type { MomentPlace } from "../../run/select/export-format.ts"
import { turnOfRow } from "../../run/select/turn-facts.ts"
import type { ViewContext } from "../../view/plan-result.ts"
import { readText, shownSession } from "../../view/select/live-rows.ts"
import { isRecording, type State } from "../../view/state.ts"
import { inspectedSession } from "../common/open-tab.ts"
import { pageOf } from "../common/pager/update.ts"

/** The moment in front of the person: that of the row under the log's cursor or of its entry, else the one shown. */
export function momentInFront(state: State, { outline }: ViewContext): MomentPlace {
  const { run } = state
  const row = rowInFront(state)
  if (row !== undefined) {
    const session = run.sessions[row.session ?? -1]
    const turn = session === undefined ? null : Math.max(1, turnOfRow(session, row))
    return {
      frame: row.frame,
      at: nameOf(state, row),
      ts: row.ts ?? run.lastTs,
      session: session === undefined ? null : row.session,
      turn,
    }
  }
  const session = inspectedSession(state) ?? shownSession(state)
  const turns = run.sessions[session ?? -1]?.turns ?? 0
  const { at: cursor } = readText(state)
  const read = outline?.turnAt(cursor === null ? outline.length - 1 : outline.lineOf(cursor)) ?? turns
  const [frame, epoch] = [frameNumber(run), run.epochs.length - 1]
  const name = nameOf(state, { frame, epoch, seq: run.epochs[epoch]?.highest ?? null })
  return { frame, at: name, ts: run.lastTs, session, turn: turns === 0 ? null : Math.max(1, read) }
}

/** Frames of a live run are not numbered as those of its transcript on disk, but their `seq` is the same. */
function nameOf(state: State, { frame, epoch, seq }: Pick<Row, "frame" | "epoch" | "seq">): string {
  return isRecording(state) || seq === null || seq < 0 ? `#${frame}` : `e${epoch + 1}/${seq}`
}

function rowInFront(state: State): Row | undefined {
  const { view, present } = state
  const page = pageOf(state)
  const isLog = view.overlays.length === 0 && view.focus === "log"
  const id = page?.type === "entry" ? page.id : isLog ? view.cursor : null
  return id === null ? undefined : at(present.log.rows, rowIndex(present, id))
}
