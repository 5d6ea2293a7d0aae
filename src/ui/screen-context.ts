import { type Accessor, createContext, createEffect, createSignal, onCleanup, useContext } from "solid-js"
import type { Scope } from "../keys/binding.ts"
import { linesToRecall } from "../run/memory/recalled-frames.ts"
import type { Intent } from "../view/intent.ts"
import { withRecalledTexts } from "../view/recalled-texts.ts"
import type { State } from "../view/state.ts"
import type { Store } from "../view/store.ts"
import type { RenderContext } from "./render-context.ts"
import type { Theme } from "./theme.ts"
import type { Title } from "./title.ts"

/** A text field, and what is asked for with the text that it holds. */
export interface TextField {
  readonly read: () => string
  readonly intent: (text: string) => Intent
}

/** What every component reads, and the one way in which it asks. */
export interface Screen {
  readonly state: Accessor<State>
  readonly look: Accessor<RenderContext>
  readonly theme: Accessor<Theme>
  /** What has the keyboard. */
  readonly scope: Accessor<Scope<never>>
  readonly title: Title
  readonly ask: (intent: Intent) => void
  /** Tells which text field is in front; null when it goes. */
  readonly setField: (field: TextField | null) => void
  /** Tells which field of one line is in front; null when it goes. */
  readonly setLine: (field: TextField | null) => void
}

export const ScreenContext = createContext<Screen>()

export function useScreen(): Screen {
  const screen = useContext(ScreenContext)
  if (screen === undefined) throw new Error("ScreenContext: a component stands outside the screen")
  return screen
}

/** Has the frames of these rows of the log read back before they are drawn, where memory has let go of them. */
export function useRecalled(indexes: () => readonly number[]): void {
  const { state, ask } = useScreen()
  createEffect(() => {
    const lines = linesToRecall(state(), indexes())
    if (lines.length > 0) ask({ type: "recall", lines })
  })
}

/** The one signal over the store: a snapshot, never taken apart and never merged into. */
export function bindStore(store: Store): Accessor<State> {
  const [state, setState] = createSignal(withRecalledTexts(store.get()))
  onCleanup(store.subscribe(() => setState(withRecalledTexts(store.get()))))
  return state
}
