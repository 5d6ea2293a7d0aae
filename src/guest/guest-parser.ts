// Reads what a guest printed: with its own parser where that can be had, else with the generic one, each line once.
import type { Json } from "../protocol/json.ts"
import { readGeneric } from "./generic-parser.ts"
import { asShown } from "./strip-escapes.ts"
import type { TimedLine } from "./timed-line.ts"
import { decodeEntry, type TranscriptEntry } from "./transcript-entry.ts"
import type { WorkerReply } from "./worker.ts"
import type { WorkerHost } from "./worker-host.ts"

/** UTF-16 units that a parser may make of one line. */
const ANSWER_UNITS = 4 * 1024 * 1024
/** Different complaints that are told; a parser that fails at each line in other words would fill the log. */
const COMPLAINTS = 64

/** What one line says, and what its parser could not do. */
export interface ParsedLine {
  readonly entries: readonly TranscriptEntry[]
  readonly complaints: readonly string[]
}

/** A parser, loaded once: a failure is kept and not tried again, at a new run neither (as on Paperclip's own page). */
export class GuestParser {
  readonly #name: string
  readonly #told = new Set<string>()
  readonly #loaded: Promise<void>
  #cell: WorkerHost | null = null
  /** Complaints that wait for the next line. */
  #waiting: string[] = []

  /** `load` starts the parser called `name`; without it the generic one reads all. `warning` is told first. */
  constructor(name: string, load: (() => Promise<WorkerHost>) | null, warning: string | null = null) {
    this.#name = name
    if (warning !== null) this.#complain(`${warning}; the generic parser reads this run`)
    this.#loaded = load === null ? Promise.resolve() : this.#load(load)
  }

  /** Resolves once it is known whether the parser can be had. Lines that are read before are read by the generic one. */
  get loaded(): Promise<void> {
    return this.#loaded
  }

  /** What these lines say, in order. Never rejects. */
  async read(lines: readonly TimedLine[]): Promise<readonly ParsedLine[]> {
    const cell = this.#cell
    const asked = lines.map(({ stream, text, ts }) => {
      const trimmed = text.trim()
      // As the host does it: without the space around it, and no empty line.
      const own = stream === "stdout" && cell !== null && trimmed !== ""
      return own ? cell.parse(trimmed, new Date(ts).toISOString()) : null
    })
    const readings: ParsedLine[] = []
    for (const [index, line] of lines.entries()) {
      const question = asked[index] ?? null
      const entries = question === null ? this.#plain(line, cell) : this.#answered(line, await question)
      readings.push({ entries, complaints: this.complaints() })
    }
    return readings
  }

  /** What is still to be told; each is told once. */
  complaints(): readonly string[] {
    return this.#waiting.splice(0)
  }

  /** At the start of a run, and where one begins again: what the parser has in mind is of another one. */
  async reset(): Promise<void> {
    const answer = await this.#cell?.reset()
    if (answer !== undefined) this.#answered(null, answer)
  }

  close(): void {
    this.#cell?.close()
    this.#cell = null
  }

  async #load(load: () => Promise<WorkerHost>): Promise<void> {
    try {
      this.#cell = await load()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#complain(`${this.#name} cannot be loaded: ${why}; the generic parser reads this run`)
    }
  }

  #plain({ stream, text }: TimedLine, cell: WorkerHost | null): readonly TranscriptEntry[] {
    if (stream !== "stdout") {
      return [{ kind: "line", name: stream, text: asShown(text), isError: false, ts: null }]
    }
    return cell !== null && text.trim() === "" ? [] : [readGeneric(text)]
  }

  /** The entries of an answer, or the generic one's where there is none. */
  #answered(line: TimedLine | null, answer: WorkerReply | null): readonly TranscriptEntry[] {
    const fallback = line === null ? [] : [readGeneric(line.text)]
    if (answer === null) {
      this.#complain(`${this.#name} is out: ${this.#cell?.out ?? "it was closed"}; the generic parser reads on`)
      return fallback
    }
    const failed = (why: string): readonly TranscriptEntry[] => {
      this.#complain(`${this.#name} ${why}; the generic parser reads that line`)
      return fallback
    }
    if ("fault" in answer) return failed(`threw ${answer.fault}`)
    if (line === null) return []
    const { json } = answer
    if (json !== undefined && json.length > ANSWER_UNITS) return failed("made more than 4 MB of a line")
    const values: Json = json === undefined ? null : parse(json)
    if (!Array.isArray(values)) return failed("gave no list of entries")
    return values.flatMap(value => {
      const entry = decodeEntry(value)
      if (typeof entry !== "string") return [entry]
      this.#complain(`${this.#name} gave ${entry}: it is left out`)
      return []
    })
  }

  /** The same complaint is told once. */
  #complain(words: string): void {
    if (this.#told.has(words) || this.#told.size >= COMPLAINTS) return
    this.#told.add(words)
    this.#waiting.push(words)
  }
}

function parse(json: string): Json {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
