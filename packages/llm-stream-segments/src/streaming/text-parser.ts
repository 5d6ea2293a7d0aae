// Reads a text by rules, in place.
import { endCopy, fastEvent, feedCopy } from "../parse/machine.ts"
import { beginParse, LineStart, TEXT } from "../parse/parser-state.ts"
import type { Rules } from "../parse/rules.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import { closeSegment, emitText, type Kit, takeEvents, workingCopy } from "../parse/working-copy.ts"

/** What reads text: its events as it comes, and the last ones. With `aborted`, what is open is incomplete. */
export interface TextReader {
  feed(text: string): SegmentEvent[]
  /** Ends an open text, because a native call begins. */
  pause?(): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
}

/** Reads one text. */
export class TextParser implements TextReader {
  readonly #copy

  constructor(rules: Rules, kit: Kit) {
    this.#copy = workingCopy(beginParse(rules), kit)
  }

  feed(text: string): SegmentEvent[] {
    const event = fastEvent(this.#copy, text)
    if (event !== null) return [event]
    feedCopy(this.#copy, text)
    return takeEvents(this.#copy)
  }

  pause(): SegmentEvent[] {
    const copy = this.#copy
    const { mode } = copy
    // What may have become a tag is text: it was cut off.
    if (mode.at === "opening") emitText(copy, mode.held)
    if (mode.at === "opening" || mode.at === "text") {
      copy.mode = TEXT
      copy.line = LineStart.BLOCK
      closeSegment(copy)
    }
    return takeEvents(copy)
  }

  end(aborted: boolean): SegmentEvent[] {
    endCopy(this.#copy, aborted)
    return takeEvents(this.#copy)
  }
}
