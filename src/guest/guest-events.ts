// Numbers and times the events of a guest's run, and names the session that they belong to.
import { LOG_LINE, noteFrame } from "../../packages/wire/src/encode.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { GuestEvent } from "./common/output.ts"

/** The id of a session that has told none. */
const UNNAMED = "run"

/** Prints the events of one run, in order. Times are epoch ms; null if nobody knows. */
export class GuestEvents {
  readonly #name: string
  /** The session that a parser's entries belong to. */
  readonly session: { readonly invokeid: string; readonly id: string }
  /** The current line number of a saved log. */
  line: number | null = null
  #hasSession = false
  #seq = 0

  /** `name` is the guest's. */
  constructor(name: string) {
    this.#name = name
    this.session = { invokeid: name, id: UNNAMED }
  }

  get hasBegun(): boolean {
    return this.#seq > 0
  }

  /** True once an event of the session was printed. */
  get hasSession(): boolean {
    return this.#hasSession
  }

  /** The run's beginning. */
  begin(ts: number | null): string {
    return this.ofRun("runner/started", ts, { "chart-id": this.#name, "session-id": UNNAMED })
  }

  /** An event of the guest's session. */
  ofSession(event: string, ts: number | null, data: JsonObject): string {
    this.#hasSession = true
    // Deltas have no line number, because the response has those of the whole reply.
    const line = this.line === null || event === "llm/delta" ? {} : { [LOG_LINE]: this.line }
    const { invokeid, id } = this.session
    return this.ofRun(event, ts, { invokeid, "session-id": id, ...line, ...data })
  }

  /** What a reader made of a line. */
  ofReader({ event, ts, data }: GuestEvent): string {
    return event === null ? JSON.stringify(data) : this.ofRun(event, ts, data)
  }

  /** An event of the run as a whole, or one that names its session itself. */
  ofRun(event: string, ts: number | null, data: JsonObject): string {
    this.#seq++
    return JSON.stringify({ kind: "event", seq: this.#seq, ...(ts !== null && { ts }), event, data })
  }
}

/** Notes for a recording about warnings of the parser. */
export function warningNotes(warnings: readonly string[], ts: number | null): readonly string[] {
  return warnings.map(why => noteFrame(ts, "parser", { why }).text)
}
