import type { JSX } from "solid-js"
import { Canvas } from "../Canvas.tsx"
import { LineField } from "../LineField.tsx"
import type { Rect } from "../layout.ts"
import { line, span } from "../line.ts"

/** The row in which a person types where to go. */
export function GoTo(props: { rect: Rect }): JSX.Element {
  return (
    <box
      position="absolute"
      left={props.rect.x}
      top={props.rect.y}
      width={props.rect.width}
      height={props.rect.height}
      flexDirection="row"
    >
      <box width={3} flexShrink={0}>
        <Canvas lines={[line(span(" :", "accent"))]} />
      </box>
      <LineField
        scope="line"
        text=""
        placeholder="812  e2/812  #1204  +12.5s  14:03:22  or a condition: state=review, tokens>4000"
        intent={text => ({ type: "typed", text })}
      />
    </box>
  )
}
