// Arranges the branches of a run as a tree and names the turn each one re-runs.
import type { Branch } from "../../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { turnIdOf } from "../identity/find-by-id.ts"
import type { BranchStart } from "../model/branches.ts"
import { itemAt } from "../model/chunked-list.ts"
import type { TurnRef } from "../model/id.ts"
import type { Run } from "../model/run.ts"
import { sessionName } from "./figures.ts"

/** A row of the tree: a branch, or a session that was branched from, if `start` is null. */
export interface BranchRow {
  readonly depth: number
  readonly start: BranchStart | null
  readonly sessionId: string | null
  /** Its latest session in this run; null if there is none. */
  readonly session: number | null
}

/** The tree, each branch below its parent. Only an earlier branch can be a parent, so there are no cycles. */
export function branchRows(run: Run): readonly BranchRow[] {
  const { branches } = run.facts
  const earlier = new Map<string | null, BranchStart>()
  const children = new Map<BranchStart | null, BranchStart[]>()
  for (const one of branches) {
    const parent = earlier.get(one.branch.parent) ?? null
    children.set(parent, [...(children.get(parent) ?? []), one])
    earlier.set(one.sessionId, one)
  }
  const rowsBelow = (parent: BranchStart, depth: number): readonly BranchRow[] =>
    (children.get(parent) ?? []).flatMap(one => rowsOf(one, depth))
  const rowsOf = (one: BranchStart, depth: number): readonly BranchRow[] => [
    { depth, start: one, sessionId: one.sessionId, session: sessionById(run, one.sessionId) },
    ...rowsBelow(one, depth + 1),
  ]
  const first = children.get(null) ?? []
  const trunks = [...new Set(first.map(({ branch }) => branch.parent))]
  return trunks.flatMap(trunk => [
    { depth: 0, start: null, sessionId: trunk, session: sessionById(run, trunk) },
    ...first.filter(({ branch }) => branch.parent === trunk).flatMap(one => rowsOf(one, 1)),
  ])
}

/** The name of a row: the session's name, else its id. May be shown. */
export function branchName(run: Run, { sessionId }: Pick<BranchRow, "sessionId">): string {
  const session = sessionById(run, sessionId)
  return (session === null ? null : sessionName(run, session)) ?? sanitizeLine(sessionId ?? "the run")
}

/** The turn that a branch re-runs, in words; empty if it does not say. */
export function branchPointWords({ point }: Branch): string {
  if (point === null) return ""
  const turn = point.turn === null ? "" : `turn ${point.turn + 1}`
  return [point.nodeId === null ? "" : sanitizeLine(point.nodeId), turn].filter(one => one !== "").join(", ")
}

/** The turn that a branch re-runs and the turn it branched from; null if one of the two is unknown. */
export function branchedTurns(run: Run, { start, session }: BranchRow): readonly [TurnRef, TurnRef] | null {
  const parent = start === null ? null : sessionById(run, start.branch.parent)
  const [before, after] = [parent, session].map(index => itemAt(run.sessions, index))
  if (start === null || before === undefined || after === undefined) return null
  const turn = (start.branch.point?.turn ?? 0) + 1
  return [
    { session: before.id, turn: turnIdOf(before, turn) },
    { session: after.id, turn: turnIdOf(after, turn) },
  ]
}

function sessionById(run: Run, id: string | null): number | null {
  const index = id === null ? -1 : run.sessions.findLastIndex(one => one.sessionId === id)
  return index < 0 ? null : index
}
