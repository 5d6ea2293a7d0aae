// Numbers and times the events of a guest's run.
import { noteFrame } from "../../packages/wire/src/encode.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { GuestEvent } from "./common/output.ts"

/** Prints the events of one run, in order. Times are epoch ms; null if unknown. */
export class GuestEvents {
  #seq = 0

  constructor(private readonly name: string) {}

  get hasBegun(): boolean {
    return this.#seq > 0
  }

  begin(ts: number | null): string {
    return this.ofRun("runner/started", ts, { "chart-id": this.name, "session-id": "run" })
  }

  ofReader({ event, ts, data }: GuestEvent): string {
    return event === null ? JSON.stringify(data) : this.ofRun(event, ts, data)
  }

  /** An event of the run as a whole, or one that names its session itself. */
  ofRun(event: string, ts: number | null, data: JsonObject): string {
    this.#seq++
    return JSON.stringify({ kind: "event", seq: this.#seq, ts: ts ?? undefined, event, data })
  }
}

/** Notes for a recording about warnings of the parser. */
export function warningNotes(warnings: readonly string[], ts: number | null): readonly string[] {
  return warnings.map(why => noteFrame(ts, "parser", { why }).text)
}
