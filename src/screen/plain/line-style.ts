// How plain lines tell the time and name a session: by the name that it had when it was first printed.
import type { SessionId } from "../../run/model/id.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { sessionName } from "../../run/select/figures.ts"
import { duration, offset } from "../../ui/text-width.ts"
import type { SurfaceOptions } from "../surface.ts"

/** Writes lines of one printed run alike. */
export class LineStyle {
  readonly #names = new Map<SessionId, string>()

  constructor(private readonly times: SurfaceOptions["times"] = "full") {}

  /** The name of a session, which later siblings don't change; null if there is none. May be shown. */
  name(run: Run, index: number): string | null {
    const id = run.sessions[index]?.id
    const name = id === undefined ? null : (this.#names.get(id) ?? sessionName(run, index))
    if (id !== undefined && name !== null) this.#names.set(id, name)
    return name
  }

  /** The time of a row, with a blank behind it; empty where none is known or wanted. */
  time(run: Run, row: Row): string {
    if (this.times === "no" || row.ts === null || run.firstTs === null) return ""
    const ms = row.ts - run.firstTs
    return `${this.times === "full" ? offset(ms) : seconds(ms)} `
  }
}

function seconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  return whole < 10 ? `${whole}s` : duration(whole * 1000)
}
