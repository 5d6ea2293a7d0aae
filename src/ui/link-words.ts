// Words about the connection to the agent, for more than one place.
import type { Link } from "../protocol/link.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { RenderContext } from "./line.ts"

type Lost = Extract<Link, { state: "lost" }>

/** Whole seconds until the next attempt. */
export function retryIn(link: Lost, { now }: RenderContext): number {
  return Math.max(0, Math.ceil((link.retryAt - now) / 1000))
}

/** The host and port of an agent's URL; anything else as it is. */
export function hostOf(url: string): string {
  return sanitizeLine(URL.canParse(url) ? new URL(url).host : url)
}
