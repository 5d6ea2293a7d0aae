import type { JSX } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { count } from "../../ui/text-width.ts"
import { branchLines } from "./lines.ts"

/** The tree of branches, each with what it came to beside what it branched off. */
export function BranchPane(props: { rect: Rect; cursor: number }): JSX.Element {
  const { state, context } = useScreen()
  const shown = () => {
    const { columns, rows } = inside(props.rect)
    return branchLines(state(), props.cursor, context(), columns, rows)
  }
  return (
    <TitledBox rect={props.rect} focused raised title={`BRANCHES  ${count(state().present.branches.length)}`}>
      <Canvas lines={shown()} />
    </TitledBox>
  )
}
