// Stands between a source and its sink, so that a fault of the one does not end the other.
import type { Sink } from "./source.ts"

/** Told of an error that a sink threw. */
export type OnFault = (error: unknown) => void

/** Leaves the error to the process's own handler: the source goes on, and nothing is hidden. */
export const rethrow: OnFault = error => {
  setImmediate(() => {
    throw error
  })
}

/** A sink whose methods never throw. */
export function guarded(sink: Sink, onFault: OnFault): Sink {
  const attempt = (call: () => void): void => {
    try {
      call()
    } catch (error) {
      onFault(error)
    }
  }
  return {
    frames: batch => attempt(() => sink.frames(batch)),
    link: link => attempt(() => sink.link(link)),
    restart: () => attempt(() => sink.restart()),
  }
}
