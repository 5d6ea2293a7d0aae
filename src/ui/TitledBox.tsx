// Draws a border with a title around a pane or an overlay.
import type { BorderCharacters, MouseEvent } from "@opentui/core"
import { type JSX, Show } from "solid-js"
import { type SafeText, sanitizeLine } from "../protocol/sanitize.ts"
import type { PaneId } from "../view/pane-names.ts"
import { asciiOf } from "./Canvas.tsx"
import type { Rect } from "./layout.ts"
import { useScreen } from "./screen-context.ts"
import { clip } from "./text-width.ts"

const ASCII_BORDER: BorderCharacters = {
  topLeft: "+",
  topRight: "+",
  bottomLeft: "+",
  bottomRight: "+",
  horizontal: "-",
  vertical: "|",
  topT: "+",
  bottomT: "+",
  leftT: "+",
  rightT: "+",
  cross: "+",
}

/** With fewer rows or columns a border would hold nothing, and would be drawn outside its rectangle. */
const SMALLEST = 3

/** Rows for one turn of the mouse wheel. */
const WHEEL_ROWS = 3

export function TitledBox(props: {
  rect: Rect
  title: string
  focused: boolean
  raised?: boolean
  asks?: boolean
  /** The pane that a click or a turn of the wheel here selects; absent for overlays and questions. */
  pane?: PaneId
  children: JSX.Element
}): JSX.Element {
  const { theme, context, ask } = useScreen()
  const point = (): void => {
    if (props.pane !== undefined) ask({ type: "pane/focus", pane: props.pane })
  }
  const scroll = (event: MouseEvent): void => {
    const direction = event.scroll?.direction
    if (direction !== "up" && direction !== "down") return
    point()
    ask({ type: "cursor/move", by: { unit: "row", count: direction === "up" ? -WHEEL_ROWS : WHEEL_ROWS } })
  }
  const borderColor = () => {
    if (props.asks === true) return theme().borderAsking
    return props.focused ? theme().borderFocused : theme().border
  }
  const title = (): SafeText => {
    const text = ` ${clip(props.title, Math.max(0, props.rect.width - 6), context().glyphs.ellipsis)} `
    return sanitizeLine(context().glyphs.plain ? asciiOf(text) : text)
  }
  return (
    <Show when={props.rect.height >= SMALLEST && props.rect.width >= SMALLEST}>
      <box
        position="absolute"
        left={props.rect.x}
        top={props.rect.y}
        width={props.rect.width}
        height={props.rect.height}
        zIndex={props.raised !== true ? 0 : props.asks === true ? 10 : 20}
        overflow="hidden"
        border
        {...(context().glyphs.plain ? { customBorderChars: ASCII_BORDER } : { borderStyle: "single" as const })}
        borderColor={borderColor()}
        title={title()}
        onMouseDown={point}
        onMouseScroll={scroll}
        paddingLeft={1}
        paddingRight={1}
        {...(props.raised === true ? { backgroundColor: theme().raised } : {})}
      >
        {props.children}
      </box>
    </Show>
  )
}
