// Ends the stream in each state.
import { driveCopy, run } from "./machine.ts"
import { firstNonBlank } from "./marker.ts"
import type { Mode } from "./parser-state.ts"
import { TEXT } from "./parser-state.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { closeSegment, emitText, replay } from "./working-copy.ts"
import { emitHeldBody } from "./xml-body.ts"
import type { ToolCopy } from "./xml-tool.ts"
import { heldText } from "./xml-tool.ts"

/** Emits held text and closes the open segment. With `aborted`, open text is incomplete too. */
export function endCopy(copy: WorkingCopy, aborted: boolean): void {
  const { mode, carry } = copy
  copy.carry = ""
  copy.mode = TEXT
  if (carry !== "") {
    // Half a surrogate pair is read like any other character.
    copy.mode = mode
    driveCopy(copy, carry, false)
    endCopy(copy, aborted)
    return
  }
  switch (mode.at) {
    case "text":
      break
    case "opening":
      emitText(copy, mode.held)
      break
    case "block":
      emitText(copy, mode.held)
      closeSegment(copy, undefined, true)
      break
    case "json":
      closeSegment(copy, undefined, true)
      break
    case "tool":
      truncateTool(copy, mode)
      break
    case "foreign":
      emitText(copy, mode.tag)
      break
    default:
      mode satisfies never
  }
  closeSegment(copy, undefined, aborted)
}

/** A tool that has not started becomes text; one that has emits its held text. Anything after its content is text. */
function truncateTool(copy: WorkingCopy, mode: Extract<Mode, { at: "tool" }>): void {
  const tool: ToolCopy = { ...mode }
  const { part } = tool
  if (tool.raw !== null) {
    emitText(copy, tool.raw + heldText(part))
    return
  }
  emitHeldBody(copy, tool, part)
  closeSegment(copy, tool.late ?? undefined, true)
  if (part.at !== "between" && part.at !== "tag") return
  if (firstNonBlank(part.gap, 0) < part.gap.length) replayAsText(copy, part.gap + heldText(part))
}

function replayAsText(copy: WorkingCopy, text: string): void {
  replay(copy, text)
  run(copy, false)
  if (copy.mode.at === "opening") emitText(copy, copy.mode.held)
  copy.mode = TEXT
}
