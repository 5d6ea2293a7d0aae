// Ends what runs have on the machine together with the server: their processes and their directories.

/** What a run has on the machine. Neither function may throw. */
interface Holding {
  /** Called at the server's SIGTERM or SIGINT. */
  readonly stop?: () => void
  /** Called when the server exits, which waits for nothing. */
  readonly drop: () => void
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const

const holdings = new Set<Holding>()

/** Ends `holding` with the server, until the returned function is called. The host's own handling stays as it is. */
export function endWithServer(holding: Holding): () => void {
  for (const signal of SIGNALS) {
    // Before the host's listeners, so that `stopAll` finds them all.
    if (!process.listeners(signal).includes(stopAll)) process.prependListener(signal, stopAll)
  }
  if (holdings.size === 0) process.on("exit", dropAll)
  holdings.add(holding)
  return () => {
    if (!holdings.delete(holding) || holdings.size > 0) return
    for (const signal of SIGNALS) process.off(signal, stopAll)
    process.off("exit", dropAll)
  }
}

function stopAll(signal: NodeJS.Signals): void {
  for (const { stop } of holdings) stop?.()
  process.off(signal, stopAll)
  // Each copy of this file that the host's reload has made listens by the same name.
  const others = process.listeners(signal)
  if (others.some(({ name }) => name !== stopAll.name)) return
  // A host that doesn't listen dies of the signal, and our listeners must not prevent that.
  dropAll()
  if (others.length === 0) process.kill(process.pid, signal)
}

function dropAll(): void {
  for (const { drop } of holdings) drop()
}
