// Defines a source of frames (a live agent, a recording or a guest) and the sink that it reports to.
import type { EncodedCommand } from "../../packages/wire/src/encode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import type { ReceivedFrame } from "./message.ts"

/** Receives a source's output. Calls come from the event loop, never from inside `start`. */
export interface Sink {
  /**
   * Frames in the order in which to fold them: at least one, and at most what one turn of the event loop takes
   * (`TURN_UNITS`). A source that can wait sends more once what this returns has resolved: until then, whoever reads
   * what is printed has not taken it.
   */
  frames(frames: readonly ReceivedFrame[]): void | Promise<void>
  link(link: Link): void
  /** All frames so far are void: the recording's file shrank or was replaced, and is read again from its start. */
  restart(): void
}

export interface Source {
  /** The sink must not throw. */
  start(sink: Sink): void
  /** Sends a command to the agent. Returns false if nobody can take it: a recording, or a connection that is down. */
  send(command: EncodedCommand): boolean
  /** Ends everything at once and for good: timers, socket, file. */
  stop(): void
}
