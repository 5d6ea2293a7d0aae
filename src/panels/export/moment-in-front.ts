// Finds the moment that is in front: that of a log row, else the one shown, with the turn that is read.
import { frameNumber, type Row } from "../../run/model/run.ts"
import type { MomentPlace } from "../../run/select/export-format.ts"
import type { ViewContext } from "../../view/plan-result.ts"
import { isRecording, type State } from "../../view/state.ts"
import { rowInFront, turnInFront } from "../common/in-front.ts"

/** The moment in front of the person: that of the row under the log's cursor or of its entry, else the one shown. */
export function momentInFront(state: State, context: ViewContext): MomentPlace {
  const { run } = state
  const { session, turn } = turnInFront(state, context) ?? { session: null, turn: null }
  const row = rowInFront(state)
  if (row !== null) return { frame: row.frame, at: nameOf(state, row), ts: row.ts ?? run.lastTs, session, turn }
  const [frame, epoch] = [frameNumber(run), run.epochs.length - 1]
  const name = nameOf(state, { frame, epoch, seq: run.epochs[epoch]?.highest ?? null })
  return { frame, at: name, ts: run.lastTs, session, turn }
}

/** Frames of a live run are not numbered as those of its transcript on disk, but their `seq` is the same. */
function nameOf(state: State, { frame, epoch, seq }: Pick<Row, "frame" | "epoch" | "seq">): string {
  return isRecording(state) || seq === null || seq < 0 ? `#${frame}` : `e${epoch + 1}/${seq}`
}
