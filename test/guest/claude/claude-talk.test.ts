// Talks to Claude Code as recorded: the CLI's side is that of the real one, ours is what a person's answers come to.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { root } from "../../fixtures.ts"
import { forAll } from "../../for-all.ts"
import { Conversation } from "../conversation.ts"
import { blocksOf } from "../reading.ts"

/** One of both directions. */
interface Recorded {
  readonly dir: "in" | "out"
  readonly msg: JsonObject & { readonly message?: { readonly content: string } }
}

function recorded(name: string): readonly Recorded[] {
  const text = readFileSync(join(root, `fixtures/claude-control/2.1.331-${name}.jsonl`), "utf8")
  return text
    .trim()
    .split("\n")
    .map(line => JSON.parse(line))
}

/** A line without the ids that a client makes up. */
const core = (line: JsonObject | undefined): Json =>
  line?.type === "control_request" ? (line.request ?? null) : (line ?? null)

/** Plays a recording; `answers` are a person's to each request. Returns what we say where the recorded client said it. */
function played(name: string, answers: readonly (readonly Json[])[]): { talk: Conversation; pairs: [Json, Json][] } {
  const [first, ...rest] = recorded(name)
  const talk = new Conversation("claude", { prompt: first?.msg.message?.content ?? "" })
  const pairs: [Json, Json][] = []
  let request = 0
  for (const { dir, msg } of rest) {
    if (dir === "in") {
      talk.says(msg)
      continue
    }
    talk.heard()
    if (msg.type === "user") talk.answers(msg.message?.content ?? "")
    else if (msg.type === "control_request") talk.interrupts()
    else for (const answer of answers[request++] ?? []) talk.answers(answer)
    pairs.push([core(talk.heard().findLast(({ type }) => type === msg.type)), core(msg)])
  }
  return { talk, pairs }
}

describe("Claude Code, talked to", () => {
  test.each([
    ["allow-updated-input", [["edit", '{"command":"touch other.txt && echo other","description":"Run"}']]],
    ["deny", [["say", "Not in this directory, please."]]],
    ["ask", [["Blue", ["S", "L"]]]],
    ["three-prompts", []],
    ["interrupt-text", []],
  ])("%s: it hears what the recorded client said", (name, answers) => {
    const { talk, pairs } = played(name, answers)
    expect(pairs.length).toBeGreaterThan(0)
    for (const [said, wanted] of pairs) expect(said).toEqual(wanted)
    expect(talk.questions).toEqual(["What shall it do next?"])
    expect(talk.ends(0).status).toBe("finished")
  })

  test("an interrupted turn is no failure, and its prompts and replies stand in one session", () => {
    const { talk } = played("interrupt-text", [])
    const { run } = talk
    expect(run.sessions).toHaveLength(1)
    expect(blocksOf(run).filter(block => block.startsWith("note interrupted"))).toHaveLength(1)
    expect(run.log.errors).toBe(0)
  })

  const request = (input: Json): JsonObject => ({
    type: "control_request",
    request_id: "r1",
    request: { subtype: "can_use_tool", tool_name: "Bash", input },
  })
  const reply = (response: JsonObject): JsonObject => ({
    type: "control_response",
    response: { subtype: "success", request_id: "r1", response },
  })

  test.each([
    ["leaves", "The person who could answer has left."],
    ["cancels", "The person denied this."],
  ])("whoever %s denies what is open, in words", (how, message) => {
    const talk = new Conversation("claude")
    talk.says(request({ command: "ls" }))
    talk.heard()
    if (how === "leaves") talk.leaves()
    else talk.answers()
    expect(talk.heard()).toEqual([reply({ behavior: "deny", message })])
    expect(talk.isOver).toBe(how === "leaves")
    expect(talk.questions).toEqual([])
  })

  const calls = (id: string): JsonObject => ({
    type: "control_request",
    request_id: id,
    request: { subtype: "hook_callback", callback_id: "gate", input: { tool_name: "Read" } },
  })
  const OFFERS = {
    commands: [
      { name: "compact", description: "Shorten" },
      { name: "__own", description: "" },
    ],
    models: [
      { value: "opus", resolvedModel: "claude-opus-5-5", displayName: "Opus", description: "Best" },
      { value: "haiku", resolvedModel: "claude-haiku-4-5", displayName: "Haiku" },
    ],
    current_permission_mode: "default",
  }
  const offered = (response: JsonObject = OFFERS, id = "sidecar-1"): JsonObject => ({
    type: "control_response",
    response: { subtype: "success", request_id: id, response },
  })

  test("a pause holds the next tool whatever the mode allows, and says how to let it go", () => {
    const talk = new Conversation("claude")
    talk.heard()
    talk.says(calls("h1"))
    talk.does({ type: "pause" })
    expect(talk.run.debug?.paused).toBe(true)
    talk.says(calls("h2"))
    const decision = { hookEventName: "PreToolUse", permissionDecision: "ask" }
    const held = { hookSpecificOutput: { ...decision, permissionDecisionReason: "held by the person" } }
    expect(talk.heard()).toEqual([offered({}, "h1"), offered(held, "h2")])
    talk.says(request({ command: "ls" }))
    expect(talk.questions[0]).toStartWith("**Held by your pause.** Your answer lets it go; *continue* holds no more.")
    talk.does({ type: "continue" })
    talk.says(calls("h3"))
    expect(talk.heard()).toEqual([offered({}, "h3")])
    expect(talk.run.debug?.paused).toBe(false)
    talk.leaves()
    expect(talk.heard()).toEqual([reply({ behavior: "deny", message: "The person who could answer has left." })])
  })

  test.each([
    ["model", ["Opus – Best", "Haiku"], "haiku", { subtype: "set_model", model: "haiku" }],
    [
      "mode",
      expect.arrayContaining(["plan – reads only, and makes a plan"]),
      "plan",
      { subtype: "set_permission_mode", mode: "plan" },
    ],
  ] as const)("its %s is chosen from what it offers", (what, labels, value, wanted) => {
    const talk = new Conversation("claude")
    talk.says(offered())
    talk.heard()
    talk.chooses(what)
    expect(talk.options).toEqual(labels)
    talk.answers(value)
    expect(talk.heard().map(core)).toEqual([wanted])
    talk.says(offered({ [what]: value }, "sidecar-2"))
    expect(blocksOf(talk.run)).toContain(`note ${what}: ${value}`)
  })

  test("its own estimate of the context stands beside what the model counted", () => {
    const { talk } = played("three-prompts", [])
    talk.says(offered({ totalTokens: 16_555, maxTokens: 200_000 }, "sidecar-9"))
    expect(blocksOf(talk.run).at(-1)).toBe(
      "note context: 16,555 of 200,000 tokens by the CLI's own estimate; the model counted 3,330",
    )
  })

  test("where nobody can be asked it is denied in words, and ends with the first result", () => {
    const talk = new Conversation("claude", { asks: false })
    talk.heard()
    talk.says(request({ command: "ls" }))
    expect(talk.heard()).toEqual([reply({ behavior: "deny", message: "The person who could answer has left." })])
    talk.says({ type: "result", subtype: "success", session_id: "s", result: "Done." })
    expect(talk.isOver).toBe(true)
  })

  test("nothing that it says throws, and no question is left open", async () => {
    const type = fc.constantFrom("control_request", "control_cancel_request", "control_response", "result", "user", "x")
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ subtype: fc.constant("can_use_tool"), tool_name: fc.jsonValue(), input: fc.jsonValue() }),
    )
    const line = fc.record({
      type,
      request_id: fc.oneof(fc.constant("r"), fc.jsonValue()),
      request: body,
      response: body,
    })
    await forAll([fc.array(line, { maxLength: 20 })], { seed: 39, numRuns: 200 }, lines => {
      const talk = new Conversation("claude")
      talk.prints(...lines.map(one => JSON.stringify(one)))
      talk.interrupts()
      talk.leaves()
      const run = talk.ends(0)
      expect(run.log.malformed).toEqual([])
      expect(run.prompts.filter(({ state }) => state === "open")).toEqual([])
    })
  })
})
