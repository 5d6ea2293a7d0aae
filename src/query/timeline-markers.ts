// Collects the markers of the timeline: frames with errors, questions and state changes.
import { at, type ChunkedList, emptyList, firstIndexWhere, pushed, truncated } from "../run/model/chunked-list.ts"
import type { Row, Run } from "../run/model/run.ts"
import { JUMPS } from "./jump.ts"

export interface TimelineMarkers {
  readonly error: ChunkedList<number>
  readonly prompt: ChunkedList<number>
  readonly state: ChunkedList<number>
}

export const noMarkers: TimelineMarkers = { error: emptyList, prompt: emptyList, state: emptyList }

const KINDS = ["error", "prompt", "state"] as const

/** Adds the markers of rows that `after` has and `before` has not. */
export function withMarkers(markers: TimelineMarkers, before: Run, after: Run): TimelineMarkers {
  if (before.log === after.log) return markers
  const { rows } = after.log
  const added: Row[] = []
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = at(rows, i)
    if (row === undefined || row.line < before.frames.lines) break
    added.push(row)
  }
  let next = markers
  for (const row of added.reverse()) {
    const kind = KINDS.find(one => JUMPS[one].test(row))
    if (kind !== undefined) next = { ...next, [kind]: withFrame(next[kind], row.frame) }
  }
  return next
}

/** The markers of the frames up to number `frame`. */
export function markersUpTo({ error, prompt, state }: TimelineMarkers, frame: number): TimelineMarkers {
  const end = (list: ChunkedList<number>): number => firstIndexWhere(list, one => one > frame)
  const upTo = (list: ChunkedList<number>): ChunkedList<number> => truncated(list, end(list))
  return { error: upTo(error), prompt: upTo(prompt), state: upTo(state) }
}

function withFrame(list: ChunkedList<number>, frame: number): ChunkedList<number> {
  const last = list.tail.at(-1) ?? 0
  return frame <= last ? list : pushed(list, frame)
}

/** How many markers the list has from frame `from` up to but not including `to`. */
export function markersIn(list: ChunkedList<number>, from: number, to: number): number {
  const until = (end: number) => firstIndexWhere(list, frame => frame >= end)
  return until(to) - until(from)
}
