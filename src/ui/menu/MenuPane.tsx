import type { JSX } from "solid-js"
import { inertLine } from "../../protocol/inert.ts"
import type { Overlay } from "../../store/view.ts"
import { useScreen } from "../bind.ts"
import { Canvas } from "../Canvas.tsx"
import type { Rect } from "../layout.ts"
import { Pane } from "../Pane.tsx"
import { menuLines } from "./lines.ts"

export type Menu = Extract<Overlay, { readonly type: "menu" }>

const COLUMNS = 72

/** What can be done with a session; it lies in the middle and covers no more than it needs. */
export function MenuPane(props: { body: Rect; menu: Menu }): JSX.Element {
  const { state, look } = useScreen()
  const width = () => Math.min(COLUMNS, props.body.width)
  const lines = () => menuLines(state(), props.menu, look(), width() - 4)
  const rect = (): Rect => {
    const height = Math.min(lines().length + 2, props.body.height)
    const x = Math.floor((props.body.width - width()) / 2)
    return { x, y: props.body.y + Math.floor((props.body.height - height) / 2), width: width(), height }
  }
  const title = () => inertLine(state().run.sessions[props.menu.session]?.sessionId ?? "?")
  return (
    <Pane rect={rect()} focused raised title={title()}>
      <Canvas lines={lines()} />
    </Pane>
  )
}
