// Draws frames of a guest on a line each, for the pictures that the tests keep.
import { isObject, type Json, parseJson } from "../../packages/wire/src/json.ts"

/** The words of a frame: its time, session, event and place, and its fields. */
export type DrawnFrame = readonly string[]

/** Draws the frames of one run after the other: a session has the letter of the order in which it came. */
export class FrameDrawing {
  readonly #letters = new Map<string, string>()
  #begun: number | null = null

  /** The sessions by their letters. */
  get sessions(): readonly string[] {
    return [...this.#letters].map(([key, letter]) => `${letter} = ${key}`)
  }

  /** `+milliseconds session event @line fields`, without the number of the event. */
  draw(frame: string): DrawnFrame {
    const value = parseJson(frame)
    if (!isObject(value)) return [`NO FRAME ${frame}`]
    const { kind, seq: _, ts = null, event, data, ...rest } = value
    if (kind !== "event" || !isObject(data)) return [this.#time(ts), `${kind}`, ...fieldsOf(rest)].filter(Boolean)
    const { invokeid = null, "session-id": session = null, "log/line": line = null, ...facts } = data
    const place = line === null ? "" : `@${Array.isArray(line) ? line.join("-") : line}`
    const letter = invokeid === null ? "" : this.#letter(`${invokeid} ${session}`)
    return [this.#time(ts), letter, `${event}`, place, ...fieldsOf(facts)].filter(Boolean)
  }

  #letter(key: string): string {
    const letter = this.#letters.get(key) ?? String.fromCharCode(65 + this.#letters.size)
    this.#letters.set(key, letter)
    return letter
  }

  #time(ts: Json | undefined): string {
    if (typeof ts !== "number") return ""
    this.#begun ??= ts
    return `+${ts - this.#begun}`
  }
}

function fieldsOf(fields: { readonly [key: string]: Json | undefined }): string[] {
  return Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
}

/** At most how many lines of what differs are drawn, and characters of a line. */
const MOST = { lines: 4, units: 140 }

/** What differs between two lists of frames, on lines. */
export function changes(before: readonly DrawnFrame[], after: readonly DrawnFrame[]): readonly string[] {
  const [lost, come] = [without(before, after), without(after, before)]
  const drawn = lost.length === come.length ? pairs(lost, come) : [...lines("-", lost), ...lines("+", come)]
  return drawn.length <= MOST.lines
    ? drawn
    : [...drawn.slice(0, MOST.lines - 1), `and ${drawn.length - MOST.lines + 1} more`]
}

function lines(sign: string, frames: readonly DrawnFrame[]): readonly string[] {
  return frames.map(frame => {
    const text = `${sign} ${frame.join(" ")}`
    return text.length > MOST.units ? `${text.slice(0, MOST.units)}…` : text
  })
}

/** The frames that the others lack, each as often. */
function without(frames: readonly DrawnFrame[], others: readonly DrawnFrame[]): readonly DrawnFrame[] {
  const left = new Map<string, number>()
  for (const other of others) left.set(other.join(" "), (left.get(other.join(" ")) ?? 0) + 1)
  return frames.filter(frame => {
    const count = left.get(frame.join(" ")) ?? 0
    left.set(frame.join(" "), count - 1)
    return count <= 0
  })
}

/** What differs in each of two frames: the words that one lacks, with what both begin and end with cut off. */
function pairs(lost: readonly DrawnFrame[], come: readonly DrawnFrame[]): string[] {
  return lost.map((one, at) => {
    const other = come[at] ?? []
    const gone = one.filter(word => !other.includes(word)).join(" ")
    const added = other.filter(word => !one.includes(word)).join(" ")
    const most = Math.min(gone.length, added.length)
    let [head, tail] = [0, 0]
    while (head < most && gone[head] === added[head]) head++
    while (tail < most - head && gone.at(-1 - tail) === added.at(-1 - tail)) tail++
    // A little of what both have tells where it is.
    const cut = (text: string) => {
      const [from, to] = [head > 60 ? head - 20 : 0, tail > 60 ? text.length - tail + 20 : text.length]
      const part = `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`
      return part.length > MOST.units ? `${part.slice(0, MOST.units)}…` : part || "nothing"
    }
    return `${one.find(word => /^[a-z]/.test(word)) ?? ""}: ${cut(gone)} → ${cut(added)}`
  })
}
