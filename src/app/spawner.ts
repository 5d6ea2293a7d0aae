// Notices that the agent which started this process, or the terminal, is gone, and says how to see the run again.
import { isatty } from "node:tty"
import { shellWord } from "../../packages/wire/src/sanitize.ts"
import type { Spawner } from "../cli/options.ts"
import { type Clock, systemClock } from "../transport/clock.ts"

/** Ms between checks, so that the end of the agent is noticed well within 2 s (docs/decisions.md 3.6). */
const CHECK_MS = 500

/** Calls `gone` once process `pid`, our parent, has ended: then we get another parent. Keeps no process alive. */
export function watchSpawner(pid: number, gone: () => void, clock: Clock = systemClock): void {
  watch(() => process.ppid === pid, gone, clock)
}

/** Calls `gone` once the terminal of stdout is gone. SIGHUP reaches only the processes that the terminal controls. */
export function watchTerminal(gone: () => void, clock: Clock = systemClock): void {
  if (process.stdout.isTTY) watch(() => isatty(process.stdout.fd), gone, clock)
}

function watch(isThere: () => boolean, gone: () => void, clock: Clock): void {
  const check = (): void => {
    if (isThere()) clock.after(CHECK_MS, check, false)
    else gone()
  }
  clock.after(CHECK_MS, check, false)
}

/** What the screen says once the agent that spawned it is gone. */
export function spawnerGoneMessage({ sessionDir }: Spawner): string {
  const gone = "the agent that started this screen has exited"
  if (sessionDir === null) return `${gone}; to see the run again: opentui-sidecar replay SESSION-DIR`
  return `${gone}; to see the run again: escapement open ${shellWord(sessionDir)}`
}
