// The list of artifacts.
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Artifact } from "../../view/directory-files.ts"
import type { Move } from "../../view/intent.ts"
import { alter, nothing, only, openFile, type Plan, type ViewContext } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { close, help, nextTab, OPEN } from "../common/keys.ts"
import type { Panel } from "../common/panel.ts"
import { artifactLines, artifactRow, artifactsTitle } from "./lines.ts"

const isFilled = ({ files }: State) => (files.artifacts ?? []).length > 0

export const artifactsPanel = {
  keys: {
    group: "Inspector",
    scopes: [
      {
        id: "artifacts",
        kind: "tab",
        keys: [
          { ...OPEN, id: "artifacts/open", when: isFilled },
          {
            id: "artifacts/show",
            keys: ["o"],
            title: "open the artifact in your viewer ($OPENTUI_VIEWER, $VISUAL, $EDITOR)",
            words: "external program show file",
            hint: "open",
            when: isFilled,
          },
          nextTab,
          close,
          help,
        ],
      },
    ],
  },
  updates: {
    "artifacts/open": state => {
      const artifact = artifactUnder(state)
      return artifact === null ? nothing : openFile(state, artifact)
    },
    "artifacts/show": state => {
      const artifact = artifactUnder(state)
      return artifact === null ? nothing : only({ type: "file/open", name: artifact.name })
    },
  },
  tabs: {
    artifacts: {
      scope: "artifacts",
      move: moveArtifacts,
      measure: (_, { rows }) => ({ page: rows, lines: 0 }),
      title: artifactsTitle,
      lines: (state, { render, columns, rows }) => artifactLines(state, render, columns, rows),
    },
  },
} satisfies Panel

function moveArtifacts(state: State, by: Move, context: ViewContext): Plan {
  const all = state.files.artifacts ?? []
  const from = artifactRow(state)
  const to = clamp(from + stepOf(by, from, { ...context, lines: all.length }), 0, Math.max(0, all.length - 1))
  return alter(state.view.inspector, { artifact: all[to]?.name ?? null })
}

function artifactUnder(state: State): Artifact | null {
  return state.files.artifacts?.[artifactRow(state)] ?? null
}
