// Says what the end of the stream means in each state.

import { driveDraft, run } from "./machine.ts"
import { firstSolid } from "./marker.ts"
import type { Mode } from "./parser-state.ts"
import { TEXT } from "./parser-state.ts"
import type { Draft } from "./working-copy.ts"
import { closeSegment, replay, say } from "./working-copy.ts"
import { cutBody } from "./xml-body.ts"
import type { ToolDraft } from "./xml-tool.ts"
import { heldOf } from "./xml-tool.ts"

/** The end of the stream, in each state. */
export function endDraft(draft: Draft, aborted: boolean): void {
  const { mode, carry } = draft
  draft.carry = ""
  draft.mode = TEXT
  if (carry !== "") {
    // A lone half of a pair is read like any other character.
    draft.mode = mode
    driveDraft(draft, carry, false)
    endDraft(draft, aborted)
    return
  }
  switch (mode.at) {
    case "text":
      break
    case "opening":
      say(draft, mode.held)
      break
    case "block":
      say(draft, mode.held)
      closeSegment(draft, undefined, true)
      break
    case "json":
      closeSegment(draft, undefined, true)
      break
    case "tool":
      cutTool(draft, mode)
      break
    case "foreign":
      say(draft, mode.tag)
      break
  }
  closeSegment(draft, undefined, aborted)
}

/** A tool that has not started is text; one that has says what it held. What followed its content is text again. */
function cutTool(draft: Draft, mode: Extract<Mode, { at: "tool" }>): void {
  const tool: ToolDraft = { ...mode }
  const { part } = tool
  if (tool.raw !== null) {
    say(draft, tool.raw + heldOf(part))
    return
  }
  cutBody(draft, tool, part)
  closeSegment(draft, tool.late ?? undefined, true)
  if (part.at !== "between" && part.at !== "tag") return
  if (firstSolid(part.gap, 0) < part.gap.length) replayAsText(draft, part.gap + heldOf(part))
}

function replayAsText(draft: Draft, text: string): void {
  replay(draft, text)
  run(draft, false)
  if (draft.mode.at === "opening") say(draft, draft.mode.held)
  draft.mode = TEXT
}
