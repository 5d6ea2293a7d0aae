import { ErrorBoundary, type JSX } from "solid-js"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { Canvas, TitledBox } from "../ui/Canvas.tsx"
import type { Rect } from "../ui/layout.ts"
import { type Line, line, span, wrap } from "../ui/line.ts"

/** Keeps a fault to its pane: what threw is shown in its place, and all others live (docs/opentui.md). */
export function FaultBoundary(props: { rect: Rect; children: JSX.Element }): JSX.Element {
  return (
    <ErrorBoundary
      fallback={(fault: unknown) => (
        <TitledBox rect={props.rect} focused={false} title="FAULT">
          <Canvas lines={faultLines(fault, props.rect.width - 4)} />
        </TitledBox>
      )}
    >
      {props.children}
    </ErrorBoundary>
  )
}

function faultLines(fault: unknown, columns: number): readonly Line[] {
  const words = fault instanceof Error ? fault.message : String(fault)
  const text = `Can't draw this pane: ${sanitizeLine(words)}. Your run is fine.`
  return wrap(text, columns).map(one => line(span(one, "error")))
}
