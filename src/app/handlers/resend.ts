// Knows when a line that came back has settled, so that kept answers may be sent again.
import type { Decoded } from "../../protocol/frame.ts"
import type { Link } from "../../protocol/link.ts"

/** An agent that repeats no event within this time after an attachment has none to repeat, ms. */
const QUIET_MS = 300

/**
 * Calls `send` once for each time the line opens: after the first events, since only they tell whether this is still
 * the run that asked (docs/decisions.md 3.1), or after a short silence; and once when the
 * agent's API begins to stand in for the line.
 */
export function resender(send: () => void): { link(link: Link): void; frames(lines: readonly Decoded[]): void } {
  let timer: Timer | null = null
  let wasByApi = false
  const settle = (): void => {
    if (timer === null) return
    clearTimeout(timer)
    timer = null
    send()
  }
  return {
    link(link) {
      const byApi = link.state === "lost" && link.api === true
      // The API repeats no events: what it may take, it takes at once.
      if (byApi && !wasByApi) send()
      wasByApi = byApi
      if (timer !== null) clearTimeout(timer)
      timer = link.state === "open" ? setTimeout(settle, QUIET_MS) : null
    },
    frames(lines) {
      if (timer !== null && lines.some(line => line.kind === "event" || line.kind === "delta")) settle()
    },
  }
}
