// Tests an agent of one's own over a real connection: what people see of it, and what they can do to it.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isObject } from "../../packages/wire/src/json.ts"
import { type Agent, type AgentOptions, CancelledError, createAgent, RunEndedError } from "../../src/agent/index.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { bearer, knock, Ui } from "./ui.ts"

async function start(options: Partial<AgentOptions> = {}): Promise<{ agent: Agent; directory: string; ui: Ui }> {
  const directory = join(fileScratch(), "run-1")
  const agent = await createAgent({ chart: "poem", sessionDir: directory, ...options })
  opened(() => agent.close())
  return { agent, directory, ui: await Ui.attach(agent.url, agent.token) }
}

/** The names of the events so far. */
function names(ui: Ui): unknown[] {
  return ui.events().map(frame => frame.event)
}

/** Answers the prompt that comes as the given number, counted from 1, once it has come. */
async function answer(ui: Ui, count: number, reply: object): Promise<void> {
  const prompts = () => ui.frames().filter(frame => frame.kind === "prompt")
  await ui.until(() => prompts().length >= count)
  ui.send({ kind: "answer", "prompt-id": prompts()[count - 1]?.["prompt-id"], ...reply })
}

test("a run begins with runner/started, and its session streams, ends and is numbered without gaps", async () => {
  const { agent, ui } = await start()
  const poet = agent.session("poet", { model: "rhymes-1" })
  poet.begin("Write.")
  poet.thinking("Sea?")
  poet.delta("O ")
  poet.delta("sea")
  const call = poet.tool("rhyme", { word: "sea" })
  poet.end({ usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 1 } })
  poet.result(call, "tree")
  poet.close()
  await agent.finish()
  await ui.untilClosed()
  expect(names(ui)).toEqual([
    ...["runner/started", "llm/start", "llm/request", "llm/delta", "llm/delta", "llm/delta", "llm/response"],
    ...["llm/tool-result", "llm/worker-exit", "runner/done"],
  ])
  expect(ui.seqs()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(ui.events()[6]?.data).toMatchObject({
    invokeid: "poet",
    "session-id": "poet.1",
    model: "rhymes-1",
    usage: { "input-tokens": 3, "output-tokens": 2, "cached-tokens": 1 },
    content: [
      { type: "thinking", thinking: "Sea?" },
      { type: "text", text: "O sea" },
      { type: "tool_use", id: call, name: "rhyme", input: { word: "sea" } },
    ],
  })
  expect(ui.events()[7]?.data).toMatchObject({ tool: "rhyme", "tool-use-id": call, "is-error": false })
  expect(ui.frames().at(-1)).toEqual({ kind: "control", op: "run-finished", "final-config": "[]" })
})

test("a session tells who serves its model, until a turn says otherwise", async () => {
  const { agent, ui } = await start()
  const poet = agent.session("poet", { model: "rhymes-1", provider: "acme" })
  poet.begin("Write.")
  poet.delta("O")
  poet.end()
  poet.begin({ model: "rhymes-2", provider: "other" })
  poet.end()
  await agent.finish()
  await ui.untilClosed()
  const told = ui
    .events()
    .flatMap(({ event, data }) => (isObject(data) && data.provider ? [[event, data.provider]] : []))
  expect(told).toEqual([
    ...["llm/start", "llm/request", "llm/response"].map(event => [event, "acme"]),
    ...["llm/start", "llm/request", "llm/response"].map(event => [event, "other"]),
  ])
})

test("only a client with the agent's token can attach, read the run or answer", async () => {
  const { agent, ui } = await start()
  const token = agent.token ?? ""
  expect(token).toMatch(/^[\w-]{32}$/)
  expect((await start()).agent.token).not.toBe(token)
  const wrong = [null, "x", token.slice(1), `${token}x`, token.toLowerCase().replace(/^./, "!")]
  for (const one of wrong) expect(await knock(agent.url, bearer(one))).toBe(401)
  expect(await knock(agent.url, { Authorization: token })).toBe(401)
  expect(await knock(`${agent.url}?token=${token}`, {})).toBe(401)
  expect(await knock(agent.url, bearer(token))).toBe(101)
  const answer = await fetch(agent.url.replace("ws:", "http:").replace("/ws", "/api"), { method: "POST" })
  expect(answer.status).toBe(401)
  expect(JSON.stringify([process.env, process.argv, ui.heard])).not.toContain(token)
})

test("an agent has the token it is given, or none; one that no header can carry is refused", async () => {
  expect(await knock((await start({ token: "of-mine" })).agent.url, bearer("of-mine"))).toBe(101)
  const open = await start({ token: null })
  expect(open.agent.token).toBeNull()
  expect(await knock(open.agent.url, {})).toBe(101)
  for (const token of ["", "a b", "é", "a\nb"])
    await expect(createAgent({ chart: "c", token })).rejects.toThrow(/printable/)
})

test("the session directory has the transcript, numbered from 0, and the captures that its rows name", async () => {
  const { agent, directory } = await start()
  const poet = agent.session("poet", { model: "m" })
  poet.begin({ user: "Write.", system: "Be brief.", messages: [{ role: "user", content: "Write." }] })
  poet.delta('Say "sea"')
  poet.end()
  await agent.finish()
  const rows = readFileSync(join(directory, "transcript.jsonl"), "utf8").trim().split("\n")
  const parsed: { seq: number; event: string }[] = rows.map(row => JSON.parse(row))
  expect(parsed.map(row => row.seq)).toEqual([0, 1, 2, 3, 4, 5])
  expect(parsed[1]).toMatchObject({ "transcript/node-id": "poet", "transcript/visit": 0, "transcript/turn": 0 })
  const capture = (name: string) => readFileSync(join(directory, "nodes/poet/0/turns/0", name), "utf8")
  expect(capture("request.edn")).toBe(
    '{:model "m", :system "Be brief.", :messages [{:role :user, :content "Write."}]}\n',
  )
  expect(capture("response.edn")).toBe('{:content [{:type :text, :text "Say \\"sea\\""}], :stop-reason :end_turn}\n')
})

test("each kind of question resolves with its value, and a cancelled one rejects", async () => {
  const { agent, ui } = await start()
  const text = agent.ask("Name?")
  await answer(ui, 1, { value: "Ada" })
  expect(await text).toBe("Ada")
  const confirm = agent.ask({ type: "confirm", prompt: "Sure?", default: true })
  await answer(ui, 2, { value: false })
  expect(await confirm).toBe(false)
  const select = agent.ask({ type: "select", prompt: "Which?", options: [{ label: "One", value: 1 }, 2] })
  await answer(ui, 3, { value: 1 })
  expect(await select).toBe(1)
  const multi = agent.ask({ type: "multi", prompt: "Which ones?", options: ["a", "b"] })
  await answer(ui, 4, { value: ["b"] })
  expect(await multi).toEqual(["b"])
  const cancelled = agent.ask("Really?")
  await answer(ui, 5, { cancelled: true })
  await expect(cancelled).rejects.toBeInstanceOf(CancelledError)
  await ui.untilFrame(frame => frame.event === "human-input/cancelled")
})

test("an answer that can't be one, or that is refused, leaves the question open and says why", async () => {
  const { agent, ui } = await start()
  const age = agent.ask({ prompt: "Age?", refuse: one => (/^\d+$/.test(one) ? null : "digits, please") })
  await answer(ui, 1, { value: 7 })
  await answer(ui, 2, { value: "seven" })
  await answer(ui, 3, { value: "7" })
  expect(await age).toBe("7")
  await ui.untilFrame(frame => frame.event === "human-input/answer")
  const refused = ui.events().filter(frame => frame.event === "human-input/validation-failed")
  expect(refused.map(({ data }) => data)).toMatchObject([{ errors: ["expected text"] }, { errors: ["digits, please"] }])
})

test("after the newest question is answered, a late screen is greeted with the older one; a secret is told to nobody", async () => {
  const { agent, ui } = await start()
  const older = agent.ask("Older?")
  const newer = agent.ask({ prompt: "Newer?", secret: true })
  await answer(ui, 2, { value: "hush" })
  expect(await newer).toBe("hush")
  const late = await Ui.attach(agent.url, agent.token)
  await answer(late, 1, { value: "x" })
  expect(await older).toBe("x")
  await ui.untilFrame(frame => frame.event === "human-input/answer" && JSON.stringify(frame).includes('"x"'))
  expect(ui.heard.join()).not.toContain("hush")
})

test("a paused debugger holds the agent at its gate; a step passes one gate, continue all", async () => {
  const { agent, ui } = await start({ paused: true })
  const passed: number[] = []
  const work = (async () => {
    for (let gate = 1; gate <= 4; gate += 1) {
      await agent.gate()
      passed.push(gate)
      agent.emit("test/passed", { gate })
    }
  })()
  await ui.untilFrame(frame => frame.kind === "debug" && frame.paused === true)
  expect(passed).toEqual([])
  ui.send({ kind: "control", op: "step", n: 2 })
  await ui.until(() => ui.frames().filter(frame => frame.kind === "debug" && frame.paused === true).length === 2)
  await ui.untilFrame(frame => frame.event === "test/passed" && JSON.stringify(frame.data) === '{"gate":2}')
  expect(passed).toEqual([1, 2])
  ui.send({ kind: "control", op: "continue" })
  await work
  expect(passed).toEqual([1, 2, 3, 4])
})

test("a turn breakpoint holds before the next model turn, and an armed debugger names what it waits before", async () => {
  const { agent, ui } = await start()
  await agent.gate()
  ui.send({ kind: "control", op: "arm-llm-breakpoint" })
  await ui.untilFrame(frame => frame["breakpoint-armed"] === true)
  await agent.gate()
  const turn = agent.gate({ turn: true })
  await ui.untilFrame(frame => frame.mode === "paused-at-turn")
  ui.send({ kind: "control", op: "arm" })
  ui.send({ kind: "control", op: "continue" })
  await turn
  const armed = agent.gate({ name: "publish" })
  await ui.untilFrame(frame => frame.event === "debug/awaiting-step")
  expect(ui.events().at(-1)?.data).toEqual({ "event-name": "publish", "external?": true })
  ui.send({ kind: "control", op: "continue" })
  await armed
  await ui.untilFrame(frame => frame.event === "runner/event-processed")
})

test("without a gate there is no debugger, and a late screen is greeted with states, debugger, question and events", async () => {
  const { agent, ui } = await start()
  agent.enter("planning")
  await ui.untilFrame(frame => frame.kind === "phase")
  expect(ui.frames().some(frame => frame.kind === "debug")).toBe(false)
  await agent.gate()
  const asked = agent.ask("Go?")
  const late = await Ui.attach(agent.url, agent.token)
  await late.untilFrame(frame => frame.event === "human-input/start")
  expect(late.frames().map(frame => frame.kind)).toEqual(["phase", "debug", "prompt", "event", "event", "event"])
  await answer(late, 1, { value: "y" })
  expect(await asked).toBe("y")
})

test("a person who quits ends the run: questions and gates reject, the signal aborts, and run() does not", async () => {
  const { agent, ui } = await start({ paused: true })
  const run = agent.run(async () => {
    const asked = agent.ask("Go?")
    const [question, gate] = await Promise.allSettled([asked, agent.gate()])
    expect([question, gate]).toMatchObject([
      { reason: expect.any(RunEndedError) },
      { reason: expect.any(RunEndedError) },
    ])
    await asked
  })
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send({ kind: "control", op: "ui-quit" })
  await run
  await ui.untilClosed()
  expect(agent.signal.reason).toBeInstanceOf(RunEndedError)
  expect(names(ui)).toContain("human-input/interrupted")
  expect(names(ui)).toContain("runner/aborted")
  expect(names(ui)).not.toContain("runner/done")
})

test("work that throws fails the run, and the error reaches the program", async () => {
  const { agent, ui } = await start()
  await expect(agent.run(() => Promise.reject(new Error("out of ink")))).rejects.toThrow("out of ink")
  await ui.untilClosed()
  expect(ui.events().at(-2)).toMatchObject({ event: "runner/error", data: { message: "out of ink" } })
  expect(ui.events().at(-1)).toMatchObject({ event: "runner/done", data: { status: "failed" } })
  const second = await start()
  await second.agent.finish({ code: 7 })
  await second.ui.untilClosed()
  expect(second.ui.events().at(-2)).toMatchObject({ event: "runner/error", data: { message: '{"code":7}' } })
})

test("progress starts, moves and ends a bar; an interrupt and any other command reach the program", async () => {
  const commands: string[] = []
  const interrupted = Promise.withResolvers<void>()
  const onCommand = ({ type }: { type: string }) => commands.push(type) > 0 && type !== "ui-interrupt"
  const { agent, ui } = await start({ onCommand, onInterrupt: interrupted.resolve })
  for (const fraction of [0, 0.5, 1]) agent.progress("reader", fraction, "pages")
  await ui.untilFrame(frame => frame.phase === "end")
  expect(ui.frames().filter(frame => frame.kind === "progress")).toEqual([
    { kind: "progress", phase: "start", invokeid: "reader", pct: 0, label: "pages" },
    { kind: "progress", phase: "update", invokeid: "reader", pct: 0.5, label: "pages" },
    { kind: "progress", phase: "end", invokeid: "reader", pct: 1, label: "pages" },
  ])
  ui.send({ kind: "control", op: "request-model-catalog" })
  // A command that the program takes does nothing else.
  ui.send({ kind: "control", op: "ui-quit" })
  ui.send({ kind: "control", op: "ui-interrupt" })
  await interrupted.promise
  expect(commands).toEqual(["request-model-catalog", "ui-quit", "ui-interrupt"])
  expect(agent.signal.aborted).toBe(false)
})

test("sessions of one name are told apart", async () => {
  const { agent } = await start()
  expect([agent.session("judge").id, agent.session("judge").id]).toEqual(["judge.1", "judge.2"])
})
