// Checks that the debugger's ops control the stream (docs/contract.md sections 3 and 9).
import { expect, test } from "bun:test"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { ScriptedOptions } from "../../src/scripted-agent/scripted-agent.ts"
import { fixture } from "../fixtures.ts"
import { attach, deltas, event, phase, prompt, Ui } from "./ui.ts"

/** A client of an agent with a debugger that plays `recording`. */
async function debugged(recording: string | string[], options: Partial<ScriptedOptions> = {}): Promise<Ui> {
  return (await attach(recording, { debug: true, ...options })).ui
}

function control(op: string, more: object = {}): object {
  return { kind: "control", op, ...more }
}

function debugs(ui: Ui): JsonObject[] {
  return ui.frames().filter(frame => frame.kind === "debug")
}

function processed(name: string): string {
  const change = { "config-before": ["a"], "config-after": ["b"], entered: ["b"], exited: ["a"], "event-data": {} }
  return event("runner/event-processed", { "event-name": name, ...change })
}

test("after a paused start, step 2 passes exactly two events, with a debug frame for the op and for its end", async () => {
  const ui = await debugged([phase("run"), ...deltas(6)], { debug: "paused" })
  await ui.settle()
  expect(debugs(ui)).toMatchObject([{ paused: true, "step-budget": 0 }])
  expect(ui.events()).toHaveLength(0)

  ui.send(control("step", { n: 2 }))
  await ui.until(() => debugs(ui).length === 3)
  await ui.settle()
  expect(ui.seqs()).toEqual([1, 2])
  expect(debugs(ui).slice(1)).toMatchObject([
    { paused: false, "step-budget": 2 },
    { paused: true, "step-budget": 0, config: ["run"] },
  ])

  ui.send(control("step"))
  await ui.until(() => debugs(ui).length === 5)
  await ui.settle()
  expect(ui.seqs()).toEqual([1, 2, 3])

  ui.send(control("continue"))
  await ui.untilFinished()
  expect(ui.seqs()).toEqual([1, 2, 3, 4, 5, 6])
  expect(debugs(ui).at(-1)).toMatchObject({ paused: false, "step-budget": 0 })
})

test("pause stops the stream until continue", async () => {
  const ui = await debugged([prompt("go#1"), ...deltas(50)])
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send(control("pause"))
  ui.send({ kind: "answer", "prompt-id": "go#1", value: "go" })
  await ui.settle()
  expect(ui.events().map(frame => frame.event)).toEqual(["human-input/answer"])
  expect(debugs(ui).at(-1)).toMatchObject({ paused: true, "step-budget": 0 })
  ui.send(control("continue"))
  await ui.untilFinished()
  expect(ui.events()).toHaveLength(51)
})

test("after arm, the run stops before the next external event and names it", async () => {
  const ui = await debugged([
    prompt("go#1"),
    ...deltas(2),
    processed("done.state.a"),
    processed("user.came"),
    event("runner/done"),
  ])
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send(control("arm"))
  ui.send({ kind: "answer", "prompt-id": "go#1", value: "go" })
  await ui.untilFrame(frame => frame.event === "debug/awaiting-step")
  await ui.settle()
  const names = ui.events().map(frame => frame.event)
  expect(names.slice(1)).toEqual(["llm/delta", "llm/delta", "runner/event-processed", "debug/awaiting-step"])
  expect(ui.events().at(-1)?.data).toEqual({ "event-name": "user.came", "external?": true })
  expect(debugs(ui).at(-1)).toMatchObject({ paused: true })
  ui.send(control("step"))
  await ui.until(() => debugs(ui).at(-1)?.paused === true && ui.events().length === 6)
  ui.send(control("continue"))
  await ui.untilFinished()
})

test("with the breakpoint armed each turn waits; turn-back only moves the pointer, turn-next releases one turn, continue all", async () => {
  const ui = await debugged(fixture("debugger"), { debug: "paused" })
  const starts = () => ui.events().filter(frame => frame.event === "llm/start").length
  const atTurn = (index: number) => ui.until(() => debugs(ui).at(-1)?.["turn-index"] === index)
  await ui.settle()

  ui.send(control("arm-llm-breakpoint"))
  ui.send(control("step", { n: 3 }))
  await atTurn(0)
  expect(debugs(ui).at(-1)).toMatchObject({ mode: "paused-at-turn", "turn-index": 0, "breakpoint-armed": false })
  expect(starts()).toBe(0)
  expect(debugs(ui).some(frame => frame["breakpoint-armed"] === true && frame.mode === "running")).toBe(true)

  ui.send(control("turn-next"))
  ui.send(control("step", { n: 100 }))
  await atTurn(1)
  expect(starts()).toBe(1)

  ui.send(control("turn-back"))
  await atTurn(0)
  await ui.settle()
  expect(starts()).toBe(1)
  ui.send(control("turn-next"))
  await atTurn(1)
  await ui.settle()
  expect(starts()).toBe(1)
  ui.send(control("turn-next"))
  await atTurn(2)
  expect(starts()).toBe(2)

  ui.send(control("continue"))
  await ui.untilFinished()
  expect(starts()).toBe(4)
  expect(debugs(ui).at(-1)).toMatchObject({ mode: "running", "turn-index": null, "breakpoint-armed": false })
})

test("without a debugger its ops have no effect and no reply", async () => {
  const ui = await debugged([prompt("go#1"), ...deltas(3)], { debug: false })
  await ui.untilFrame(frame => frame.kind === "prompt")
  for (const op of ["pause", "step", "arm", "arm-llm-breakpoint", "turn-next", "turn-back", "rerun-from", "fly"])
    ui.send(control(op))
  ui.send({ kind: "answer", "prompt-id": "go#1", value: "go" })
  await ui.untilFinished()
  expect(debugs(ui)).toEqual([])
})

test("a recording with debug frames is played with a debugger, without its own debug frames", async () => {
  const recorded = '{"kind":"debug","paused":true,"step-budget":0}'
  const { ui } = await attach([recorded, ...deltas(2)])
  await ui.untilFinished()
  expect(debugs(ui)).toMatchObject([{ paused: false }])
})

test("an interrupt is an event that changes no state; quit aborts the run and closes the connection", async () => {
  const { agent, ui } = await attach([phase("run", "a"), prompt("go#1")], { debug: true })
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send(control("ui-interrupt"))
  await ui.untilFrame(frame => frame.event === "runner/event-processed")
  expect(ui.events()[0]?.data).toMatchObject({
    "event-name": "ui.interrupt",
    "config-before": ["run", "a"],
    "config-after": ["run", "a"],
  })
  ui.send(control("ui-quit"))
  await ui.untilClosed()
  expect(ui.events().at(-1)).toMatchObject({ event: "runner/aborted", data: { reason: "quit by user" } })
  await agent.done
  expect(
    await Ui.attach(agent.url).then(
      () => "open",
      () => "refused",
    ),
  ).toBe("refused")
})

const white = { "session-id": "session/chess-1", invokeid: "mover", "node-id": "white", visit: 0 }

async function afterTheGame(options: Partial<ScriptedOptions> = {}): Promise<Ui> {
  const ui = await debugged(fixture("debugger"), options)
  await ui.untilFinished()
  return ui
}

test("a re-run starts a branch: earlier turns are captured, the turn itself is live with the overrides", async () => {
  const ui = await afterTheGame()
  const before = ui.events().length
  const messages = [{ role: "user", text: "Resign." }]
  ui.send(control("rerun-from", { ...white, turn: 2, overrides: { alias: "smart", system: "Lose.", messages } }))
  await ui.until(() => debugs(ui).at(-1)?.branch !== null)
  await ui.settle()
  expect(debugs(ui).at(-1)).toMatchObject({
    mode: "branch-running",
    branch: {
      "session-id": "session/chess-1/branch-1",
      parent: "session/chess-1",
      "branch-point": { "node-id": "white", visit: 0, turn: 2 },
    },
  })
  const branch = ui.events().slice(before)
  const said = branch.map(({ event, data }) => [event, (data as JsonObject)["replay/source"]])
  const captured = [
    ["llm/start", "captured"],
    ["llm/request", "captured"],
    ["llm/response", "captured"],
  ]
  expect(said.slice(0, 8)).toEqual([...captured, ...captured, ["llm/start", "live"], ["llm/request", "live"]])
  expect(said.slice(8, -2).every(([name, source]) => name === "llm/delta" && source === "live")).toBe(true)
  expect(said.slice(-2)).toEqual([
    ["llm/response", "live"],
    ["llm/worker-exit", "live"],
  ])
  expect(branch[7]).toMatchObject({
    data: {
      "session-id": "session/chess-1/branch-1",
      model: "smart",
      "system-preview": "Lose.",
      "user-blocks": [{ type: "text", text: "Resign." }],
    },
  })
})

test("a second re-run is a separate branch, and continue returns to the run", async () => {
  const ui = await afterTheGame()
  for (const count of [1, 2]) {
    ui.send(control("rerun-from", { ...white, turn: 0, overrides: {} }))
    await ui.until(() => debugs(ui).at(-1)?.branch !== null && debugs(ui).length === count + 1)
  }
  expect(debugs(ui).at(-1)).toMatchObject({ branch: { "session-id": "session/chess-1/branch-2" } })
  ui.send(control("continue"))
  await ui.until(() => debugs(ui).length === 4)
  expect(debugs(ui).at(-1)).toMatchObject({ mode: "running", branch: null })
})

test("a re-run that can't start says why: the turn was not captured", async () => {
  const ui = await afterTheGame()
  ui.send(control("rerun-from", { ...white, turn: 9, overrides: {} }))
  await ui.until(() => debugs(ui).length === 2)
  expect(debugs(ui)[1]).toMatchObject({
    branch: null,
    "branch-error": "turn 9 of session/chess-1 was not captured",
  })
})

test("a conversation has the messages so far, a catalog the models of the recording; recorded ones take precedence", async () => {
  const said = [
    event("llm/request", {
      invokeid: "poet",
      model: "gemma3:4b",
      "user-blocks": [{ type: "text", text: "snow" }],
      "system-preview": "Be brief.",
    }),
    event("llm/response", { invokeid: "poet", model: "gemma3:4b", content: [{ type: "text", text: "It fell." }] }),
    event("llm/request", { invokeid: "poet", model: "qwen3:8b", "user-blocks": [{ type: "text", text: "again" }] }),
  ]
  const recorded = '{"kind":"conversation","invokeid":"critic","node-id":"n","visit":0,"turns":[]}'
  const ui = await debugged([...said, recorded, prompt("go#1")], { debug: false })
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send(control("request-conversation", { invokeid: "poet", "node-id": "verse", visit: 2 }))
  ui.send(control("request-conversation", { invokeid: "critic" }))
  await ui.settle()
  const user = { role: "user", text: "snow" }
  expect(ui.frames().filter(frame => frame.kind === "conversation")).toEqual([
    {
      kind: "conversation",
      invokeid: "poet",
      "node-id": "verse",
      visit: 2,
      turns: [
        { turn: 0, model: "gemma3:4b", system: "Be brief.", messages: [user] },
        {
          turn: 1,
          model: "qwen3:8b",
          system: null,
          messages: [user, { role: "assistant", text: "It fell." }, { role: "user", text: "again" }],
        },
      ],
    },
    { kind: "conversation", invokeid: "critic", "node-id": "n", visit: 0, turns: [] },
  ])
  expect(ui.frames().at(-1)).toEqual({
    kind: "model-catalog",
    aliases: [
      { alias: "gemma3:4b", targets: [{ provider: null, model: "gemma3:4b" }] },
      { alias: "qwen3:8b", targets: [{ provider: null, model: "qwen3:8b" }] },
    ],
    preferences: null,
  })
})

test("a conversation and a re-run are of the node and visit that are named, and of no sibling", async () => {
  const ids = (n: number) => ({ invokeid: "drafter", "session-id": `drafter.${n}` })
  const asks = (n: number, visit: number, turn: number, text: string) => [
    event("llm/start", { ...ids(n), model: `m${n}`, about: text }),
    event("llm/request", {
      ...ids(n),
      model: `m${n}`,
      "user-blocks": [{ type: "text", text }],
      "io/ref": `nodes/draft-${n}/${visit}/turns/${turn}/request.edn`,
    }),
  ]
  const replies = (n: number, text: string) => event("llm/response", { ...ids(n), content: [{ type: "text", text }] })
  const ui = await debugged([
    ...asks(1, 0, 0, "Write the timeline."),
    ...asks(2, 0, 0, "Find the cause."),
    replies(2, "A cable."),
    replies(1, "At nine."),
    ...asks(1, 0, 1, "Shorter."),
    ...asks(1, 1, 0, "Once more."),
    prompt("go#1"),
  ])
  await ui.untilFrame(frame => frame.kind === "prompt")
  const request = (nodeId: string, visit: number) =>
    control("request-conversation", { invokeid: "drafter", "node-id": nodeId, visit })
  for (const one of [request("draft-1", 0), request("draft-2", 0), request("draft-1", 1)]) ui.send(one)
  const conversations = () => ui.frames().filter(frame => frame.kind === "conversation")
  await ui.until(() => conversations().length === 3)
  const texts = conversations().map(({ turns }) =>
    (turns as { turn: number; messages: { text: string }[] }[]).map(one => [
      one.turn,
      ...one.messages.map(m => m.text),
    ]),
  )
  expect(texts).toEqual([
    [
      [0, "Write the timeline."],
      [1, "Write the timeline.", "At nine.", "Shorter."],
    ],
    [[0, "Find the cause."]],
    [[0, "Once more."]],
  ])
  const op = { "session-id": "drafter.1", invokeid: "drafter", "node-id": "draft-1", visit: 1, turn: 0, overrides: {} }
  ui.send(control("rerun-from", op))
  const said = () =>
    ui
      .frames()
      .filter(frame => frame.event === "llm/request")
      .slice(4)
  await ui.until(() => said().length === 1)
  expect(said()[0]).toMatchObject({ data: { "user-blocks": [{ text: "Once more." }], "replay/source": "live" } })
})
