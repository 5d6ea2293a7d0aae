// Follows a re-run of ours: its form closes when the branch starts, keeps its edits when none does, and is followed.
import type { Branch, Decoded } from "../../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { KnownDebugger, Run } from "../../run/model/run.ts"
import { EFFECT_MS } from "../../view/pending-ops.ts"
import type { Happening } from "../../view/slice.ts"
import { changed, NOTICE_MS, type View } from "../../view/view.ts"
import { reruns } from "../common/open-rerun.ts"

/** The view after a change of the run, or the same one. */
export function followRerun(view: View, happened: Happening): View {
  if (happened.type === "frames") return settled(view, happened.before.debug, happened.frames)
  return happened.type === "shown" ? followBranch(happened.run, view) : view
}

/** The agent's result of a re-run. `before` is the result before. */
function settled(view: View, before: KnownDebugger | null, frames: readonly Decoded[]): View {
  if (!reruns.of(view).drafts.some(draft => draft.sentAt !== null)) return view
  let known = before?.branch?.sessionId ?? null
  let next = view
  for (const line of frames) {
    if (line.kind !== "debug") continue
    const { branch, branchError } = line
    if (branchError !== null) next = failed(next, branchError)
    else if (branch != null && branch.sessionId !== known) next = started(next, branch)
    if (branch !== undefined) known = branch?.sessionId ?? null
  }
  return next
}

function failed(view: View, error: string): View {
  const drafts = reruns.of(view).drafts.map(one => (one.sentAt === null ? one : { ...one, sentAt: null, error }))
  return changed(view, reruns.put(view, { drafts }))
}

function started(view: View, branch: Branch): View {
  const { drafts } = reruns.of(view)
  const sent = drafts.find(draft => draft.sentAt !== null)
  if (sent === undefined || sent.sentAt === null) return view
  const isItsOwn = (overlay: View["overlays"][number]) =>
    (overlay.type === "rerun" || overlay.type === "review") && overlay.session === sent.session
  const name = branch.sessionId === null ? "" : ` ${sanitizeLine(branch.sessionId)}`
  const until = sent.sentAt + EFFECT_MS + NOTICE_MS
  return changed(view, {
    ...reruns.put(view, { drafts: drafts.filter(draft => draft !== sent), branch: branch.sessionId }),
    overlays: view.overlays.filter(overlay => !isItsOwn(overlay)),
    notice: { text: `The branch${name} has started`, level: "info", until },
  })
}

/** Selects the session of a branch of ours as soon as it is there. */
function followBranch(run: Run, view: View): View {
  const { branch } = reruns.of(view)
  const session = branch === null ? undefined : run.sessions.findLast(one => one.sessionId === branch)
  if (session === undefined) return view
  const group = run.invocations[session.invocation]?.id
  return changed(view, {
    ...reruns.put(view, { branch: null }),
    list: {
      selected: { type: "session", session: session.id },
      pinned: true,
      folded: view.list.folded.filter(one => one !== group),
    },
  })
}
