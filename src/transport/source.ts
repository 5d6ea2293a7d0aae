import type { Link } from "../protocol/link.ts"
import type { ReceivedFrame } from "./message.ts"

/** What a source tells whoever started it. Calls come from the event loop, never from inside `start`. */
export interface Sink {
  /** Decoded lines beside their texts, in the order in which they are to be folded. Never empty. */
  frames(batch: readonly ReceivedFrame[]): void
  link(link: Link): void
  /** What was handed over so far is void and begins again: the file of a recording shrank, or is another one. */
  restart(): void
}

/** Where frames come from: a live agent or a recording. It is all that `main` sees of the wire. */
export interface Source {
  start(sink: Sink): void
  /** Hands one line to the agent. False where there is nobody to take it: a recording, or a line that is down. */
  send(line: string): boolean
  /** Ends everything, at once and for good: timers, socket, file. */
  stop(): void
}
