import { createMemo, type JSX } from "solid-js"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { viewsOf } from "../common/place-title.ts"
import { useTranscriptPlace } from "../common/use-place.ts"
import { transcriptEdge, transcriptLines, transcriptTitle } from "./index.ts"

/** The transcript as it streams. */
export function TextPane(props: { rect: Rect; focused: boolean }): JSX.Element {
  const { state } = useScreen()
  const place = useTranscriptPlace(() => props.rect)
  const lines = createMemo(() => transcriptLines(state(), place(), props.focused))
  return (
    <TitledBox
      pane="text"
      rect={props.rect}
      focused={props.focused}
      title={transcriptTitle(state(), place())}
      views={viewsOf("text", state().view)}
      footnote={transcriptEdge(state(), place())}
    >
      <Canvas lines={lines()} />
    </TitledBox>
  )
}
