// The branches of a run as a tree: which turn each runs again, and how they come from one another.
import type { Branch } from "../../protocol/frame.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import type { BranchStart } from "../model/branches.ts"
import type { Run } from "../model/run.ts"
import type { TurnRef } from "../model/turn-ref.ts"
import { sessionName } from "./figures.ts"

/** A row of the tree: a branch, or where `start` is null what it or another branched off. */
export interface BranchRow {
  readonly depth: number
  readonly start: BranchStart | null
  /** Raw id. */
  readonly sessionId: string | null
  /** Its latest session in this run; null where none has it as its id. */
  readonly session: number | null
}

/** The tree, each branch below what it branched off. Only an earlier branch can be a parent: no two are each other's. */
export function branchRows(run: Run): readonly BranchRow[] {
  const { branches } = run
  const earlier = new Map<string | null, BranchStart>()
  const children = new Map<BranchStart | null, BranchStart[]>()
  for (const one of branches) {
    const parent = earlier.get(one.branch.parent) ?? null
    children.set(parent, [...(children.get(parent) ?? []), one])
    earlier.set(one.sessionId, one)
  }
  const under = (parent: BranchStart, depth: number): readonly BranchRow[] =>
    (children.get(parent) ?? []).flatMap(one => rowsOf(one, depth))
  const rowsOf = (one: BranchStart, depth: number): readonly BranchRow[] => [
    { depth, start: one, sessionId: one.sessionId, session: sessionById(run, one.sessionId) },
    ...under(one, depth + 1),
  ]
  const first = children.get(null) ?? []
  const trunks = [...new Set(first.map(({ branch }) => branch.parent))]
  return trunks.flatMap(trunk => [
    { depth: 0, start: null, sessionId: trunk, session: sessionById(run, trunk) },
    ...first.filter(({ branch }) => branch.parent === trunk).flatMap(one => rowsOf(one, 1)),
  ])
}

/** What a row is called, which may be shown: a session by its name, else by its id. */
export function branchName(run: Run, { sessionId }: Pick<BranchRow, "sessionId">): string {
  const session = sessionById(run, sessionId)
  return (session === null ? null : sessionName(run, session)) ?? sanitizeLine(sessionId ?? "the run")
}

/** Which turn a branch runs again, in words; empty where it does not say. */
export function pointWords({ point }: Branch): string {
  if (point === null) return ""
  const turn = point.turn === null ? "" : `turn ${point.turn + 1}`
  return [point.nodeId === null ? "" : sanitizeLine(point.nodeId), turn].filter(one => one !== "").join(", ")
}

/** The turn that a branch runs again beside the one that it branched off; null where one of the two is not known. */
export function branchedTurns(run: Run, { start, session }: BranchRow): readonly [TurnRef, TurnRef] | null {
  const parent = start === null ? null : sessionById(run, start.branch.parent)
  const [before, after] = [parent, session].map(index => run.sessions[index ?? -1]?.id)
  if (start === null || before === undefined || after === undefined) return null
  const turn = (start.branch.point?.turn ?? 0) + 1
  return [
    { session: before, turn },
    { session: after, turn },
  ]
}

function sessionById(run: Run, id: string | null): number | null {
  const index = id === null ? -1 : run.sessions.findLastIndex(one => one.sessionId === id)
  return index < 0 ? null : index
}
