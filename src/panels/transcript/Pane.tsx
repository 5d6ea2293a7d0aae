import { createMemo, type JSX } from "solid-js"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import { READER, type Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { filters, findEdge } from "../common/keys.ts"
import { viewsOf } from "../common/place-title.ts"
import { useTranscriptPlace } from "../common/use-place.ts"
import { transcriptEdge, transcriptLines, transcriptTitle } from "./index.ts"

/** The transcript as it streams. */
export function TextPane(props: { rect: Rect; focused: boolean }): JSX.Element {
  const { state, scope } = useScreen()
  const place = useTranscriptPlace(() => props.rect)
  const lines = createMemo(() => transcriptLines(state(), place(), props.focused))
  // Where the log has no box, its keys stand here, if they work.
  const hasLog = () => props.rect.x > 0 || props.rect.width === READER || state().view.focus === "log"
  const edge = () => {
    const own = transcriptEdge(state(), place())
    const works = scope().bindings.some(({ id }) => id === filters.id)
    return hasLog() || own === undefined || !works ? own : findEdge(state(), own, place().columns - 4)
  }
  return (
    <TitledBox
      pane="text"
      rect={props.rect}
      focused={props.focused}
      title={transcriptTitle(state(), place())}
      views={viewsOf("text", state().view)}
      footnote={edge()}
    >
      <Canvas lines={lines()} />
    </TitledBox>
  )
}
