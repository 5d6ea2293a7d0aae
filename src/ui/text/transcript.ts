import type { ParserName } from "../../parse/rules.ts"
import { partsOf } from "../../store/parts.ts"
import { isAtWork } from "../../store/read.ts"
import type { Run } from "../../store/run.ts"
import type { Entry, Session } from "../../store/session.ts"
import { at } from "../../store/vec.ts"
import type { Line } from "../line.ts"
import type { Look } from "../look.ts"
import { blockLines, partLines, styleOf } from "./block.ts"
import { Tail } from "./tail.ts"

/**
 * The text of one session, wrapped for one width. It is a cache beside the state: what has been wrapped stays, and an
 * update costs what came since. A session that changed otherwise than by growing is wrapped anew.
 */
export class Transcript {
  private session = -1
  private columns = 0
  private done = 0
  private lastEntry: Entry | undefined
  private settled: Line[] = []
  private readonly tail = new Tail()
  private caret = ""

  get length(): number {
    return this.settled.length + this.tail.length
  }

  /** Brings the lines up to the run's state. */
  update(run: Run, index: number, columns: number, look: Look): void {
    const session = run.sessions[index]
    const stream = run.streams[index]
    if (session === undefined || stream === undefined) {
      this.reset(-1, columns)
      return
    }
    if (index !== this.session || columns !== this.columns || !this.continues(session)) this.reset(index, columns)
    for (; this.done < session.entries.length; this.done++) {
      const entry = at(session.entries, this.done)
      if (entry !== undefined) this.settled.push(...entryLines(entry, run.strategy, columns, look))
      this.lastEntry = entry
    }
    this.tail.update(stream, columns, look)
    this.caret = stream.status === "streaming" && isAtWork(run, index) ? look.glyphs.caret : ""
  }

  line(index: number): Line {
    const settled = this.settled[index]
    if (settled !== undefined) return settled
    const at = index - this.settled.length
    return this.tail.line(at, at === this.tail.length - 1 ? this.caret : "")
  }

  private continues(session: Session): boolean {
    return (
      session.entries.length >= this.done && (this.done === 0 || at(session.entries, this.done - 1) === this.lastEntry)
    )
  }

  private reset(session: number, columns: number): void {
    this.session = session
    this.columns = columns
    this.done = 0
    this.lastEntry = undefined
    this.settled = []
    this.tail.reset()
  }
}

/** What the model wrote is shown as the segments in it, where it is parsed. */
function entryLines(entry: Entry, strategy: ParserName, columns: number, look: Look): readonly Line[] {
  const text = entry.text.join("")
  const parsed = entry.type === "text" && strategy !== "api_tool_call"
  return parsed
    ? partLines(partsOf(strategy, text), columns, look)
    : blockLines(styleOf(entry, look), text, columns, look)
}
