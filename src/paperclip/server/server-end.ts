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
  if (holdings.size === 0) {
    // Before the host's listeners, so that `stopAll` can count them all.
    for (const signal of SIGNALS) process.prependListener(signal, stopAll)
    process.on("exit", dropAll)
  }
  holdings.add(holding)
  return () => {
    if (!holdings.delete(holding) || holdings.size > 0) return
    for (const signal of SIGNALS) process.off(signal, stopAll)
    process.off("exit", dropAll)
  }
}

function stopAll(signal: NodeJS.Signals): void {
  for (const { stop } of holdings) stop?.()
  if (process.listenerCount(signal) > 1) return
  // A host that doesn't listen dies of the signal, and our listener must not prevent that.
  dropAll()
  process.off(signal, stopAll)
  process.kill(process.pid, signal)
}

function dropAll(): void {
  for (const { drop } of holdings) drop()
}
