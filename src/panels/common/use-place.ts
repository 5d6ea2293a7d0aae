// Tells a component where it is drawn.
import { type Accessor, createContext, useContext } from "solid-js"
import { inside, type Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import type { Place, Transcripts } from "./panel.ts"

export const TranscriptsContext = createContext<Transcripts>()

/** The place inside the border of a pane that stands at `rect`. */
export function usePlace(rect: Accessor<Rect>): Accessor<Place> {
  const { context } = useScreen()
  const transcripts = useContext(TranscriptsContext)
  if (transcripts === undefined) throw new Error("TranscriptsContext: a panel stands outside the screen")
  return () => ({ ...inside(rect()), render: context(), transcripts })
}
