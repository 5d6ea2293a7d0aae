// Records the branches that a run reports, each with the moment it was first seen.
import type { Branch } from "../../../packages/wire/src/frame.ts"

/** A branch and where in the run it begins: at its session's first event, or until then where it was reported. */
export interface BranchStart {
  readonly branch: Branch
  readonly sessionId: string
  /** Number of that frame, from 1. */
  readonly frame: number
  /** The run's latest `ts` at that frame, epoch ms. */
  readonly ts: number | null
}

/** At most this many branches are kept, so that a hostile agent can't grow the list without end. */
const MOST = 256

/**
 * Adds a new branch, or the report of one known by its session's id. One without a session id is skipped: it can't be
 * told from others.
 */
export function withBranch(
  all: readonly BranchStart[],
  branch: Branch | null,
  at: Pick<BranchStart, "frame" | "ts">,
): readonly BranchStart[] {
  const sessionId = branch?.sessionId ?? null
  if (branch === null || sessionId === null) return all
  const known = all.find(one => one.sessionId === sessionId)
  if (known?.branch.point === null && branch.point !== null) {
    return all.map(one => (one === known ? { ...one, branch } : one))
  }
  if (known !== undefined || all.length >= MOST) return all
  return [...all, { branch, sessionId, ...at }]
}

/** Notes that the session of a branch, if it is one, begins here. */
export function withBegun(
  all: readonly BranchStart[],
  sessionId: string,
  at: Pick<BranchStart, "frame" | "ts">,
): readonly BranchStart[] {
  if (!all.some(one => one.sessionId === sessionId)) return all
  return all.map(one => (one.sessionId === sessionId ? { ...one, ...at } : one))
}
