// The list of artifacts.
import type { Panel } from "../common/panel.ts"
import { artifactKeys } from "./keys.ts"
import { artifactLines, artifactsTitle } from "./lines.ts"
import { artifactUpdates, moveArtifacts } from "./update.ts"

export const artifactsPanel = {
  keys: artifactKeys,
  updates: artifactUpdates,
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
