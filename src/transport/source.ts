// Defines a source of frames (a live agent, a recording or a guest) and the sink that it reports to.
import type { EncodedCommand } from "../protocol/encode.ts"
import type { Link } from "../protocol/link.ts"
import type { ReceivedFrame } from "./message.ts"

/** Receives a source's output. Calls come from the event loop, never from inside `start`. */
export interface Sink {
  /**
   * Frames in the order in which to fold them. Never empty. A source that can wait sends more once what this returns
   * has resolved: until then, whoever reads what is printed has not taken it.
   */
  frames(frames: readonly ReceivedFrame[]): void | Promise<void>
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
 * The most frames but deltas that a sink gets at a time. They make rows: fewer than those whose frames are held in
 * memory, so that none is gone before the trace has read it.
 */
const MOST_ROWS = 1000

/**
 * A sink whose methods never throw, and which gets a burst in pieces. `onFault` gets the errors instead; by default the
 * process's own handler does.
 */
export function guarded(sink: Sink, onFault: (error: unknown) => void = rethrow): Sink {
  const attempt = <T>(call: () => T): T | undefined => {
    try {
      return call()
    } catch (error) {
      onFault(error)
      return undefined
    }
  }
  return {
    frames(frames) {
      return [...pieces(frames)].map(piece => attempt(() => sink.frames(piece))).at(-1)
    },
    link: link => attempt(() => sink.link(link)),
    restart: () => attempt(() => sink.restart()),
  }
}

/** Mostly one: a flood is of deltas, and each piece costs as much as a batch. */
function* pieces(frames: readonly ReceivedFrame[]): Generator<readonly ReceivedFrame[]> {
  let from = 0
  let rows = 0
  for (const [index, { frame }] of frames.entries()) {
    if (frame.kind === "delta" || ++rows < MOST_ROWS) continue
    yield frames.slice(from, index + 1)
    from = index + 1
    rows = 0
  }
  if (from === 0) yield frames
  else if (from < frames.length) yield frames.slice(from)
}
