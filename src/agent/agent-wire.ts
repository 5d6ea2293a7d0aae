// The wire of an agent: its hub, and the session directory that says the same.
import type { Command } from "../../packages/wire/src/command.ts"
import { type Json, parseJson } from "../../packages/wire/src/json.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { CaptureWriter } from "./capture-writer.ts"
import { decodeCommand } from "./decode-command.ts"
import { type Envelope, Greeting, type Outgoing } from "./greeting.ts"
import { type ApiResponse, Hub } from "./hub.ts"
import { TranscriptWriter } from "./transcript-writer.ts"

export interface WireOptions {
  /** 0, the default, selects a free port. */
  readonly port?: number | undefined
  /** What a client must send; by default nothing. */
  readonly token?: string | null | undefined
  /** Where to write the transcript and captures; null writes none. */
  readonly sessionDir: string | null
  /** The length to which rows truncate texts that are captured in full; by default no limit. */
  readonly snippets?: number | undefined
  /** False to send frames with the times that they have. */
  readonly restamp?: boolean
  readonly clock?: Clock | undefined
  /** Runs a query of the API; by default there is none. */
  query?(body: string): Promise<ApiResponse>
  clientsChanged?(): void
  /** Sends a message in place of the hub. */
  outbound?(envelope: Envelope): void
  /** Every message as it came, before it is decoded. */
  heard?(text: string): unknown
  /** A command of a person. */
  command(command: Command): void
}

export class AgentWire {
  readonly greeting = new Greeting()
  readonly clock: Clock
  readonly #options: WireOptions
  readonly #transcript: TranscriptWriter | null
  readonly #captures: CaptureWriter | null
  #hub: Hub | null = null

  /** Rejects if the port is taken or the directory can't be written. */
  static async open(options: WireOptions): Promise<AgentWire> {
    const wire = new AgentWire(options)
    try {
      wire.#hub = await wire.#serve(options)
      return wire
    } catch (error) {
      wire.#transcript?.close()
      throw error
    }
  }

  private constructor(options: WireOptions) {
    const { sessionDir, snippets = null, clock = systemClock } = options
    this.#options = options
    this.clock = clock
    this.#transcript = sessionDir === null ? null : new TranscriptWriter(sessionDir)
    this.#captures = sessionDir === null ? null : new CaptureWriter(sessionDir, snippets)
  }

  #serve({ port = 0, token = null, query, clientsChanged = () => undefined }: WireOptions): Promise<Hub> {
    return Hub.open(port, this.clock, {
      greeting: () => this.greeting.lines(),
      received: text => this.receive(text),
      query: query ?? null,
      token,
      clientsChanged,
    })
  }

  get hub(): Hub {
    if (this.#hub === null) throw new Error("expected an open wire")
    return this.#hub
  }

  /** Sends a message to all clients, and keeps an event in the session directory. `whole`: what its `io/ref` names. */
  send(message: Outgoing, whole?: Json): void {
    const now = this.clock.now()
    const restamp = this.#options.restamp !== false
    const envelope = this.greeting.stamp(this.#writeToDisk(message, now, whole), now, restamp)
    if (this.#options.outbound === undefined) this.#hub?.broadcast(envelope)
    else this.#options.outbound(envelope)
  }

  /** Closes everything; `politely` lets the clients receive what was sent. */
  async close(politely: boolean): Promise<void> {
    await this.#hub?.close(politely)
    this.#transcript?.close()
  }

  /** The message as it is sent: with its texts truncated. */
  #writeToDisk(message: Outgoing, now: number, whole: Json | undefined): Outgoing {
    if (typeof message === "string" || message.kind !== "event") return message
    const event = this.#captures?.write(message, whole) ?? message
    const isTimed = this.#options.restamp === false && typeof message.ts === "number"
    this.#transcript?.add(event, (isTimed ? Number(message.ts) : now) - 1)
    return event
  }

  /** Takes a message as if a client had sent it. */
  receive(text: string): void {
    this.#options.heard?.(text)
    const command = decodeCommand(parseJson(text))
    if (command === null) return
    if (command.type === "answer" || command.type === "cancel") this.greeting.clearPrompt()
    this.#options.command(command)
  }
}
