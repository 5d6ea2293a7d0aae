// The text of a session: as a pane, and full screen.
import type { TranscriptText } from "../../transcript/transcript.ts"
import { readText, shownSession } from "../../view/select/asker.ts"
import type { State } from "../../view/state.ts"
import type { FrontContext, FrontPanel, Panel } from "../common/panel.ts"
import type { Place } from "../common/place.ts"
import { readerKeys } from "./keys.ts"
import { foldText, moveText } from "./update.ts"

export const sessionTextPanel = {
  keys: readerKeys,
  panes: { text: front("panes", "pane") },
  overlays: {
    reader: {
      drawn: { type: "reader" },
      front: () => front("reader", "reader"),
      kept: { type: "reader" },
    },
  },
} satisfies Panel

function front(scope: string, transcript: "pane" | "reader"): FrontPanel {
  return {
    scope,
    move: moveText,
    fold: foldText,
    measure: (state, place) => measure(state, place, place.transcripts[transcript]),
  }
}

function measure(state: State, { columns, rows, render }: Place, transcript: TranscriptText): FrontContext {
  const session = shownSession(state)
  if (session === null) return { page: rows, lines: 0 }
  transcript.update(state.run, { ...readText(state), session }, { columns, rows }, render)
  return { page: rows, lines: transcript.length, text: transcript }
}
