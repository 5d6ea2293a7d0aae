// Collects what stands out in a run: the frames of its errors, its questions and its changes of state.
import type { Row, Run } from "./run.ts"
import { at, emptyVec, type Vec, VecDraft } from "./vec.ts"

/** Frame numbers, each list growing. */
export interface Marks {
  readonly errors: Vec<number>
  readonly prompts: Vec<number>
  readonly states: Vec<number>
}

export const noMarks: Marks = { errors: emptyVec, prompts: emptyVec, states: emptyVec }

/** The marks with those of the rows that `after` has and `before` had not. */
export function marked(marks: Marks, before: Run, after: Run): Marks {
  if (before.log === after.log || before.log.nextKey === after.log.nextKey) return marks
  const { rows } = after.log
  const fresh: Row[] = []
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = at(rows, i)
    if (row === undefined || row.key < before.log.nextKey) break
    fresh.push(row)
  }
  let next = marks
  for (const row of fresh.reverse()) {
    const kind = kindOf(row)
    if (kind !== null) next = { ...next, [kind]: grown(next[kind], row.frame) }
  }
  return next
}

function grown(list: Vec<number>, frame: number): Vec<number> {
  const last = list.tail.at(-1) ?? 0
  if (frame <= last) return list
  const draft = new VecDraft(list)
  draft.push(frame)
  return draft.done()
}

function kindOf({ level, what }: Row): keyof Marks | null {
  if (level === "error") return "errors"
  if (what.kind !== "event") return null
  const { body } = what
  if (body.type === "human-input/start") return "prompts"
  return body.type === "runner/event-processed" && body.entered.length > 0 ? "states" : null
}

/** True where one of the marks lies from frame `from` up to, and not including, frame `to`. */
export function isMarked(list: Vec<number>, from: number, to: number): boolean {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((at(list, middle) ?? 0) < from) low = middle + 1
    else high = middle
  }
  const first = at(list, low)
  return first !== undefined && first < to
}
