import type { JSX } from "solid-js"
import { presentOf } from "../../store/time.ts"
import { useScreen } from "../bind.ts"
import { Canvas } from "../Canvas.tsx"
import { inside, type Rect } from "../layout.ts"
import { Pane } from "../Pane.tsx"
import { count } from "../text.ts"
import { branchLines } from "./lines.ts"

/** The tree of branches, each with what it came to beside what it branched off. */
export function BranchPane(props: { rect: Rect; cursor: number }): JSX.Element {
  const { state, look } = useScreen()
  const shown = () => {
    const { columns, rows } = inside(props.rect)
    return branchLines(state(), props.cursor, look(), columns, rows)
  }
  return (
    <Pane rect={props.rect} focused raised title={`BRANCHES  ${count(presentOf(state()).branches.length)}`}>
      <Canvas lines={shown()} />
    </Pane>
  )
}
