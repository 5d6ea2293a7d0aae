// The blocks of a session's transcript, made for one width: what was made stays, and an update makes those of what came.
import type { ParserName } from "../parse/syntax-rules.ts"
import type { Captured } from "../protocol/capture.ts"
import { at } from "../run/model/chunked-list.ts"
import type { Entry, Session } from "../run/model/session.ts"
import type { Captures } from "../run/select/captures.ts"
import { passagesOf } from "../run/select/passages.ts"
import type { Line } from "../ui/line.ts"
import { type PassageBlock, passageBlocks } from "./passage-blocks.ts"
import { type Carded, paired } from "./tool-card.ts"

/** A block with its lines, as wide as they may be. */
export interface Shown extends PassageBlock, Carded {
  readonly turn: number
  readonly body: readonly Line[]
}

/** Entries that one event made, and the blocks of them. */
interface Group {
  readonly first: number
  readonly entries: Entry[]
  captured: Captured | undefined
  blocks: readonly Shown[]
}

export class Blocks {
  private groups: Group[] = []
  private done = 0
  private first: Entry | undefined
  private last: Entry | undefined
  private captures: Captures | null = null

  constructor(
    private readonly columns: number,
    private readonly strategy: ParserName,
  ) {}

  /** All of them, a tool's result below its call. */
  all(): readonly Shown[] {
    return paired(this.groups.flatMap(group => group.blocks))
  }

  /** False for a session that changed otherwise than by growing. */
  continues({ entries }: Session): boolean {
    if (this.done === 0) return true
    // What was read back stands at the beginning in the place of what it was before.
    const isSame = at(entries, 0) === this.first && at(entries, this.done - 1) === this.last
    return isSame && entries.length >= this.done
  }

  /** Takes what the session and the captures have by now; false where that is nothing new. */
  take(session: Session, captures: Captures): boolean {
    const grown = this.takeEntries(session, captures)
    const whole = captures !== this.captures && this.takeCaptures(captures)
    this.captures = captures
    return grown || whole
  }

  private takeEntries(session: Session, captures: Captures): boolean {
    const from = this.done
    for (; this.done < session.entries.length; this.done++) {
      const entry = at(session.entries, this.done)
      if (entry === undefined) continue
      const group = this.groups.at(-1)
      const isSame = group !== undefined && entry.ref !== null && group.entries.at(-1)?.ref === entry.ref
      if (isSame) group.entries.push(entry)
      else this.groups.push({ first: this.done, entries: [entry], captured: undefined, blocks: [] })
      const changed = this.groups.at(-1)
      if (changed !== undefined) changed.blocks = []
      this.last = entry
      this.first ??= entry
    }
    if (from === this.done) return false
    for (const group of this.groups) if (group.blocks.length === 0) this.build(group, captures)
    return true
  }

  private takeCaptures(captures: Captures): boolean {
    let changed = false
    for (const group of this.groups) {
      const ref = group.entries[0]?.ref ?? null
      if (ref === null || captures.get(ref) === group.captured) continue
      this.build(group, captures)
      changed = true
    }
    return changed
  }

  private build(group: Group, captures: Captures): void {
    const ref = group.entries[0]?.ref ?? null
    group.captured = ref === null ? undefined : captures.get(ref)
    group.blocks = passagesOf(group.entries, group.captured).flatMap((passage, i) =>
      passageBlocks(passage, this.strategy).map((block, k) => ({
        ...block,
        key: `${group.first}.${i}.${k}`,
        card: `${group.first}.${i}.${k}`,
        type: passage.type,
        name: passage.name,
        ...(passage.callId !== undefined && { callId: passage.callId }),
        turn: passage.turn,
        body: block.lines(this.columns),
      })),
    )
  }
}
