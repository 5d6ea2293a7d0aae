// Tells a component where it is drawn.
import { type Accessor, createContext, createEffect, createSignal, onCleanup, useContext } from "solid-js"
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

/** The same for a transcript while it is shown, which is drawn again until all that stands on the screen is made. */
export function useTranscriptPlace(
  rect: Accessor<Rect>,
  width: keyof Transcripts,
  isShown: Accessor<boolean> = () => true,
): Accessor<Place> {
  const { state } = useScreen()
  const place = usePlace(rect)
  const [parts, setParts] = createSignal(0)
  createEffect(() => {
    parts()
    state()
    if (!isShown() || !place().transcripts[width].isUnfinished) return
    const timer = setTimeout(() => setParts(count => count + 1))
    onCleanup(() => clearTimeout(timer))
  })
  return () => {
    parts()
    return place()
  }
}
