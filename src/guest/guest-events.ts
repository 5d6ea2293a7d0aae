// Numbers and times the events of a guest's run, and names the session that they belong to.
import { LOG_LINE, noteFrame } from "../protocol/encode.ts"
import type { JsonObject } from "../protocol/json.ts"
import { shortId } from "./run-result-words.ts"

/** The id of a session that has told none. */
const UNNAMED = "run"

/** Prints the events of one run, in order. Times are epoch ms. */
export class GuestEvents {
  readonly #name: string
  /** The name and the id of the guest's session, as far as its output has told them. */
  session: { invokeid: string; id: string }
  /** The current line number of a saved log. */
  line: number | null = null
  #hasSession = false
  #seq = 0
  #beganTs = 0
  /** When the run ended by what its result says it took: no later event is earlier. */
  #endTs = 0

  /** `name` is the guest's. */
  constructor(name: string) {
    this.#name = name
    this.session = { invokeid: name, id: UNNAMED }
  }

  /** True once an event of the session was printed, and its output has not told its id. */
  get isUnnamed(): boolean {
    return this.#hasSession && this.session.id === UNNAMED
  }

  get hasBegun(): boolean {
    return this.#seq > 0
  }

  /** True once an event of the session was printed. */
  get hasSession(): boolean {
    return this.#hasSession
  }

  /** Names the session after its CLI and its id; null if no line has told the id. */
  nameSession(cli: string, id: string | null): void {
    this.session = id === null ? { ...this.session, invokeid: cli } : { invokeid: `${cli} ${shortId(id)}`, id }
  }

  /** The run's beginning. */
  begin(ts: number): string {
    this.#beganTs = Math.max(ts, this.#endTs)
    return this.ofRun("runner/started", ts, { "chart-id": this.#name, "session-id": UNNAMED })
  }

  /** The run has taken this long so far, ms: the lines of a log may tell no times. */
  took(ms: number): void {
    this.#endTs = this.#beganTs + ms
  }

  /** An event of the guest's session. */
  ofSession(event: string, ts: number, data: JsonObject): string {
    this.#hasSession = true
    // Deltas have no line number, because the response has those of the whole reply.
    const line = this.line === null || event === "llm/delta" ? {} : { [LOG_LINE]: this.line }
    const { invokeid, id } = this.session
    return this.ofRun(event, ts, { invokeid, "session-id": id, ...line, ...data })
  }

  /** An event of the run as a whole. */
  ofRun(event: string, ts: number, data: JsonObject): string {
    this.#seq++
    return JSON.stringify({ kind: "event", seq: this.#seq, ts: Math.max(ts, this.#endTs), event, data })
  }
}

/** Notes for a recording about warnings of the parser. */
export function warningNotes(warnings: readonly string[], ts: number): readonly string[] {
  return warnings.map(why => noteFrame(ts, "parser", { why }).text)
}
