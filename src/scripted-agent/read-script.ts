// Reads a recording as a script: the agent's messages in order, with gaps, questions and turns.

import type { Answer } from "../../packages/wire/src/command.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import { readLines } from "../../packages/wire/src/files/file-reader.ts"
import { recordingPath } from "../../packages/wire/src/files/recording-path.ts"
import type { Decoded, EventFrame } from "../../packages/wire/src/frame.ts"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import type { GateInput } from "../agent/debugger.ts"
import type { Outgoing } from "../agent/greeting.ts"

/** Longer gaps are shortened to this, ms. A time that steps back further belongs to another epoch. */
const MAX_GAP_MS = 2000

export interface Script {
  readonly lines: readonly ScriptLine[]
  /** Recorded `conversation` and `model-catalog` frames. They reply to requests, and are not played as lines. */
  readonly replies: readonly JsonObject[]
  /** True if the recording has `debug` frames. They are never played; our debugger sends its own. */
  readonly hasDebugger: boolean
  readonly finishes: boolean
}

export interface ScriptLine extends GateInput {
  /** The message to send; null for a recorded answer, which is only a mark. */
  readonly message: Outgoing | null
  readonly frame: Decoded
  /** Ms since the latest time before, at most `MAX_GAP_MS`. */
  readonly gap: number
  /** The active states from here on; null if the line doesn't change them. */
  readonly config: readonly string[] | null
  readonly opens: ScriptQuestion | null
  /** The question that is answered or cancelled here. The line is skipped if a client has done so already. */
  readonly closes: ScriptQuestion | null
}

export interface ScriptQuestion {
  readonly promptId: string
  readonly invokeid: string | null
  readonly inputKind: string
  readonly recorded: Answer | null
  /** True if the chart keeps the answer private. */
  readonly isPrivate: boolean
  /** True if the run went on without an answer, so that nothing waits for one. */
  readonly isAbandoned: boolean
  /** True if the answer is refused, as the recording says. */
  readonly isRefused: boolean
}

/**
 * Reads a script without blanks, notes, repeats and lines that aren't JSON. `open`: questions asked before it.
 * `endsRefused`: a question ends when its answer is refused, and is asked anew under another id.
 */
export function readScript(lines: Iterable<string>, open: readonly ScriptQuestion[] = [], endsRefused = false): Script {
  const reader = new ScriptReader(open, endsRefused)
  for (const line of lines) reader.add(line)
  const { lines: read, replies, hasDebugger } = reader
  return { lines: read, replies, hasDebugger, finishes: read.some(({ frame }) => frame.kind === "control") }
}

/** The lines of the recording at a path; lines are returned as they are. Rejects with an InputError or a file error. */
export async function recordedLines(recording: string | readonly string[]): Promise<readonly string[]> {
  if (typeof recording !== "string") return recording
  const recorded: string[] = []
  for await (const { lines, remainder } of readLines(recordingPath(recording))) {
    const all = remainder === null ? lines : [...lines, remainder]
    recorded.push(...all.filter(line => typeof line === "string"))
  }
  return recorded
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

class ScriptReader {
  readonly lines: ScriptLine[] = []
  readonly replies: JsonObject[] = []
  hasDebugger = false
  readonly #open: Mutable<ScriptQuestion>[]
  readonly #seen = new Set<string>()
  /** For each invocation, the number of starts whose request hasn't come yet. Such a request begins no turn. */
  readonly #started = new Map<string | null, number>()
  #turns = 0
  #latestTs: number | null = null

  constructor(
    open: readonly ScriptQuestion[],
    private readonly endsRefused: boolean,
  ) {
    this.#open = open.map(question => ({ ...question }))
  }

  add(line: string): void {
    const frame = decode(line)
    if (frame.kind === "blank" || frame.kind === "note") return
    const message = outgoing(line, frame)
    if (message === null || this.#isRepeated(frame, line)) return
    if (frame.kind === "debug") this.hasDebugger = true
    else if (frame.kind === "conversation" || frame.kind === "model-catalog") this.#addReply(message)
    else if (frame.kind !== "control" || frame.op === "run-finished") this.#addLine(frame, message)
  }

  #addReply(message: Outgoing): void {
    if (isObject(message)) this.replies.push(message)
  }

  #addLine(frame: Decoded, message: Outgoing): void {
    this.lines.push({
      message: frame.kind === "answer" ? null : message,
      frame,
      gap: this.#gap(frame),
      config: configIn(frame),
      closes: this.#closeQuestion(frame),
      opens: this.#openQuestion(frame),
      external: isExternal(frame),
      turn: this.#beginsTurn(frame) ? this.#turns++ : null,
    })
  }

  /** True for a frame that a reconnect repeated: an event of the ring, or the prompt (docs/contract.md section 2). */
  #isRepeated(frame: Decoded, line: string): boolean {
    if (frame.kind === "prompt") return this.#open.some(question => question.promptId === frame.promptId)
    if ((frame.kind !== "event" && frame.kind !== "delta") || frame.seq === null) return false
    if (this.#seen.has(line)) return true
    this.#seen.add(line)
    return false
  }

  #gap(frame: Decoded): number {
    const ts = "ts" in frame ? frame.ts : null
    if (ts === null) return 0
    const gap = ts - (this.#latestTs ?? ts)
    if (gap >= 0 || -gap > MAX_GAP_MS) this.#latestTs = ts
    return Math.min(Math.max(gap, 0), MAX_GAP_MS)
  }

  #beginsTurn(frame: Decoded): boolean {
    if (frame.kind !== "event") return false
    const started = this.#started.get(frame.invokeid) ?? 0
    if (frame.body.type === "llm/start") this.#started.set(frame.invokeid, started + 1)
    if (frame.body.type !== "llm/request") return frame.body.type === "llm/start"
    if (started > 0) this.#started.set(frame.invokeid, started - 1)
    return started === 0
  }

  #openQuestion(frame: Decoded): ScriptQuestion | null {
    if (frame.kind !== "prompt") return null
    const question: Mutable<ScriptQuestion> = {
      promptId: frame.promptId,
      invokeid: frame.invokeid,
      inputKind: frame.type === "multi" ? "multi-select" : frame.type,
      recorded: null,
      isPrivate: false,
      isAbandoned: false,
      isRefused: false,
    }
    this.#open.push(question)
    return question
  }

  /** The question that this line closes. An `answer` line only notes the answer; the event that follows closes it. */
  #closeQuestion(frame: Decoded): ScriptQuestion | null {
    if (frame.kind === "answer") {
      const question = this.#open.find(open => open.promptId === frame.promptId)
      if (question === undefined) return null
      const { promptId, value, secret } = frame
      if (frame.cancelled) question.recorded = { type: "cancel", promptId }
      else if (value !== undefined || secret)
        question.recorded = { type: "answer", promptId, value: value ?? null, secret }
      return question
    }
    return frame.kind === "event" ? this.#closeByEvent(frame) : null
  }

  /** An answer closes the oldest question of its invocation; other events name none (docs/decisions.md 3.2). */
  #closeByEvent(frame: EventFrame): ScriptQuestion | null {
    const { body, invokeid } = frame
    if (body.type === "human-input/answer") {
      const answered = this.#take(open => open.invokeid === invokeid)
      if (answered === null) return null
      const { promptId } = answered
      answered.isPrivate = body.answer === undefined
      if (body.answer !== undefined) answered.recorded ??= { type: "answer", promptId, value: body.answer }
      return answered
    }
    if (body.type === "human-input/validation-failed") return this.endsRefused ? this.#refused(invokeid) : null
    if (body.type !== "human-input/cancelled" && body.type !== "human-input/interrupted") return null
    const question =
      this.#take(open => open.recorded?.type === "cancel") ?? (this.#open.length === 1 ? this.#take(() => true) : null)
    if (question === null) return null
    if (body.type === "human-input/interrupted") question.isAbandoned = true
    else question.recorded ??= { type: "cancel", promptId: question.promptId }
    return question
  }

  /** The question whose answer is refused: its asker's, else the one that was answered, else the oldest. */
  #refused(invokeid: string | null): ScriptQuestion | null {
    const question =
      this.#take(open => invokeid !== null && open.invokeid === invokeid) ??
      this.#take(open => open.recorded !== null) ??
      this.#take(() => true)
    if (question !== null) question.isRefused = true
    return question
  }

  #take(matches: (question: ScriptQuestion) => boolean): Mutable<ScriptQuestion> | null {
    const index = this.#open.findIndex(matches)
    return index === -1 ? null : (this.#open.splice(index, 1)[0] ?? null)
  }
}

/** The message for a line: a frame as an object, any other JSON as its text, null for a line that isn't JSON. */
export function outgoing(line: string, frame: Decoded = decode(line)): Outgoing | null {
  const parsed = parseJson(line)
  if (parsed === undefined) return null
  // A recording holds a frame that wasn't JSON, or spanned several lines, as a JSON string (docs/decisions.md 1.11).
  if (typeof parsed === "string") return frame.kind === "malformed" ? parsed : outgoing(parsed, frame)
  if (!isObject(parsed) || frame.kind === "malformed") return line
  return frame.kind === "event" || frame.kind === "delta" ? { ...parsed, kind: "event" } : parsed
}

/** True for an event from outside the chart, that is, any but those that the chart raises itself. */
function isExternal(frame: Decoded): boolean {
  if (frame.kind !== "event" || frame.body.type !== "runner/event-processed") return false
  return !/^(done|error)\./.test(frame.body.eventName ?? "")
}

function configIn(frame: Decoded): readonly string[] | null {
  if (frame.kind === "phase") return frame.config
  if (frame.kind !== "event") return null
  const { body } = frame
  if (body.type === "runner/start-config") return body.config
  if (body.type === "runner/event-processed") return body.after
  return body.type === "runner/done" ? body.finalConfig : null
}
