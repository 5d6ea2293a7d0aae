// Defines a source of frames (a live agent, a recording or a guest) and the sink that it reports to.
import type { EncodedCommand } from "../protocol/encode.ts"
import type { Link } from "../protocol/link.ts"
import type { ReceivedFrame } from "./message.ts"

/** Receives a source's output. Calls come from the event loop, never from inside `start`. */
export interface Sink {
  /** Frames in the order in which to fold them. Never empty. */
  frames(frames: readonly ReceivedFrame[]): void
  link(link: Link): void
  /** All frames so far are void: the recording's file shrank or was replaced, and is read again from its start. */
  restart(): void
}

export interface Source {
  /** The sink must not throw: see `guarded`. */
  start(sink: Sink): void
  /** Sends a command to the agent. Returns false if nobody can take it: a recording, or a connection that is down. */
  send(command: EncodedCommand): boolean
  /** Ends everything at once and for good: timers, socket, file. */
  stop(): void
}

/** Leaves the error to the process's own handler: the source goes on, and nothing is hidden. */
const rethrow = (error: unknown): void => {
  setImmediate(() => {
    throw error
  })
}

/**
 * The most frames that a sink gets at a time: fewer than the rows whose frames are held in memory, so that none is gone
 * before the trace has read it.
 */
const MOST_FRAMES = 1000

/**
 * A sink whose methods never throw, and which gets a burst in pieces. `onFault` gets the errors instead; by default the
 * process's own handler does.
 */
export function guarded(sink: Sink, onFault: (error: unknown) => void = rethrow): Sink {
  const attempt = (call: () => void): void => {
    try {
      call()
    } catch (error) {
      onFault(error)
    }
  }
  return {
    frames(frames) {
      for (let from = 0; from < frames.length; from += MOST_FRAMES) {
        attempt(() => sink.frames(frames.slice(from, from + MOST_FRAMES)))
      }
    },
    link: link => attempt(() => sink.link(link)),
    restart: () => attempt(() => sink.restart()),
  }
}
