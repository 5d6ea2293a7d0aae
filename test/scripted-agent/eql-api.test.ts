// Tests the scripted agent's API (docs/contract.md section 7) with raw transit and through the client.
import { describe, expect, test } from "bun:test"
import type { Command } from "../../packages/wire/src/command.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { Eql } from "../../src/eql/eql.ts"
import { answerApi } from "../../src/scripted-agent/eql-api.ts"
import { advance, applyCommand, nextStep, startPlayback } from "../../src/scripted-agent/playback.ts"
import { readScript } from "../../src/scripted-agent/read-script.ts"
import type { ScriptedAgent, ScriptedOptions } from "../../src/scripted-agent/scripted-agent.ts"
import { deltas, event, jsonl, phase, play, prompt, Ui } from "../agent/ui.ts"
import { opened } from "../screen/open-screens.ts"

const run = (recording: string[], options: Partial<ScriptedOptions> = {}) =>
  play(recording, { debug: true, waitForClient: false, ...options })

function eqlOf(url: string): Eql {
  const eql = new Eql({ url })
  opened(() => eql.close())
  return eql
}

const post = (agent: ScriptedAgent, body: string) =>
  fetch(`http://127.0.0.1:${agent.port}/api`, { method: "POST", body })

const CHART = {
  root: "ROOT",
  elements: [
    { id: ":run", parent: "ROOT", children: ["planning"], type: "state" },
    { id: "planning", parent: null, children: [], type: null },
  ],
}
const QUERIES = await jsonl<string>("queries")

test("each query is answered from the playback, with and without a debugger and a chart", async () => {
  const change = { "config-after": ["done"], "event-name": ":user/came" }
  const lines = [
    event("runner/event-processed", change),
    phase("run", "planning"),
    prompt("go#1"),
    event("runner/event-processed", {}),
  ]
  const told: string[] = []
  for (const [debug, ignoresCount] of [
    ["paused", false],
    [true, true],
    [false, false],
  ] as const)
    for (const query of QUERIES) {
      let { playback } = startPlayback(readScript(lines), debug)
      while (nextStep(playback).type === "line") ({ playback } = advance(playback))
      const heard: string[] = []
      const receive = (frame: JsonObject): void => {
        heard.push(JSON.stringify(frame))
        const { kind, op, n = 1, value = null, "prompt-id": promptId } = frame
        const command = kind === "answer" ? { type: kind, promptId, value } : { type: op, n }
        ;({ playback } = applyCommand(playback, command as Command))
      }
      const context = { playback: () => playback, chart: ignoresCount ? null : CHART, ignoresCount, receive }
      const { status, body } = await answerApi(query, context)
      told.push([debug, query, status, body, ...heard].join(" "))
    }
  expect(told.join("\n")).toMatchSnapshot()
})

test("a step keeps its count, but for an agent with the habits of Escapement", async () => {
  for (const as of ["scripted", "escapement"] as const) {
    const agent = await run([prompt("go#1")], { as })
    await post(agent, '[["~#list",["~$escapement.control/step",["^ ","~:n",3]]]]')
    const count = as === "scripted" ? { n: 3 } : {}
    expect(agent.inbound()).toEqual([{ kind: "control", op: "step", ...count, via: "api" }])
  }
})

describe("through the client", () => {
  test("the active states and the event that waits at the gate are read", async () => {
    const change = { "config-before": ["run"], "config-after": ["done"], entered: ["done"], exited: ["run"] }
    const agent = await run(
      [phase("run"), ...deltas(1), event("runner/event-processed", { "event-name": ":user/came", ...change })],
      { debug: "paused" },
    )
    const eql = eqlOf(agent.url)
    expect(await eql.readDebugger()).toMatchObject({ paused: true, config: [] })
    await eql.mutate("step")
    expect(await eql.readDebugger()).toEqual({
      ...{ kind: "debug", paused: true, "step-budget": 0, config: ["run"] },
      "pending-events": [{ name: "user/came", data: {}, "external?": true }],
    })
  })
})

test("the socket can be off while the API responds and the playback goes on", async () => {
  const agent = await run([phase("run"), ...deltas(3)], { socket: false, waitForClient: true })
  await agent.finished
  await expect(Ui.attach(agent.url)).rejects.toThrow("503")
  expect((await eqlOf(agent.url).readDebugger())?.config).toEqual(["run"])
  agent.serveSocket(true)
  const ui = await Ui.attach(agent.url)
  await ui.untilFrame(frame => frame.event === "llm/delta")
  agent.serveSocket(true)
  await ui.settle()
  agent.serveSocket(false)
  await ui.untilClosed()
  await expect(Ui.attach(agent.url)).rejects.toThrow("503")
})
