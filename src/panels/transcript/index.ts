// The transcript of a session in the inspector.
import type { Panel } from "../common/panel.ts"
import { transcriptKeys } from "./keys.ts"
import { outlineAt, transcriptLines, transcriptTitle } from "./lines.ts"
import { findInTranscript, foldTranscript, moveTranscript, transcriptUpdates } from "./update.ts"

export const transcriptPanel = {
  keys: transcriptKeys,
  updates: transcriptUpdates,
  tabs: {
    transcript: {
      scope: "transcript",
      move: moveTranscript,
      fold: foldTranscript,
      finder: {
        take: (state, text, context) => findInTranscript(state, text, 1, context),
        step: (state, step, context) => findInTranscript(state, state.view.inspector.find, step, context),
      },
      measure(state, place) {
        const outline = outlineAt(state, place)
        return { page: place.rows, lines: outline.length, outline }
      },
      title: transcriptTitle,
      lines: transcriptLines,
    },
  },
} satisfies Panel
