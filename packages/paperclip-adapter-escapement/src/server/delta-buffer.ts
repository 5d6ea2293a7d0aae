// Merges streamed text into rows of whole lines, so that the host's redaction sees a secret whole.
import { decodeEvent } from "../../../wire/src/decode.ts"
import { isObject, type JsonObject, withoutHalfPair } from "../../../wire/src/json.ts"
import { agree } from "../run-totals.ts"

/** The most bytes of a row's text as JSON; longer lines are split. */
const TEXT_LIMIT = 4096

/** The least time between two rows of a session's text, ms. */
const ROW_MS = 200

/** How long a line may stay unfinished before it is passed on as it is, ms. */
const LINE_MS = 2000

/** Text of one session that was not passed on yet. */
interface Held {
  readonly invokeid: string | null
  readonly sessionId: string | null
  readonly thinking: boolean
  /** The latest row, which the merged one takes its other fields from. */
  row: JsonObject
  text: string
  /** True if the last line was passed on unfinished. */
  isOpen: boolean
  /** When the first unfinished line began, and when the last row was passed on; ms. */
  since: number
  sentAt: number
}

/** Takes a run's rows in order. The caller passes the time, ms, and gets the rows to log. */
export class DeltaBuffer {
  readonly #held = new Map<string, Held>()

  /** The rows to log now: text goes before the row of its session that follows it. */
  push(row: JsonObject, now: number): readonly JsonObject[] {
    const { event } = row
    if (typeof event !== "string") return [row]
    const frame = decodeEvent(event, row)
    const { invokeid, sessionId } = frame
    if (frame.kind !== "delta") {
      const before = [...this.#held].filter(
        ([, held]) => agree(held.invokeid, invokeid) && agree(held.sessionId, sessionId),
      )
      for (const [key] of before) this.#held.delete(key)
      return [...before.flatMap(([, held]) => this.#end(held, now)), row]
    }
    const key = JSON.stringify([invokeid, sessionId])
    const last = this.#held.get(key)
    const isSame = last?.thinking === frame.thinking
    const rows = last === undefined || isSame ? [] : this.#end(last, now)
    const { thinking } = frame
    const fresh = { invokeid, sessionId, thinking, row, text: "", isOpen: false, since: now, sentAt: last?.sentAt ?? 0 }
    const held = isSame ? last : fresh
    this.#held.set(key, held)
    if (held.text === "") held.since = now
    held.row = row
    held.text += textOf(row)
    return [...rows, ...this.#takeFull(held, now)]
  }

  /** The rows that are due at this time. */
  due(now: number): readonly JsonObject[] {
    return [...this.#held.values()].flatMap(held => {
      const whole = held.text.lastIndexOf("\n") + 1
      if (whole > 0 && now - held.sentAt >= ROW_MS) return this.#take(held, whole, now)
      return now - held.since >= LINE_MS ? this.#take(held, held.text.length, now) : []
    })
  }

  /** All that is left. */
  rest(now: number): readonly JsonObject[] {
    return [...this.#held.values()].flatMap(held => this.#end(held, now))
  }

  /** The rest of a text, whose last line is complete now. */
  #end(held: Held, now: number): readonly JsonObject[] {
    if (held.text === "" ? held.isOpen : !held.text.endsWith("\n")) held.text += "\n"
    return [...this.#takeFull(held, now), ...this.#take(held, held.text.length, now)]
  }

  #takeFull(held: Held, now: number): readonly JsonObject[] {
    const rows: JsonObject[] = []
    while (bytesOf(held.text) > TEXT_LIMIT) rows.push(...this.#take(held, fittingUnits(held.text), now))
    return rows
  }

  #take(held: Held, units: number, now: number): readonly JsonObject[] {
    if (units === 0) return []
    const { data } = held.row
    const text = held.text.slice(0, units)
    held.text = held.text.slice(units)
    held.isOpen = !text.endsWith("\n")
    held.since = now
    held.sentAt = now
    return [{ ...held.row, data: { ...(isObject(data) ? data : {}), text } }]
  }
}

/** The length of the lines that fit into a row, else of as much of the first one as fits. */
function fittingUnits(text: string): number {
  let units = Math.min(text.length, TEXT_LIMIT)
  while (bytesOf(text.slice(0, units)) > TEXT_LIMIT) units = Math.floor(units / 2)
  const whole = text.slice(0, units)
  return whole.lastIndexOf("\n") + 1 || withoutHalfPair(whole).length
}

/** The text as the agent wrote it; a decoded frame has it sanitized. */
function textOf({ data }: JsonObject): string {
  return isObject(data) && typeof data.text === "string" ? data.text : ""
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
