// Says what is left to say when the screen is gone.
import type { Spawner } from "../cli/options.ts"
import { sanitizeFault, sanitizeLine } from "../protocol/sanitize.ts"
import { isOver, type State } from "../view/state.ts"

/** The agent that started us is gone: how to see its run again. */
export function agentGoneMessage({ sessionDir }: Spawner): string {
  const gone = "the agent that started this screen is gone"
  if (sessionDir === null) return `${gone}; opentui-sidecar replay shows its session directory`
  return `${gone}; to see its run again: escapement open ${quoted(sanitizeLine(sessionDir))}`
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** A quit that the agent never heard of is not kept for later (docs/decisions.md 3.1), so the person must know. */
export function quitMessage({ link, present }: State): string | undefined {
  const unheard = link.state === "lost" && link.everOpen && !isOver(present)
  return unheard ? "ui-quit not sent: the line is down" : undefined
}

/**
 * From now on a fault that nobody takes is told on stderr and ends the process with 1; a screen has its own way. The engine
 * would print it as it is, and live on while its entry still waits.
 */
export function endOnFault(): void {
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, end)
}

/** Ends the process and tells the fault, once whoever has the terminal has given it back. */
export function end(fault: unknown): never {
  process.once("exit", () => process.stderr.write(`opentui-sidecar: ${sanitizeFault(fault)}\n`))
  process.exit(1)
}
