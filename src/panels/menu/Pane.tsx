import type { JSX } from "solid-js"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import { Canvas } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import type { Overlay } from "../../view/view.ts"
import { offersOf } from "../export/update.ts"
import { menuOf } from "./items.ts"
import { menuLines } from "./lines.ts"

export type Menu = Extract<Overlay, { readonly type: "menu" | "copy" | "export" }>

export function isMenu(overlay: Overlay): overlay is Menu {
  return overlay.type === "menu" || overlay.type === "copy" || overlay.type === "export"
}

const COLUMNS = 72

/** What can be done, or taken; it lies in the middle and covers no more than it needs. */
export function MenuPane(props: { body: Rect; menu: Menu }): JSX.Element {
  const { state, context } = useScreen()
  const width = () => Math.min(COLUMNS, props.body.width)
  const items = () => {
    const { menu } = props
    if (menu.type === "menu") return menuOf(state(), menu.session)
    return offersOf(state(), menu.type).map(({ title }) => ({ title, why: null }))
  }
  const lines = () => menuLines(items(), props.menu.cursor, context(), width() - 4)
  const rect = (): Rect => {
    const height = Math.min(lines().length + 2, props.body.height)
    const x = Math.floor((props.body.width - width()) / 2)
    return { x, y: props.body.y + Math.floor((props.body.height - height) / 2), width: width(), height }
  }
  const title = () => {
    const { menu } = props
    if (menu.type !== "menu") return menu.type === "copy" ? "COPY" : "EXPORT"
    return sanitizeLine(sessionById(state().run, menu.session)?.sessionId ?? "?")
  }
  return (
    <TitledBox rect={rect()} focused raised title={title()}>
      <Canvas lines={lines()} />
    </TitledBox>
  )
}
