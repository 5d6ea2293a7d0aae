// Reads a recording as a script: what the agent says, in order, with the gaps, the questions and the turns in it.

import type { Outgoing } from "../agent/greeting.ts"
import type { Answer } from "../protocol/command.ts"
import { decode } from "../protocol/decode.ts"
import type { Decoded, EventFrame } from "../protocol/frame.ts"
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"
import type { Passing } from "./debugger.ts"

/** Ms. A longer silence is not worth waiting for; a time that steps back further is of another epoch. */
const LONGEST_GAP_MS = 2000

/** A recording, ready to be played. */
export interface Script {
  readonly cues: readonly Cue[]
  /** Recorded `conversation` and `model-catalog` frames: they answer requests and are not played in their place. */
  readonly replies: readonly JsonObject[]
  /** True where the recording has `debug` frames: a debugger was attached. They are never played, a debugger makes its own. */
  readonly debugged: boolean
  /** True where the recording has a `run-finished` of its own. */
  readonly finishes: boolean
}

/** One line of the script. */
export interface Cue extends Passing {
  /** What goes out; null for an answer, which only marks where the recording went on. */
  readonly out: Outgoing | null
  readonly frame: Decoded
  /** Ms from the latest moment recorded before, at most `LONGEST_GAP_MS`. */
  readonly gap: number
  /** The active states from here on, where the line tells. */
  readonly config: readonly string[] | null
  /** The question that is put here. */
  readonly asks: Ask | null
  /** The question that the recording settles here: left out when whoever is attached settled it. */
  readonly settles: Ask | null
}

/** A question to a person, and what became of it in the recording. */
export interface Ask {
  readonly promptId: string
  readonly invokeid: string | null
  /** The question's kind as `human-input/answer` names it. */
  readonly inputKind: string
  /** What was answered in the recording. */
  readonly own: Answer | null
  /** The chart keeps the answer to itself. */
  readonly secret: boolean
  /** The run left the question without an answer, so nothing waits for one. */
  readonly left: boolean
}

/**
 * Reads a script. Blank lines, bookkeeping notes, lines that are no JSON and frames that repeat a ring are left out.
 * `open`: questions put before the first line, which the lines may settle.
 */
export function readScript(lines: Iterable<string>, open: readonly Ask[] = []): Script {
  const reader = new ScriptReader(open)
  for (const line of lines) reader.add(line)
  const { cues, replies, debugged } = reader
  const finishes = cues.some(cue => cue.frame.kind === "control")
  return { cues, replies, debugged, finishes }
}

type Draft<T> = { -readonly [key in keyof T]: T[key] }

class ScriptReader {
  readonly cues: Cue[] = []
  readonly replies: JsonObject[] = []
  debugged = false
  /** Questions that nothing has settled yet, oldest first. */
  readonly #open: Draft<Ask>[]
  readonly #seen = new Set<string>()
  /** Starts of an invocation whose requests are still to come: those begin no turn of their own. */
  readonly #started = new Map<string | null, number>()
  #turns = 0
  #latest: number | null = null

  constructor(open: readonly Ask[]) {
    this.#open = open.map(ask => ({ ...ask }))
  }

  add(line: string): void {
    const frame = decode(line)
    if (frame.kind === "blank" || frame.kind === "note") return
    const out = outgoing(line, frame)
    if (out === null || this.#repeats(frame, line)) return
    if (frame.kind === "debug") this.debugged = true
    else if (frame.kind === "conversation" || frame.kind === "model-catalog") this.#reply(out)
    else if (frame.kind !== "control" || frame.op === "run-finished") this.#cue(frame, out)
  }

  #reply(out: Outgoing): void {
    if (isObject(out)) this.replies.push(out)
  }

  #cue(frame: Decoded, out: Outgoing): void {
    const settles = this.#settle(frame)
    this.cues.push({
      out: frame.kind === "answer" ? null : out,
      frame,
      gap: this.#gap(frame),
      config: configOf(frame),
      asks: this.#ask(frame),
      settles,
      external: isExternal(frame),
      turn: this.#begins(frame) ? this.#turns++ : null,
    })
  }

  /** A reconnect repeats the ring and the newest prompt (docs/contract.md section 2), and a recording of it holds both twice. */
  #repeats(frame: Decoded, line: string): boolean {
    if (frame.kind === "prompt") return this.#open.some(ask => ask.promptId === frame.promptId)
    if ((frame.kind !== "event" && frame.kind !== "delta") || frame.seq === null) return false
    if (this.#seen.has(line)) return true
    this.#seen.add(line)
    return false
  }

  #gap(frame: Decoded): number {
    const ts = "ts" in frame ? frame.ts : null
    if (ts === null) return 0
    const gap = ts - (this.#latest ?? ts)
    if (gap >= 0 || -gap > LONGEST_GAP_MS) this.#latest = ts
    return Math.min(Math.max(gap, 0), LONGEST_GAP_MS)
  }

  #begins(frame: Decoded): boolean {
    if (frame.kind !== "event") return false
    const started = this.#started.get(frame.invokeid) ?? 0
    if (frame.body.type === "llm/start") this.#started.set(frame.invokeid, started + 1)
    if (frame.body.type !== "llm/request") return frame.body.type === "llm/start"
    if (started > 0) this.#started.set(frame.invokeid, started - 1)
    return started === 0
  }

  #ask(frame: Decoded): Ask | null {
    if (frame.kind !== "prompt") return null
    const ask: Draft<Ask> = {
      promptId: frame.promptId,
      invokeid: frame.invokeid,
      inputKind: frame.type === "multi" ? "multi-select" : frame.type,
      own: null,
      secret: false,
      left: false,
    }
    this.#open.push(ask)
    return ask
  }

  /** The question that this line settles. An `answer` line marks it; the event that follows closes it. */
  #settle(frame: Decoded): Ask | null {
    if (frame.kind === "answer") {
      const ask = this.#open.find(open => open.promptId === frame.promptId)
      if (ask === undefined) return null
      const { promptId, value } = frame
      if (frame.cancelled) ask.own = { type: "cancel", promptId }
      else if (value !== undefined) ask.own = { type: "answer", promptId, value }
      return ask
    }
    return frame.kind === "event" ? this.#close(frame) : null
  }

  /** `human-input/answer` closes the oldest question of its invocation; the others name nobody (docs/decisions.md 3.2). */
  #close(frame: EventFrame): Ask | null {
    const { body, invokeid } = frame
    if (body.type === "human-input/answer") {
      const ask = this.#take(open => open.invokeid === invokeid)
      if (ask === null) return null
      ask.secret = body.answer === undefined
      if (body.answer !== undefined) ask.own ??= { type: "answer", promptId: ask.promptId, value: body.answer }
      return ask
    }
    if (body.type !== "human-input/cancelled" && body.type !== "human-input/interrupted") return null
    const ask =
      this.#take(open => open.own?.type === "cancel") ?? (this.#open.length === 1 ? this.#take(() => true) : null)
    if (ask === null) return null
    if (body.type === "human-input/interrupted") ask.left = true
    else ask.own ??= { type: "cancel", promptId: ask.promptId }
    return ask
  }

  #take(is: (ask: Ask) => boolean): Draft<Ask> | null {
    const index = this.#open.findIndex(is)
    return index === -1 ? null : (this.#open.splice(index, 1)[0] ?? null)
  }
}

/** What to send for a line: a frame as an object, anything else as the text it was. Null for a line that is no JSON. */
export function outgoing(line: string, frame: Decoded = decode(line)): Outgoing | null {
  const parsed = parse(line)
  if (parsed === undefined) return null
  // A recording keeps a frame that was no JSON, or went over several lines, as a JSON string (docs/decisions.md 1.11).
  if (typeof parsed === "string") return frame.kind === "malformed" ? parsed : outgoing(parsed, frame)
  if (!isObject(parsed) || frame.kind === "malformed") return line
  return frame.kind === "event" || frame.kind === "delta" ? { ...parsed, kind: "event" } : parsed
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** An event that comes from outside the chart: all but those that the chart raises itself. */
function isExternal(frame: Decoded): boolean {
  if (frame.kind !== "event" || frame.body.type !== "runner/event-processed") return false
  return !/^(done|error)\./.test(frame.body.eventName ?? "")
}

function configOf(frame: Decoded): readonly string[] | null {
  if (frame.kind === "phase") return frame.config
  if (frame.kind !== "event") return null
  const { body } = frame
  if (body.type === "runner/start-config") return body.config
  if (body.type === "runner/event-processed") return body.after
  return body.type === "runner/done" ? body.finalConfig : null
}
