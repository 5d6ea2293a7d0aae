// Tells a component where it is drawn.
import { type Accessor, createContext, createEffect, createSignal, onCleanup, useContext } from "solid-js"
import type { SessionOutline } from "../../transcript/session-outline.ts"
import { inside, type Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import type { Place } from "./panel.ts"

export const OutlineContext = createContext<SessionOutline>()

/** The place inside the border of a pane that stands at `rect`. */
export function usePlace(rect: Accessor<Rect>): Accessor<Place> {
  const { context } = useScreen()
  const outline = useContext(OutlineContext)
  if (outline === undefined) throw new Error("OutlineContext: a panel stands outside the screen")
  return () => ({ ...inside(rect()), render: context(), outline })
}

/** The same for a transcript while it is shown, which is drawn again until all that stands on the screen is made. */
export function useTranscriptPlace(rect: Accessor<Rect>): Accessor<Place> {
  const { state } = useScreen()
  const place = usePlace(rect)
  const [parts, setParts] = createSignal(0)
  createEffect(() => {
    parts()
    state()
    if (!place().outline.isUnfinished) return
    const timer = setTimeout(() => setParts(count => count + 1))
    onCleanup(() => clearTimeout(timer))
  })
  return () => {
    parts()
    return place()
  }
}
