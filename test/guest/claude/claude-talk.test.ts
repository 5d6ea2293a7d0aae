// Talks to Claude Code as recorded: the CLI's side is that of the real one, ours is what a person's answers come to.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { root } from "../../fixtures.ts"
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

  test("always sends back one suggestion, which its label names in full", () => {
    const { talk, pairs } = played("allow-always", [["always 0"]])
    const [label, value] = [/^Always: allow Bash\(touch a\.txt\), in \.claude\/settings\.local\.json$/, "always 0"]
    const options = talk.run.prompts.find(({ frame }) => frame.type === "select")?.frame.options ?? []
    expect(options.find(option => option.value === value)?.label).toMatch(label)
    expect(JSON.stringify(pairs[0]?.[0])).toContain(
      '"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch a.txt"}],"behavior":"allow","destination":"localSettings"}]',
    )
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

  test("an input that is no JSON is refused with the reason, and nothing is sent", () => {
    const talk = new Conversation("claude")
    talk.says(request({ command: "ls" }))
    talk.answers("edit")
    talk.heard()
    talk.answers("{oops")
    expect(talk.heard()).toEqual([])
    expect(talk.run.prompts.flatMap(({ errors }) => errors)).toEqual(["expected an object of JSON"])
    talk.answers('{"command":"pwd"}')
    expect(talk.heard()).toEqual([reply({ behavior: "allow", updatedInput: { command: "pwd" } })])
  })

  test("what the CLI takes back is closed, and with --once it ends after the first result", () => {
    const talk = new Conversation("claude", { once: true })
    talk.says(request({}))
    talk.says({ type: "control_cancel_request", request_id: "r1" })
    expect(talk.questions).toEqual([])
    talk.says({ type: "result", subtype: "success", session_id: "s", result: "Done." })
    expect(talk.isOver).toBe(true)
    expect(talk.questions).toEqual([])
  })

  test("nothing that it says throws, and no question is left open", () => {
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
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), lines => {
        const talk = new Conversation("claude")
        talk.prints(...lines.map(one => JSON.stringify(one)))
        talk.interrupts()
        talk.leaves()
        const run = talk.ends(0)
        expect(run.malformed).toEqual([])
        expect(run.prompts.filter(({ state }) => state === "open")).toEqual([])
      }),
      { seed: 39, numRuns: 200 },
    )
  })
})
