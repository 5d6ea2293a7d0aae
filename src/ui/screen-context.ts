// Gives components the state and the way to send intents.
import { type Accessor, createContext, useContext } from "solid-js"
import type { Scope } from "../keys/binding.ts"
import type { Row } from "../run/model/run.ts"
import type { Intent } from "../view/intent.ts"
import type { PaneId } from "../view/pane-names.ts"
import type { State } from "../view/state.ts"
import type { Click, RenderContext, Title } from "./line.ts"
import type { Theme } from "./theme.ts"

export interface TextField {
  readonly read: () => string
  readonly intent: (text: string) => Intent
}

/** What a click or the wheel acts on: the pane around it, and whether something lies over it. */
export interface Area {
  readonly pane?: PaneId
  readonly isCovered: Accessor<boolean>
  /** Whether keys go there. */
  readonly isFocused: Accessor<boolean>
}

export const AreaContext = createContext<Area>({ isCovered: () => false, isFocused: () => true })

export interface Screen {
  readonly state: Accessor<State>
  /** The state as figures are drawn from it: not every change of theirs is seen. */
  readonly calm: Accessor<State>
  readonly context: Accessor<RenderContext>
  readonly theme: Accessor<Theme>
  readonly scope: Accessor<Scope<never>>
  readonly title: Title
  readonly ask: (intent: Intent) => void
  readonly click: (click: Click) => void
  /** Reports which rows of the log are on the screen; null when it goes. */
  readonly showRows: (rows: readonly Row[] | null) => void
  /** Registers a text field; gives the function that removes it. */
  readonly addField: (field: TextField) => () => void
}

export const ScreenContext = createContext<Screen>()

/** The state and the way to send intents, for a component on the screen; throws elsewhere. */
export function useScreen(): Screen {
  const screen = useContext(ScreenContext)
  if (screen === undefined) throw new Error("useScreen: the component is not inside ScreenContext")
  return screen
}
