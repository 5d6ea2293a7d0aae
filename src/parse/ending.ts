// Says what the end of the stream means in each state.

import { driveCopy, run } from "./machine.ts"
import { firstSolid } from "./marker.ts"
import type { Mode } from "./parser-state.ts"
import { TEXT } from "./parser-state.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { closeSegment, emitText, replay } from "./working-copy.ts"
import { cutBody } from "./xml-body.ts"
import type { ToolDraft } from "./xml-tool.ts"
import { heldOf } from "./xml-tool.ts"

/** The end of the stream, in each state. */
export function endCopy(draft: WorkingCopy, aborted: boolean): void {
  const { mode, carry } = draft
  draft.carry = ""
  draft.mode = TEXT
  if (carry !== "") {
    // A lone half of a pair is read like any other character.
    draft.mode = mode
    driveCopy(draft, carry, false)
    endCopy(draft, aborted)
    return
  }
  switch (mode.at) {
    case "text":
      break
    case "opening":
      emitText(draft, mode.held)
      break
    case "block":
      emitText(draft, mode.held)
      closeSegment(draft, undefined, true)
      break
    case "json":
      closeSegment(draft, undefined, true)
      break
    case "tool":
      cutTool(draft, mode)
      break
    case "foreign":
      emitText(draft, mode.tag)
      break
  }
  closeSegment(draft, undefined, aborted)
}

/** A tool that has not started is text; one that has says what it held. What followed its content is text again. */
function cutTool(draft: WorkingCopy, mode: Extract<Mode, { at: "tool" }>): void {
  const tool: ToolDraft = { ...mode }
  const { part } = tool
  if (tool.raw !== null) {
    emitText(draft, tool.raw + heldOf(part))
    return
  }
  cutBody(draft, tool, part)
  closeSegment(draft, tool.late ?? undefined, true)
  if (part.at !== "between" && part.at !== "tag") return
  if (firstSolid(part.gap, 0) < part.gap.length) replayAsText(draft, part.gap + heldOf(part))
}

function replayAsText(draft: WorkingCopy, text: string): void {
  replay(draft, text)
  run(draft, false)
  if (draft.mode.at === "opening") emitText(draft, draft.mode.held)
  draft.mode = TEXT
}
