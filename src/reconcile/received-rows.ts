// Reads the lines of a live run for the join: its events by number, and beside each what came after it.
import type { Decoded } from "../protocol/frame.ts"
import { fingerprint } from "../run/identity/fingerprint.ts"
import { type DecodedLine, isNumbered, isSameStream, type Numbered } from "./disk-rows.ts"

/** An event that came by the line, and the lines without a number that followed it. */
export interface LiveEvent {
  readonly seq: number
  readonly told: DecodedLine
  readonly frame: Numbered
  /** Repetitions of it among them: the fold knows them again. */
  readonly after: DecodedLine[]
  /** From the next attachment on: what the disk fills in is older than that. */
  readonly attached: DecodedLine[]
}

/** Numbers that count upward once, as `identify` tells them apart; events in order of `seq`. */
export interface LiveEpoch {
  /** What came before its first event, up to an attachment and from there on. */
  readonly before: readonly DecodedLine[]
  readonly attached: readonly DecodedLine[]
  readonly events: readonly LiveEvent[]
}

/** So far back no number is known again. */
const WINDOW = 131_072

/** The epochs of these lines, the last of them without an event where none came at all. */
export function liveEpochs(lines: readonly DecodedLine[]): readonly LiveEpoch[] {
  const epochs: OpenEpoch[] = []
  let open = new OpenEpoch()
  for (const [index, told] of lines.entries()) {
    const { frame } = told
    if (!isNumbered(frame) || frame.seq === null) {
      open.aside(told)
      continue
    }
    if (!open.takes(frame, frame.seq, lines[index + 1]?.frame)) {
      epochs.push(open)
      open = new OpenEpoch()
    }
    open.event(told, frame, frame.seq)
  }
  return [...epochs, open].map(epoch => epoch.done())
}

class OpenEpoch {
  readonly before: DecodedLine[] = []
  readonly attached: DecodedLine[] = []
  readonly #events = new Map<number, LiveEvent>()
  readonly #covers: { readonly from: number; readonly event: LiveEvent }[] = []
  #latest: LiveEvent | null = null

  /**
   * False where the number proves that another epoch has begun. A start below what was seen does, unless the `next` line
   * repeats what is known: then the start was lost, and a ring brings it.
   */
  takes(frame: Numbered, seq: number, next: Decoded | undefined): boolean {
    const latest = this.#latest
    if (latest === null || seq > latest.seq) return true
    const known = this.#events.get(seq)
    if (known !== undefined) return isRepeat(known.frame, frame)
    const starts = frame.kind === "event" && frame.body.type === "runner/started"
    return latest.seq - seq < WINDOW && (!starts || this.#isKnown(next))
  }

  event(told: DecodedLine, frame: Numbered, seq: number): void {
    const known = this.#events.get(seq) ?? this.#coverOf(frame, seq)
    if (known !== undefined) {
      this.#pushAfter(this.#latest ?? known, told)
      return
    }
    const event: LiveEvent = { seq, told, frame, after: [], attached: [] }
    this.#events.set(seq, event)
    if (this.#latest === null || seq > this.#latest.seq) this.#latest = event
    if (frame.kind === "delta" && frame.coalesced > 1) this.#covers.push({ from: seq - frame.coalesced + 1, event })
  }

  aside(told: DecodedLine): void {
    if (this.#latest !== null) this.#pushAfter(this.#latest, told)
    else if (this.attached.length > 0 || isAttachment(told)) this.attached.push(told)
    else this.before.push(told)
  }

  done(): LiveEpoch {
    const events = [...this.#events.values()].toSorted((one, other) => one.seq - other.seq)
    return { before: this.before, attached: this.attached, events }
  }

  #pushAfter({ after, attached }: LiveEvent, told: DecodedLine): void {
    if (attached.length > 0 || isAttachment(told)) attached.push(told)
    else after.push(told)
  }

  #isKnown(frame: Decoded | undefined): boolean {
    if (frame === undefined || !isNumbered(frame) || frame.seq === null) return false
    const known = this.#events.get(frame.seq)
    return known !== undefined && isRepeat(known.frame, frame)
  }

  /** The coalesced delta that has told this one already. */
  #coverOf(frame: Numbered, seq: number): LiveEvent | undefined {
    if (frame.kind !== "delta") return undefined
    const covers = ({ from, event }: { from: number; event: LiveEvent }) =>
      from <= seq && seq < event.seq && event.frame.kind === "delta" && isSameStream(event.frame, frame)
    return this.#covers.findLast(covers)?.event
  }
}

function isRepeat(known: Numbered, frame: Numbered): boolean {
  if (fingerprint(known) === fingerprint(frame)) return true
  if (known.kind !== "delta" || frame.kind !== "delta") return false
  return known.coalesced + frame.coalesced > 2 && isSameStream(known, frame)
}

export function isAttachment({ frame }: DecodedLine): boolean {
  return frame.kind === "note" && frame.what === "link" && frame.data.state === "open"
}
