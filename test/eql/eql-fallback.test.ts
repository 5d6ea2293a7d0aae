// Tests the API as the fallback of a socket that is down (docs/contract.md section 7), against the scripted agent.
import { afterEach, describe, expect, test } from "bun:test"
import type { Command } from "../../packages/wire/src/command.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import { encode } from "../../packages/wire/src/encode.ts"
import { isObject } from "../../packages/wire/src/json.ts"
import { Eql } from "../../src/eql/eql.ts"
import { FallbackSource } from "../../src/eql/eql-fallback.ts"
import { type ScriptedAgent, type ScriptedOptions, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { socketSource } from "../../src/transport/socket.ts"
import type { Sink, Source } from "../../src/transport/source.ts"
import { agentKind, testEachAgent } from "../agent/each-kind.ts"
import { deltas, inboundOf, phase, prompt } from "../agent/ui.ts"
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

interface Attached {
  readonly source: Source
  readonly sink: Collector
  /** The clock of the polling only; the socket uses the real one. */
  readonly clock: ManualClock
  /** The number of reads of the debugger. */
  reads(): number
  send(command: Command): boolean
}

/** A started source with the socket of one agent and the API of the same or another one. */
function attach(agent: ScriptedAgent, api: { readonly url: string } = agent, sink = new Collector()): Attached {
  const clock = new ManualClock()
  let reads = 0
  class CountedEql extends Eql {
    override readDebugger() {
      reads += 1
      return super.readDebugger()
    }
  }
  const eql = new CountedEql({ url: api.url })
  const source = new FallbackSource(socketSource({ url: agent.url, random: () => 0 }), eql, clock)
  closers.push(() => source.stop())
  source.start(sink)
  return { source, sink, clock, reads: () => reads, send: command => source.send({ command, text: encode(command) }) }
}

const stoodIn = ({ last }: Collector) => last?.state === "lost" && last.api === true
const isOpen = ({ last }: Collector) => last?.state === "open"
const debugs = ({ all }: Collector) => all.filter(frame => frame.kind === "debug")
const notes = ({ all }: Collector) => all.filter(frame => frame.kind === "note")
const isPrompt = ({ all }: Collector) => all.some(frame => frame.kind === "prompt")

function heard(agent: ScriptedAgent, frame: object): Promise<unknown> {
  return inboundOf(agent, it => isObject(it) && Bun.deepEquals(it, frame))
}

describe("while the socket is refused and the API answers", () => {
  testEachAgent(
    "an answer and the debugger's ops reach the agent, and the socket takes over when it is back",
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
      expect(notes(sink)).toMatchObject([
        {
          what: "refused",
          data: { op: "step", why: "1 of 2 steps were not sent: the HTTP API takes one at a time" },
        },
      ])

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

  testEachAgent("the debugger is read once a second, and reported when it changes", async () => {
    const agent = await run({ socket: false })
    const { sink, clock, reads } = attach(agent)
    await sink.until(it => stoodIn(it) && debugs(it).length === 1)
    expect(reads()).toBe(1)
    clock.advance(999)
    expect(reads()).toBe(1)
    clock.advance(1)
    expect(reads()).toBe(2)
    await clock.idle()
    expect(debugs(sink)).toHaveLength(1)

    await eqlOf(agent).mutate("pause")
    clock.advance(1000)
    await sink.until(it => debugs(it).length === 2)
    expect(debugs(sink).at(-1)).toMatchObject({ paused: true })
  })

  testEachAgent("an op that changes nothing is reported all the same, to show that it arrived", async () => {
    const agent = await run({ socket: false })
    const { sink, send } = attach(agent)
    await sink.until(it => debugs(it).length === 1)
    expect(send({ type: "arm" })).toBe(true)
    await sink.until(it => debugs(it).length === 2)
    expect(debugs(sink)[1]).toEqual(debugs(sink)[0])
  })

  testEachAgent("a message without an equivalent in the API is refused", async () => {
    const agent = await run({ socket: false })
    const { sink, send } = attach(agent)
    await sink.until(stoodIn)
    const ops = [
      "ui-interrupt",
      "ui-quit",
      "turn-next",
      "turn-back",
      "arm-llm-breakpoint",
      "request-model-catalog",
    ] as const
    for (const type of ops) expect(send({ type })).toBe(false)
    expect(send({ type: "request-conversation", invokeid: "writer" })).toBe(false)
    expect(agent.inbound()).toEqual([])
  })

  testEachAgent("without a debugger, answers are sent and nothing is polled", async () => {
    const agent = await run({ socket: false, debug: false })
    const { sink, clock, reads, send } = attach(agent)
    await sink.until(stoodIn)
    expect(clock.alarms).toBe(0)
    // Each further attempt asks anew whether the API answers.
    await sink.until(() => reads() > 1)
    expect(send({ type: "cancel", promptId: "go#1" })).toBe(true)
    await heard(agent, { kind: "answer", "prompt-id": "go#1", cancelled: true, via: "api" })
    expect(debugs(sink)).toEqual([])
  })

  testEachAgent("each further attempt reports that the API is in use, until it fails", async () => {
    const agent = await run({ socket: false })
    const { sink, clock, reads, send } = attach(agent)
    await sink.until(stoodIn)
    const before = sink.links.length
    await sink.until(it => it.links.length > before && stoodIn(it))
    expect(reads()).toBe(1)
    await clock.idle()
    await agent.stop()
    clock.advance(1000)
    await sink.until(({ last }) => last?.state === "lost" && last.api === undefined)
    expect(send({ type: "pause" })).toBe(false)
    expect(clock.alarms).toBe(0)
  })
})

testEachAgent("if neither responds, each failed attempt tries the API once, and nothing is sent", async () => {
  const agent = await run()
  await agent.stop()
  const { sink, clock, reads, send } = attach(agent)
  await sink.until(({ links }) => links.filter(({ state }) => state === "lost").length === 3)
  expect(reads()).toBeLessThanOrEqual(3)
  expect(sink.links.every(link => link.state !== "lost" || link.api === undefined)).toBe(true)
  expect(send({ type: "answer", promptId: "go#1", value: "x" })).toBe(false)
  expect(clock.alarms).toBe(0)
})

describe("if the socket is open", () => {
  testEachAgent("and reports a debugger, the API is never used", async () => {
    const agent = await run()
    const { sink, clock, reads } = attach(agent)
    await sink.until(it => debugs(it).length === 1)
    expect(clock.alarms).toBe(0)
    clock.advance(10_000)
    expect(reads()).toBe(0)
  })

  testEachAgent("and reports none, but the API has one, it is polled and its ops go through the API", async () => {
    const mute = await run({ debug: false })
    const agent = await run({ socket: false })
    const { sink, clock, reads, send } = attach(mute, agent)
    await sink.until(isPrompt)
    expect(reads()).toBe(0)
    clock.advance(1000)
    await sink.until(it => debugs(it).length === 1)
    expect(send({ type: "pause" })).toBe(true)
    await heard(agent, { kind: "control", op: "pause", via: "api" })
    await sink.until(it => debugs(it).at(-1)?.paused === true)
    expect(sink.last?.state).toBe("open")

    // Everything else goes through the socket as before.
    expect(send({ type: "answer", promptId: "go#1", value: "x" })).toBe(true)
    await heard(mute, { kind: "answer", "prompt-id": "go#1", value: "x" })
    expect(send({ type: "turn-next" })).toBe(true)
    await heard(mute, { kind: "control", op: "turn-next" })

    mute.emit('{"kind":"debug","paused":false,"step-budget":7}')
    await sink.until(it => debugs(it).at(-1)?.stepBudget === 7)
    expect(clock.alarms).toBe(0)
    expect(send({ type: "continue" })).toBe(true)
    await heard(mute, { kind: "control", op: "continue" })
  })

  testEachAgent("and reports a debugger without its pause, the API is asked until the socket tells it", async () => {
    const mute = await run({ debug: false })
    const agent = await run({ socket: false })
    await eqlOf(agent).mutate("pause")
    const { sink, clock, send } = attach(mute, agent)
    await sink.until(isPrompt)
    mute.emit('{"kind":"debug","mode":"running","turn-index":0,"breakpoint-armed":false,"branch":null}')
    await sink.until(it => debugs(it).length === 1)
    clock.advance(1000)
    await sink.until(it => debugs(it).length === 2)
    expect(debugs(sink)).toMatchObject([{ paused: null }, { paused: true, mode: null }])
    mute.emit('{"kind":"debug","paused":true,"step-budget":0}')
    await sink.until(it => debugs(it).length === 3)
    expect(clock.alarms).toBe(0)
    send({ type: "continue" })
    await heard(mute, { kind: "control", op: "continue" })
  })

  testEachAgent("and neither it nor the API has a debugger, the API is tried once", async () => {
    const agent = await run({ debug: false })
    const { sink, clock, reads } = attach(agent)
    await sink.until(isPrompt)
    clock.advance(1000)
    expect(reads()).toBe(1)
    // Its response has come once another one has.
    await eqlOf(agent).readDebugger()
    clock.advance(10_000)
    agent.emit('{"kind":"phase","config":["later"]}')
    await sink.until(({ all }) => all.some(one => one.kind === "phase" && one.config[0] === "later"))
    expect(reads()).toBe(1)
    expect(debugs(sink)).toEqual([])
  })
})

testEachAgent("a stopped source leaves no timer and no pending request, also if the sink calls it", async () => {
  const agent = await run({ socket: false })
  const { source, sink, clock } = attach(agent)
  await sink.until(it => debugs(it).length === 1)
  clock.advance(1000)
  source.stop()
  expect(clock.alarms).toBe(0)
  const before = sink.batches.length

  const stopping = new (class extends Collector {
    override link(link: Parameters<Collector["link"]>[0]): void {
      super.link(link)
      if (stoodIn(this)) second.source.stop()
    }
  })()
  const second = attach(agent, agent, stopping)
  await stopping.until(stoodIn)
  expect(second.clock.alarms).toBe(0)
  expect(stopping.batches).toEqual([])
  expect(sink.batches.length).toBe(before)
})

function eqlOf(agent: ScriptedAgent): Eql {
  const eql = new Eql({ url: agent.url })
  closers.push(() => eql.close())
  return eql
}

test("debug messages that don't say whether the agent is paused ask the API no sooner than it is due", () => {
  let reads = 0
  class Asked extends Eql {
    override readDebugger() {
      reads++
      return new Promise<never>(() => undefined)
    }
  }
  const sinks: Sink[] = []
  const socket = { start: (to: Sink) => void sinks.push(to), send: () => true, stop: () => undefined }
  const url = "ws://127.0.0.1:1/ws"
  const source = new FallbackSource(socket, new Asked({ url }), new ManualClock())
  closers.push(() => source.stop())
  source.start(new Collector())
  sinks[0]?.link({ state: "open", url, since: 0 })
  const text = '{"kind":"debug","step-budget":0}'
  for (let i = 0; i < 3; i++) void sinks[0]?.frames([{ frame: decode(text), text }])
  expect(reads).toBe(0)
})
