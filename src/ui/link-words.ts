// Words about the connection to the agent and its directory, for more than one place.
import type { Link } from "../../packages/wire/src/link.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { RenderContext } from "./line.ts"
import { duration } from "./text-width.ts"

export const NO_DIRECTORY = "No session directory. Start with --session-dir DIR"

/** Whole seconds until the next attempt. */
export function retryIn(link: Extract<Link, { state: "lost" }>, context: RenderContext): number {
  return Math.max(0, Math.ceil((link.retryAt - wallClock(context)) / 1000))
}

/** The time now, epoch ms, also while the clocks of what is shown stand. */
export function wallClock({ now, goneMs }: RenderContext): number {
  return now + (goneMs ?? 0)
}

/** When the agent was last heard, in so many columns, instead of what it does; null while it is there. */
export function lastSeenWords({ goneMs }: RenderContext, columns: number): string | null {
  if (goneMs == null) return null
  const words = `seen ${goneMs < 60_000 ? `${Math.floor(goneMs / 1000)}s` : duration(goneMs)} ago`
  return words.length + 5 > columns ? words : `last ${words}`
}

/** The host and port of an agent's URL; anything else as it is. */
export function hostOf(url: string): string {
  return sanitizeLine(URL.canParse(url) ? new URL(url).host : url)
}
