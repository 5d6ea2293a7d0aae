import { constants } from "node:os"

/**
 * Every signal that would end the process and can be caught. Those of the engine's own faults (SEGV, BUS, FPE, ILL,
 * TRAP) can't: a handler would return to the faulty instruction. The runtime has no name for SIGSTKFLT.
 */
const NAMES = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGTERM",
  "SIGABRT",
  "SIGUSR1",
  "SIGUSR2",
  "SIGALRM",
  "SIGXCPU",
  "SIGVTALRM",
  "SIGPROF",
  "SIGIO",
  "SIGSYS",
] as const

/** The exit code of each: 128 + its number. */
export const SIGNAL_CODES: ReadonlyMap<NodeJS.Signals, number> = new Map(
  NAMES.map(name => [name, 128 + constants.signals[name]] as const),
)
