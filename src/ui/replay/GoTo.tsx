import type { JSX } from "solid-js"
import type { Rect } from "../layout.ts"
import { TypedLine } from "../TypedLine.tsx"

/** The row in which a person types where to go. */
export function GoTo(props: { rect: Rect }): JSX.Element {
  return (
    <box
      position="absolute"
      left={props.rect.x + 1}
      top={props.rect.y}
      width={props.rect.width - 1}
      height={props.rect.height}
    >
      <TypedLine columns={props.rect.width - 1} rows={1} />
    </box>
  )
}
