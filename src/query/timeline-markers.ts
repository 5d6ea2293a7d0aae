// Collects what stands out in a run: the frames of its errors, its questions and its changes of state.

import { at, type ChunkedList, emptyList, firstIndexWhere, pushed } from "../run/model/chunked-list.ts"
import type { Row, Run } from "../run/model/run.ts"
import { isJumpTarget } from "./jump.ts"

/** Frame numbers, each list growing. */
export interface TimelineMarkers {
  readonly error: ChunkedList<number>
  readonly prompt: ChunkedList<number>
  readonly state: ChunkedList<number>
}

export const noMarkers: TimelineMarkers = { error: emptyList, prompt: emptyList, state: emptyList }

const KINDS = ["error", "prompt", "state"] as const

/** The marks with those of the rows that `after` has and `before` had not. */
export function withMarkers(marks: TimelineMarkers, before: Run, after: Run): TimelineMarkers {
  if (before.log === after.log) return marks
  const { rows } = after.log
  const fresh: Row[] = []
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = at(rows, i)
    if (row === undefined || row.line < before.frames.lines) break
    fresh.push(row)
  }
  let next = marks
  for (const row of fresh.reverse()) {
    const kind = KINDS.find(one => isJumpTarget(one, row))
    if (kind !== undefined) next = { ...next, [kind]: grown(next[kind], row.frame) }
  }
  return next
}

function grown(list: ChunkedList<number>, frame: number): ChunkedList<number> {
  const last = list.tail.at(-1) ?? 0
  return frame <= last ? list : pushed(list, frame)
}

/** True where one of the marks lies from frame `from` up to, and not including, frame `to`. */
export function hasMarkerIn(list: ChunkedList<number>, from: number, to: number): boolean {
  const first = at(
    list,
    firstIndexWhere(list, frame => frame >= from),
  )
  return first !== undefined && first < to
}
