// Decides what the keys of the list of artifacts do.
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Artifact } from "../../view/directory-files.ts"
import type { Move } from "../../view/intent.ts"
import { alter, nothing, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { ViewContext } from "../../view/view-context.ts"
import { openFile } from "../common/overlays.ts"
import type { SomeUpdates } from "../common/updates.ts"

export const artifactUpdates = {
  "artifacts/open": state => {
    const artifact = artifactUnder(state)
    return artifact === null ? nothing : openFile(state, artifact)
  },
  "artifacts/show": state => {
    const artifact = artifactUnder(state)
    return artifact === null ? nothing : { actions: [], effects: [{ type: "file/open", name: artifact.name }] }
  },
} satisfies SomeUpdates

export function moveArtifacts(state: State, by: Move, context: ViewContext): Plan {
  const all = state.files.artifacts ?? []
  const from = artifactRow(state)
  const to = clamp(from + stepOf(by, from, { ...context, lines: all.length }), 0, Math.max(0, all.length - 1))
  return alter(state.view.inspector, { artifact: all[to]?.name ?? null })
}

/** The row of the artifact under the cursor. */
export function artifactRow({ files, view }: State): number {
  const row = (files.artifacts ?? []).findIndex(one => one.name === view.inspector.artifact)
  return Math.max(0, row)
}

function artifactUnder(state: State): Artifact | null {
  return state.files.artifacts?.[artifactRow(state)] ?? null
}
