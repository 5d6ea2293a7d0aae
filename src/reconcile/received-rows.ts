// Groups the lines of a live run for the join: events by number, and the lines that followed each.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fingerprint, type Numbered } from "../run/identity/fingerprint.ts"
import { type DecodedLine, isNumbered, isSameStream, STEP, type Steps } from "./disk-rows.ts"

/** An event that arrived, and the lines without a number that followed it. */
export interface LiveEvent {
  readonly seq: number
  readonly line: DecodedLine
  readonly frame: Numbered
  /** Includes repeats of the event, which the fold recognizes. */
  readonly after: DecodedLine[]
  /** Lines from the next attachment on: rows from disk are older than these. */
  readonly attached: DecodedLine[]
}

/** Numbers that count up once, as `identify` tells epochs apart. Events are in order of `seq`. */
export interface LiveEpoch {
  /** Lines before its first event, up to an attachment and from there on. */
  readonly before: readonly DecodedLine[]
  readonly attached: readonly DecodedLine[]
  readonly events: readonly LiveEvent[]
}

/** Numbers further back are forgotten. */
const WINDOW = 131_072

/** The epochs of these lines. The last one has no event if none arrived. */
export function* liveEpochs(lines: readonly DecodedLine[]): Steps<readonly LiveEpoch[]> {
  const epochs: OpenEpoch[] = []
  let open = new OpenEpoch()
  for (const [index, line] of lines.entries()) {
    if (index % STEP === 0) yield
    const { frame } = line
    if (!isNumbered(frame) || frame.seq === null) {
      open.addUnnumbered(line)
      continue
    }
    if (!open.takes(frame, frame.seq, lines[index + 1]?.frame)) {
      epochs.push(open)
      open = new OpenEpoch()
    }
    open.addEvent(line, frame, frame.seq)
  }
  return [...epochs, open].map(epoch => epoch.done())
}

class OpenEpoch {
  readonly before: DecodedLine[] = []
  readonly attached: DecodedLine[] = []
  readonly #events = new Map<number, LiveEvent>()
  readonly #coalesced: { readonly from: number; readonly event: LiveEvent }[] = []
  #latest: LiveEvent | null = null

  /**
   * False if the number proves that another epoch has begun. A start below the numbers seen does, unless the `next`
   * line repeats a known event: then the start was lost and a repeat brings it.
   */
  takes(frame: Numbered, seq: number, next: Decoded | undefined): boolean {
    const latest = this.#latest
    if (latest === null || seq > latest.seq) return true
    const known = this.#events.get(seq)
    if (known !== undefined) return isRepeat(known.frame, frame)
    const starts = frame.kind === "event" && frame.body.type === "runner/started"
    return latest.seq - seq < WINDOW && (!starts || this.#isKnown(next))
  }

  addEvent(line: DecodedLine, frame: Numbered, seq: number): void {
    const known = this.#events.get(seq) ?? this.#coverOf(frame, seq)
    if (known !== undefined) {
      this.#pushAfter(this.#latest ?? known, line)
      return
    }
    const event: LiveEvent = { seq, line, frame, after: [], attached: [] }
    this.#events.set(seq, event)
    if (this.#latest === null || seq > this.#latest.seq) this.#latest = event
    if (frame.kind === "delta" && frame.coalesced > 1) this.#coalesced.push({ from: seq - frame.coalesced + 1, event })
  }

  addUnnumbered(line: DecodedLine): void {
    if (this.#latest !== null) this.#pushAfter(this.#latest, line)
    else if (this.attached.length > 0 || isAttachment(line)) this.attached.push(line)
    else this.before.push(line)
  }

  done(): LiveEpoch {
    const events = [...this.#events.values()].toSorted((one, other) => one.seq - other.seq)
    return { before: this.before, attached: this.attached, events }
  }

  #pushAfter({ after, attached }: LiveEvent, line: DecodedLine): void {
    if (attached.length > 0 || isAttachment(line)) attached.push(line)
    else after.push(line)
  }

  #isKnown(frame: Decoded | undefined): boolean {
    if (frame === undefined || !isNumbered(frame) || frame.seq === null) return false
    const known = this.#events.get(frame.seq)
    return known !== undefined && isRepeat(known.frame, frame)
  }

  /** The coalesced delta that already covers this one. */
  #coverOf(frame: Numbered, seq: number): LiveEvent | undefined {
    if (frame.kind !== "delta") return undefined
    const covers = ({ from, event }: { from: number; event: LiveEvent }) =>
      from <= seq && seq < event.seq && event.frame.kind === "delta" && isSameStream(event.frame, frame)
    return this.#coalesced.findLast(covers)?.event
  }
}

function isRepeat(known: Numbered, frame: Numbered): boolean {
  if (fingerprint(known) === fingerprint(frame)) return true
  if (known.kind !== "delta" || frame.kind !== "delta") return false
  return known.coalesced + frame.coalesced > 2 && isSameStream(known, frame)
}

/** True for the note that a connection to the agent was opened. */
export function isAttachment({ frame }: DecodedLine): boolean {
  return frame.kind === "note" && frame.what === "link" && frame.data.state === "open"
}
