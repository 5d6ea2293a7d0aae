// Tests that a hit of the run search leads to its own session and question, and not to another of the same name.
import { expect, test } from "bun:test"
import { type FoundText, promptOfHit, sessionOfHit } from "../../../src/panels/search/search-results.ts"
import { event, line, tell } from "../../run/lines.ts"

const hit = (more: Partial<FoundText>): FoundText => ({
  ...{ run: null, who: "judge", invokeid: "judge", sessionId: "s", turn: 1, what: "reply" },
  ...{ file: "transcript.jsonl", line: 1, excerpt: "which one", from: 0, to: 5, ...more },
})

test("a hit leads to the session of its group and its id, where other groups and sessions share one of them", () => {
  const owners = [
    ["poet", "s"],
    ["judge", "t"],
    ["judge", "s"],
  ]
  const run = tell(owners.map(([invokeid, id], i) => event(i + 1, "llm/start", { invokeid, "session-id": id ?? null })))
  const found = (invokeid: string, sessionId: string | null) => {
    const session = run.sessions[sessionOfHit(run, hit({ invokeid, sessionId })) ?? -1]
    return session === undefined ? null : [run.invocations[session.invocation]?.invokeid, session.sessionId]
  }
  for (const [invokeid = "", id = ""] of owners) expect(found(invokeid, id)).toEqual([invokeid, id])
  expect([found("poet", "t"), found("cook", "s"), found("judge", null)]).toEqual([null, null, null])
})

test("a hit in a question leads to the question of its group that holds its text", () => {
  const ask = (id: string, invokeid: string, prompt: string) =>
    line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt } })
  const run = tell([
    ask("p", "poet", "say which one"),
    ask("q", "judge", "say nothing"),
    ask("r", "judge", "say which one"),
  ])
  const found = (more: Partial<FoundText>) => promptOfHit(run, hit({ what: "question", ...more }))?.frame.promptId
  expect([found({}), found({ invokeid: "poet" }), found({ excerpt: "…nothing…" })]).toEqual(["r", "p", "q"])
  expect([found({ invokeid: "cook" }), found({ what: "reply" })]).toEqual([undefined, undefined])
})
