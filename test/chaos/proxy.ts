// Forwards between the sidecar and the agent, with the faults of a schedule.
import { connect, createServer, type Socket } from "node:net"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { FrameCutter, textFrame } from "./frames.ts"
import { type Random, randomOf } from "./random.ts"
import type { Incident, Mangling, Step } from "./schedule.ts"

export interface ProxyOptions {
  /** Where the agent listens, on 127.0.0.1. */
  readonly port: number
  readonly steps: readonly Step[]
  readonly seed: number
  /** Called with each text frame that reached the agent completely. */
  readonly arrived: (text: string) => void
}

export interface Proxy {
  readonly url: string
  /** Resolves when the schedule is over: it ends with a cut, after which there are no faults. */
  readonly calm: Promise<void>
  /** The sidecar gave up its connection: data still held is lost, as lost packets are. */
  givenUp(): void
  close(): Promise<void>
}

/** Frames that can be repeated. */
const KEPT = 300

export async function openProxy(options: ProxyOptions): Promise<Proxy> {
  const random = randomOf(options.seed ^ 0x5eed)
  const lines = new Set<Line>()
  const clients = new Set<Socket>()
  const calm = Promise.withResolvers<void>()
  const timers = new Set<Timer>()
  const steps = [...options.steps]
  let refusing: Extract<Incident, { what: "refuse" }> | null = null
  let bytes = 0
  let closed = false

  const later = (ms: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (!closed) run()
    }, ms)
    timers.add(timer)
  }
  const end = (): void => {
    for (const line of [...lines]) line.end(true)
  }
  const happen = (incident: Incident): void => {
    if (incident.what === "refuse") {
      refusing = incident
      later(incident.ms, () => {
        refusing = null
      })
      end()
    } else if (incident.what === "cut") for (const line of lines) line.cut(incident)
    else for (const line of lines) line.suffer(incident, later)
  }
  /** The next step happens once, by its bytes or by its time. */
  const next = (): void => {
    const step = steps[0]
    bytes = 0
    if (step === undefined) {
      // What the last incident does to the line takes its time.
      later(300, () => {
        end()
        calm.resolve()
      })
      return
    }
    later(step.ms, () => {
      if (steps[0] === step) take()
    })
  }
  const take = (): void => {
    const step = steps.shift()
    if (step === undefined) return
    happen(step.incident)
    next()
  }

  const server = createServer({ allowHalfOpen: false }, client => {
    clients.add(client)
    client.on("error", () => undefined)
    client.on("close", () => clients.delete(client))
    if (refusing !== null) {
      if (refusing.how === "mute") client.resume()
      else if (refusing.how === "drop") client.destroy()
      else client.end("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
      return
    }
    const line = new Line(client, connect(options.port, "127.0.0.1"), {
      arrived: options.arrived,
      random,
      came: count => {
        bytes += count
        while (steps[0] !== undefined && bytes >= steps[0].bytes) take()
      },
      over: () => lines.delete(line),
    })
    lines.add(line)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  next()
  return {
    url: `ws://127.0.0.1:${typeof address === "object" ? address?.port : 0}/ws`,
    calm: calm.promise,
    givenUp: end,
    async close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      end()
      for (const client of clients) client.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

interface LineEvents {
  readonly arrived: (text: string) => void
  /** Bytes came from the agent. */
  readonly came: (bytes: number) => void
  readonly over: () => void
  readonly random: Random
}

/** One connection, both ways. */
class Line {
  readonly #client: Socket
  readonly #agent: Socket
  readonly #events: LineEvents
  readonly #fromAgent = new FrameCutter()
  readonly #toAgent = new FrameCutter()
  /** The part of the agent's handshake received so far. */
  #greeting: Buffer | null = Buffer.alloc(0)
  #asking: Buffer | null = Buffer.alloc(0)
  #kept: string[] = []
  #mangling: { readonly how: Mangling["what"]; left: number; held: string[] } | null = null
  /** What waits, for each direction, in order. */
  readonly #waiting: { readonly down: Buffer[]; readonly up: Buffer[] } = { down: [], up: [] }
  #stalled = 0
  #delay: { readonly by: number; readonly piece: number } | null = null
  #cut: { readonly side: "down" | "up"; left: number; readonly reset: boolean } | null = null
  #over = false

  constructor(client: Socket, agent: Socket, events: LineEvents) {
    this.#client = client
    this.#agent = agent
    this.#events = events
    for (const socket of [client, agent]) {
      socket.setNoDelay(true)
      socket.on("error", () => this.end(true))
      socket.on("close", () => this.end(true))
    }
    client.on("data", (bytes: Buffer) => this.#pass("up", bytes))
    agent.on("data", (bytes: Buffer) => this.#came(bytes))
  }

  /** Held data is lost, as on a connection that is given up. */
  end(reset: boolean): void {
    if (this.#over) return
    this.#over = true
    this.#events.over()
    for (const socket of [this.#client, this.#agent]) {
      if (reset) socket.resetAndDestroy()
      else socket.destroy()
    }
  }

  cut({ side, bytes, reset }: Extract<Incident, { what: "cut" }>): void {
    this.#cut = { side, left: bytes, reset }
  }

  suffer(incident: Exclude<Incident, { what: "cut" | "refuse" }>, later: (ms: number, run: () => void) => void): void {
    switch (incident.what) {
      case "stall":
        this.#stalled++
        later(incident.ms, () => {
          this.#stalled--
          this.#pump()
        })
        break
      case "delay":
        this.#delay = incident
        later(incident.ms, () => {
          this.#delay = null
          this.#pump()
        })
        break
      case "repeat":
        // What is still held has not come once.
        this.#release()
        for (const text of this.#kept.slice(-incident.count)) this.#pass("down", textFrame(text))
        break
      default:
        this.#release()
        this.#mangling = { how: incident.what, left: incident.count, held: [] }
    }
  }

  #came(bytes: Buffer): void {
    if (this.#over) return
    let rest = bytes
    if (this.#greeting !== null) {
      this.#greeting = Buffer.concat([this.#greeting, bytes])
      const end = this.#greeting.indexOf("\r\n\r\n")
      if (end < 0) return
      rest = this.#greeting.subarray(end + 4)
      this.#pass("down", this.#greeting.subarray(0, end + 4))
      this.#greeting = null
    }
    for (const { bytes: whole, text } of this.#fromAgent.push(rest)) {
      if (text === null) this.#pass("down", whole)
      else this.#say(text)
      this.#events.came(whole.length)
    }
    // Frames change places only with those that come at the same moment: longer than 50 ms nobody waits for the first.
    if (this.#mangling !== null && this.#mangling.held.length > 0) this.#release()
  }

  #say(text: string): void {
    // An agent that starts anew has nothing of before to repeat, and nothing overtakes its start.
    if (text.includes('"runner/started"')) {
      this.#release()
      this.#kept = []
    }
    const isFirst = this.#kept.length === 0
    if (isEvent(text)) this.#kept.push(text)
    if (this.#kept.length > KEPT) this.#kept.shift()
    const mangling = this.#mangling
    // The first number of a connection says what comes next: no agent's ring is out of order.
    if (mangling === null || isFirst) {
      this.#pass("down", textFrame(text))
      return
    }
    mangling.left--
    if (mangling.how !== "drop") mangling.held.push(text)
    if (mangling.left > 0) return
    this.#release()
    this.#mangling = null
  }

  #release(): void {
    const mangling = this.#mangling
    if (mangling === null) return
    const held = mangling.held
    mangling.held = []
    const said = mangling.how === "coalesce" ? coalesced(held) : shuffled(held, this.#events.random)
    for (const text of said) this.#pass("down", textFrame(text))
  }

  #pass(side: "down" | "up", bytes: Buffer): void {
    if (this.#over) return
    const { by = 0, piece = 0 } = this.#delay ?? {}
    if (piece === 0) this.#waiting[side].push(bytes)
    else {
      for (let from = 0; from < bytes.length; from += piece)
        this.#waiting[side].push(Buffer.from(bytes.subarray(from, from + piece)))
    }
    if (by === 0) this.#pump()
    else setTimeout(() => this.#pump(), by)
  }

  #pump(): void {
    for (const side of ["down", "up"] as const) {
      const waiting = this.#waiting[side]
      while (!this.#over && this.#stalled === 0) {
        const bytes = waiting.shift()
        if (bytes === undefined) break
        this.#write(side, bytes)
      }
    }
  }

  #write(side: "down" | "up", bytes: Buffer): void {
    const cut = this.#cut
    if (cut === null || cut.side !== side || bytes.length < cut.left) {
      if (cut?.side === side) cut.left -= bytes.length
      this.#hand(side, bytes)
      return
    }
    this.#hand(side, bytes.subarray(0, cut.left))
    this.end(cut.reset)
  }

  #hand(side: "down" | "up", bytes: Buffer): void {
    if (side === "down") {
      this.#client.write(bytes)
      return
    }
    this.#agent.write(bytes)
    let rest = bytes
    if (this.#asking !== null) {
      this.#asking = Buffer.concat([this.#asking, bytes])
      const end = this.#asking.indexOf("\r\n\r\n")
      if (end < 0) return
      rest = this.#asking.subarray(end + 4)
      this.#asking = null
    }
    for (const { text } of this.#toAgent.push(rest)) if (text !== null) this.#events.arrived(text)
  }
}

const isEvent = (text: string): boolean => text.includes('"kind":"event"')

/** Events change places, and other frames overtake them, as at the hub. */
function shuffled(texts: readonly string[], random: Random): readonly string[] {
  const out = texts.filter(isEvent)
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.whole(0, i)
    const [one = "", other = ""] = [out[i], out[j]]
    out[i] = other
    out[j] = one
  }
  return [...texts.filter(text => !isEvent(text)), ...out]
}

/** Coalesces adjacent deltas of a session, as the hub does for a slow client. */
function coalesced(texts: readonly string[]): readonly string[] {
  const out: string[] = []
  for (const text of texts) {
    const joined = out.length === 0 ? null : merged(out.at(-1) ?? "", text)
    if (joined === null) out.push(text)
    else out[out.length - 1] = joined
  }
  return out
}

function merged(before: string, after: string): string | null {
  const [one, other] = [deltaOf(before), deltaOf(after)]
  if (one === null || other === null) return null
  const isSame = ["invokeid", "session-id", "type"].every(key => one.data[key] === other.data[key])
  const follows = Number(one.frame.seq) + weight(other.data) === Number(other.frame.seq)
  if (!isSame || !follows) return null
  const text = `${one.data.text}${other.data.text}`
  return JSON.stringify({
    ...other.frame,
    data: { ...other.data, text, coalesced: weight(one.data) + weight(other.data) },
  })
}

function deltaOf(text: string): { readonly frame: JsonObject; readonly data: JsonObject } | null {
  const frame: unknown = JSON.parse(text)
  if (!isObject(frame) || frame.event !== "llm/delta" || !isObject(frame.data)) return null
  return { frame, data: frame.data }
}

function weight(data: JsonObject): number {
  return typeof data.coalesced === "number" ? data.coalesced : 1
}
