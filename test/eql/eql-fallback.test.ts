// Tests the API as the fallback of a socket that is down (docs/contract.md section 7), against the scripted agent.
import { afterEach, describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { Command } from "../../packages/wire/src/command.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import { encode } from "../../packages/wire/src/encode.ts"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { Eql } from "../../src/eql/eql.ts"
import { FallbackSource } from "../../src/eql/eql-fallback.ts"
import { type ScriptedAgent, type ScriptedOptions, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { socketSource } from "../../src/transport/socket.ts"
import type { Sink, Source } from "../../src/transport/source.ts"
import { agentKind, testEachAgent } from "../agent/each-kind.ts"
import { deltas, inboundOf, phase, prompt } from "../agent/ui.ts"
import { root } from "../fixtures.ts"
import { Collector } from "../transport/collector.ts"
import { ManualClock } from "../transport/manual-clock.ts"

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function run(options: Partial<ScriptedOptions> = {}): Promise<ScriptedAgent> {
  const recording = [phase("run"), prompt("go#1"), ...deltas(3)]
  const agent = await startAgent({ recording, speed: 0, hold: true, debug: true, as: agentKind(), ...options })
  closers.push(() => agent.stop())
  return agent
}

/** A started source with the socket of an agent and its API, and the number of reads of the debugger. */
function attach(agent: ScriptedAgent) {
  const sink = new Collector()
  // Of the polling only; the socket uses the real one.
  const clock = new ManualClock()
  let reads = 0
  class CountedEql extends Eql {
    override readDebugger() {
      reads += 1
      return super.readDebugger()
    }
  }
  const eql = new CountedEql({ url: agent.url })
  const source = new FallbackSource(socketSource({ url: agent.url, random: () => 0 }), eql, clock)
  closers.push(() => source.stop())
  source.start(sink)
  const send = (command: Command) => source.send({ command, text: encode(command) })
  return { sink, clock, reads: () => reads, send }
}

const stoodIn = ({ last }: Collector) => last?.state === "lost" && last.api === true
const isOpen = ({ last }: Collector) => last?.state === "open"
const debugs = ({ all }: Collector) => all.filter(frame => frame.kind === "debug")
const notes = ({ all }: Collector) => all.filter(frame => frame.kind === "note")
const isPrompt = ({ all }: Collector) => all.some(frame => frame.kind === "prompt")

function heard(agent: ScriptedAgent, frame: object): Promise<unknown> {
  return inboundOf(agent, it => isObject(it) && Bun.deepEquals(it, frame))
}

describe("against an agent", () => {
  testEachAgent(
    "an answer and ops go through the API while the socket is refused, and the socket takes over when it is back",
    async () => {
      const agent = await run()
      const { sink, clock, reads, send } = attach(agent)
      await sink.until(it => isPrompt(it) && debugs(it).length === 1)
      agent.serveSocket(false)
      await sink.until(stoodIn)
      expect(sink.states.slice(0, 3)).toEqual(["connecting", "open", "lost"])
      await sink.until(it => debugs(it).length === 2)
      expect(debugs(sink).at(-1)).toMatchObject({ paused: false, stepBudget: 0, config: ["run"] })

      expect(send({ type: "pause" })).toBe(true)
      await heard(agent, { kind: "control", op: "pause", via: "api" })
      await sink.until(it => debugs(it).at(-1)?.paused === true)

      expect(send({ type: "answer", promptId: "go#1", value: "?Qé🎉\nx" })).toBe(true)
      await heard(agent, { kind: "answer", "prompt-id": "go#1", value: "?Qé🎉\nx", via: "api" })

      expect(send({ type: "step", n: 2 })).toBe(true)
      // The API takes no count.
      await inboundOf(agent, it => isObject(it) && it.op === "step")
      const why = "1 of 2 steps were not sent: the HTTP API takes one at a time"
      expect(notes(sink)).toMatchObject([{ what: "refused", data: { op: "step", why } }])

      agent.serveSocket(true)
      await sink.until(isOpen)
      // The events of the step and of the answer were missed; the ring repeats them.
      await sink.until(it => it.seqs.includes(2))
      expect(debugs(sink).at(-1)).toMatchObject({ paused: true, stepBudget: 0 })
      const before = reads()
      expect(clock.alarms).toBe(0)
      clock.advance(10_000)
      expect(reads()).toBe(before)
      expect(send({ type: "continue" })).toBe(true)
      await heard(agent, { kind: "control", op: "continue" })
    },
  )
})

/** A source and an API that do what a script says, and what the fallback made of them since it was asked last. */
class Fallback {
  readonly #told: string[] = []
  readonly #clock = new ManualClock()
  readonly #reads: PromiseWithResolvers<JsonObject | null>[] = []
  readonly #calls: PromiseWithResolvers<boolean>[] = []
  readonly #source: FallbackSource
  #socket: Sink | null = null
  #sends = true
  #stopsAt: string | null = null

  constructor() {
    const [told, reads, calls] = [this.#told, this.#reads, this.#calls]
    const called = (what: string): Promise<boolean> => {
      told.push(`API ${what}`)
      const call = Promise.withResolvers<boolean>()
      calls.push(call)
      return call.promise
    }
    class Api extends Eql {
      override readDebugger() {
        told.push("API read")
        const read = Promise.withResolvers<JsonObject | null>()
        reads.push(read)
        return read.promise
      }
      override mutate = called
      override answer = (id: string, outcome: object) => called(`answer ${id} ${JSON.stringify(outcome)}`)
      override close = () => void told.push("API closed")
    }
    const socket: Source = {
      start: sink => {
        told.push("socket starts")
        this.#socket = sink
      },
      send: ({ command }) => {
        told.push(`socket ${command.type}${this.#sends ? "" : " refused"}`)
        return this.#sends
      },
      stop: () => void told.push("socket stopped"),
    }
    this.#source = new FallbackSource(socket, new Api({ url: "ws://127.0.0.1:1/ws" }), this.#clock)
    this.#start()
    told.length = 0
  }

  #start(): void {
    const told = this.#told
    this.#source.start({
      frames: frames => void told.push(...frames.map(({ text }) => text)),
      link: link => {
        const state = `${link.state}${link.state === "lost" && link.api ? " with API" : ""}`
        told.push(`link ${state}`)
        if (this.#stopsAt === state) this.#source.stop()
      },
      restart: () => void told.push("restart"),
    })
  }

  async do(step: string): Promise<string> {
    const [word = "", ...more] = step.split(" ")
    const [url, rest] = ["ws://127.0.0.1:1/ws", more.join(" ")]
    const doing: { readonly [word: string]: () => unknown } = {
      connecting: () => this.#socket?.link({ state: "connecting", url, attempt: 1 }),
      open: () => this.#socket?.link({ state: "open", url, since: 0 }),
      lost: () => this.#socket?.link({ state: "lost", url, since: 0, retryAt: 1, why: "", everOpen: true }),
      frame: () => this.#socket?.frames([{ frame: decode(rest), text: rest }]),
      restart: () => this.#socket?.restart(),
      ms: () => this.#clock.advance(Number(rest)),
      says: () => this.#reads.shift()?.resolve(JSON.parse(rest)),
      fails: () => this.#reads.shift()?.reject(new Error("no")),
      did: () => this.#calls.shift()?.resolve(rest === "something"),
      undid: () => this.#calls.shift()?.reject(new Error("no")),
      mute: () => {
        this.#sends = false
      },
      send: () => {
        const command = JSON.parse(rest.startsWith("{") ? rest : `{"type":"${rest}"}`)
        this.#told.push(`taken: ${this.#source.send({ command, text: encode(command) })}`)
      },
      start: () => this.#start(),
      stop: () => this.#source.stop(),
      "stop-at": () => {
        this.#stopsAt = rest
      },
    }
    doing[word]?.()
    await new Promise(setImmediate)
    return `${step}: ${this.#told.splice(0).join("; ")} (${this.#clock.alarms} timers, ${this.#reads.length} reads)`
  }
}

const SCRIPTS = await Bun.file(join(root, "fixtures/scripts/api-fallback.txt")).text()

test.each(
  SCRIPTS.trimEnd()
    .split("\n")
    .map(one => one.split(" = ")),
)("what becomes of a socket %s", async (_, script = "") => {
  const fallback = new Fallback()
  const told: string[] = []
  for (const step of script.split("|")) told.push(await fallback.do(step.trim()))
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})
