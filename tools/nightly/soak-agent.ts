// Plays the agent of a soak: it sends a generated load as fast as it is read.
import type { ServerWebSocket } from "bun"
import { type Load, linesOf } from "../bench/generate.ts"

/** Bytes that may wait for the sidecar before the agent stops and lets it read. */
const MOST_UNSENT = 1024 * 1024
const BURST = 512

export interface SoakAgent {
  readonly url: string
  /** Frames that were handed to the line. */
  sent(): number
  done(): boolean
  stop(): void
}

/** Sends the load to whoever attaches first, as fast as that one reads, and then says that the run is over. */
export function startAgent({ frames, ...load }: Load): SoakAgent {
  const lines = linesOf({ frames, ...load })
  let [sent, done] = [0, false]
  const pump = (socket: ServerWebSocket<unknown>): void => {
    for (let burst = 0; burst < BURST; burst++) {
      // The rest goes when this has been read.
      if (socket.getBufferedAmount() > MOST_UNSENT) return
      const next = lines.next()
      if (next.done === true) {
        if (!done)
          socket.send(
            JSON.stringify({
              kind: "event",
              seq: frames + 1,
              ts: Date.now(),
              event: "runner/done",
              data: { status: "done" },
            }),
          )
        done = true
        return
      }
      socket.send(next.value)
      sent++
    }
    setImmediate(() => pump(socket))
  }
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, own) => (own.upgrade(request, { data: null }) ? undefined : new Response(null, { status: 426 })),
    websocket: {
      open: pump,
      drain: pump,
      message: () => undefined,
      idleTimeout: 0,
      backpressureLimit: 64 * MOST_UNSENT,
    },
  })
  return {
    url: `ws://127.0.0.1:${server.port}/ws`,
    sent: () => sent,
    done: () => done,
    stop: () => void server.stop(true),
  }
}
