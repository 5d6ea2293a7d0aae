// Words about the line to the agent that more than one place says.

import type { Link } from "../protocol/link.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { RenderContext } from "./render-context.ts"

type Lost = Extract<Link, { state: "lost" }>

/** Whole seconds until the next attempt. */
export function retryIn(link: Lost, look: RenderContext): number {
  return Math.max(0, Math.ceil((link.retryAt - look.now) / 1000))
}

/** The host and port of an agent's URL, the URL itself where it is none. */
export function hostOf(url: string): string {
  return sanitizeLine(URL.canParse(url) ? new URL(url).host : url)
}
