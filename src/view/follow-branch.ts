// Follows a re-run of ours: its form closes when the branch starts, keeps its edits when none does, and is followed.
import type { Branch, Decoded } from "../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { KnownDebugger, Run } from "../run/model/run.ts"
import type { View } from "./view.ts"

/** The view after the agent said what became of a re-run, or the same one. `before` is what it said last. */
export function settleRerun(
  view: View,
  before: KnownDebugger | null,
  lines: readonly Decoded[],
  noticeMs: number,
): View {
  if (!view.reruns.some(draft => draft.sentAt !== null)) return view
  let known = before?.branch?.sessionId ?? null
  let next = view
  for (const line of lines) {
    if (line.kind !== "debug") continue
    const { branch, branchError } = line
    if (branchError !== null) next = failed(next, branchError)
    else if (branch != null && branch.sessionId !== known) next = started(next, branch, noticeMs)
    if (branch !== undefined) known = branch?.sessionId ?? null
  }
  return next
}

function failed(view: View, error: string): View {
  const reruns = view.reruns.map(draft => (draft.sentAt === null ? draft : { ...draft, sentAt: null, error }))
  return { ...view, reruns }
}

function started(view: View, branch: Branch, noticeMs: number): View {
  const sent = view.reruns.find(draft => draft.sentAt !== null)
  if (sent === undefined || sent.sentAt === null) return view
  const isItsOwn = (overlay: View["overlays"][number]) =>
    (overlay.type === "rerun" || overlay.type === "review") && overlay.session === sent.session
  const name = branch.sessionId === null ? "" : ` ${sanitizeLine(branch.sessionId)}`
  return {
    ...view,
    reruns: view.reruns.filter(draft => draft !== sent),
    overlays: view.overlays.filter(overlay => !isItsOwn(overlay)),
    notice: { text: `The branch${name} has started`, level: "info", until: sent.sentAt + noticeMs },
    branch: branch.sessionId,
  }
}

/** Selects the session of a branch of ours as soon as it is there. */
export function followBranch(run: Run, view: View): View {
  if (view.branch === null) return view
  const session = run.sessions.findLast(one => one.sessionId === view.branch)
  if (session === undefined) return view
  const group = run.invocations[session.invocation]?.id
  return {
    ...view,
    branch: null,
    selected: { type: "session", session: session.id },
    pinned: true,
    folded: view.folded.filter(one => one !== group),
  }
}
