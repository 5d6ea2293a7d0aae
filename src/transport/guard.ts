// Guards a source against its sink: an error that the sink throws does not end the source.
import type { Sink } from "./source.ts"

/** Leaves the error to the process's own handler: the source goes on, and nothing is hidden. */
const rethrow = (error: unknown): void => {
  setImmediate(() => {
    throw error
  })
}

/** A sink whose methods never throw. `onFault` gets the errors instead; by default the process's own handler does. */
export function guarded(sink: Sink, onFault: (error: unknown) => void = rethrow): Sink {
  const attempt = (call: () => void): void => {
    try {
      call()
    } catch (error) {
      onFault(error)
    }
  }
  return {
    frames: frames => attempt(() => sink.frames(frames)),
    link: link => attempt(() => sink.link(link)),
    restart: () => attempt(() => sink.restart()),
  }
}
