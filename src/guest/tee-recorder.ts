// Writes what an editor and its agent say to each other as frames of the wire. It has a process of its own: whatever
// happens to it, the two go on.
import { LineSplitter } from "../../packages/wire/src/files/line-splitter.ts"
import { isObject, parseJson } from "../../packages/wire/src/json.ts"
import { AcpTraffic } from "./acp/acp-traffic.ts"
import { readMessage } from "./acp/rpc.ts"
import { countOf, textOf } from "./common/fields.ts"
import { Output } from "./common/output.ts"
import { GuestEvents } from "./guest-events.ts"

export type Side = "editor" | "agent"

/** A piece of what one of them said, in base64, at `ts`, epoch ms; or how the agent ended. */
export type Told =
  | { readonly side: Side; readonly ts: number; readonly bytes: string }
  | { readonly reason: string; readonly failed: boolean }

/**
 * Records the lines of JSON of `input` until it ends. `write` puts lines behind those before; it may throw, which ends
 * the recording.
 */
export async function recordTraffic(
  name: string,
  input: AsyncIterable<Uint8Array>,
  write: (lines: readonly string[]) => void,
): Promise<void> {
  const [events, out] = [new GuestEvents(name), new Output()]
  const traffic = new AcpTraffic(out, name)
  const sides = { editor: new LineSplitter(), agent: new LineSplitter() }
  const told = new LineSplitter()
  /** A run begins with the first piece: there may be no agent. */
  const put = (now: number): void => {
    const begun = events.hasBegun ? [] : [events.begin(now)]
    const lines = [...begun, ...out.take().map(event => events.ofReader(event))]
    if (lines.length > 0) write(lines)
  }
  const read = (side: Side, line: string): void => {
    const value = line.trim().startsWith("{") ? parseJson(line) : undefined
    const message = isObject(value) ? readMessage(value) : null
    if (message === null) {
      if (line.trim() !== "") out.ofRun(`adapter/${side}`, { text: line })
    } else if (side === "agent") traffic.fromAgent(message)
    else traffic.toAgent(message)
  }
  let end: readonly [reason: string, failed: boolean] = ["acp-tee was killed", true]
  for await (const bytes of input)
    for (const line of told.push(bytes)) {
      const piece = typeof line === "string" ? parseJson(line) : undefined
      if (!isObject(piece)) continue
      const { side, ts, reason, failed } = piece
      const now = countOf(ts) ?? Date.now()
      out.begin(now, null)
      if (side === "editor" || side === "agent")
        for (const said of sides[side].push(Buffer.from(textOf(piece.bytes), "base64")))
          read(side, typeof said === "string" ? said : said.head)
      else end = [textOf(reason), failed === true]
      put(now)
    }
  if (!events.hasBegun) return
  const [reason, failed] = end
  traffic.exit(reason, failed)
  const now = Date.now()
  put(now)
  const ending = failed ? { message: reason } : { status: "done" }
  write([events.ofRun(failed ? "runner/error" : "runner/done", now, ending)])
}
