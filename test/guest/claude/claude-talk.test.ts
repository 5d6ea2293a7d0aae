// Talks to Claude Code as recorded: the CLI's side is that of the real one, ours is what a person's answers come to.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { root } from "../../fixtures.ts"
import { forAll } from "../../for-all.ts"
import { Played } from "../talks.ts"

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

const INTERRUPT = 'do {"type":"ui-interrupt"}'

/** Plays a recording; `answers` are a person's to each request. Returns what we say where the recorded client said it. */
function played(name: string, answers: readonly (readonly Json[])[]): { talk: Played; pairs: [Json, Json][] } {
  const [first, ...rest] = recorded(name)
  const talk = new Played("claude", { prompt: first?.msg.message?.content ?? "" })
  talk.play("claude")
  const pairs: [Json, Json][] = []
  const left = [...answers]
  for (const { dir, msg } of rest) {
    if (dir === "in") {
      talk.play(`agent ${JSON.stringify(msg)}`)
      continue
    }
    const said = msg.type === "user" ? [msg.message?.content ?? ""] : (left.shift() ?? [])
    const steps = msg.type === "control_request" ? [INTERRUPT] : said.map(one => `answer ${JSON.stringify(one)}`)
    pairs.push([core(talk.play(...steps).findLast(({ type }) => type === msg.type)), core(msg)])
  }
  return { talk, pairs }
}

const asked = ({ run }: Played) => run.prompts.flatMap(({ state, frame }) => (state === "open" ? frame.question : []))

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
    expect<readonly string[]>(asked(talk)).toEqual(["What shall it do next?"])
    talk.play("ends 0")
    expect(talk.run.status).toBe("finished")
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
      const talk = new Played("claude", { prompt: "Make it." })
      talk.play("claude", ...lines.map(one => `agent ${JSON.stringify(one)}`), INTERRUPT, "leave", "ends 0")
      const { run } = talk
      expect(run.log.malformed).toEqual([])
      expect(run.prompts.filter(({ state }) => state === "open")).toEqual([])
    })
  })
})
