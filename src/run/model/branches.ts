// The branches that a run told of, each from where it was first told of on.
import type { Branch } from "../../protocol/frame.ts"

/** A branch, and where in the run it was first told of. */
export interface BranchStart {
  readonly branch: Branch
  readonly sessionId: string
  /** Number of that frame, counted from 1. */
  readonly frame: number
  /** The run's latest `ts` then, epoch ms. */
  readonly ts: number | null
}

/** Branches that are kept: what a hostile agent tells beyond these is left out. */
const MOST = 256

/** The list with a branch that it does not hold yet; one without an id could not be told from others. */
export function withBranch(
  all: readonly BranchStart[],
  branch: Branch | null,
  at: Pick<BranchStart, "frame" | "ts">,
): readonly BranchStart[] {
  const sessionId = branch?.sessionId ?? null
  if (branch === null || sessionId === null || all.length >= MOST) return all
  if (all.some(one => one.sessionId === sessionId)) return all
  return [...all, { branch, sessionId, ...at }]
}
