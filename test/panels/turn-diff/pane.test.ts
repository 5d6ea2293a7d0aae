// Tests two turns beside each other: how they are marked, what is told of each part, and when that is told anew.
import { expect, test } from "bun:test"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import { event } from "../../run/lines.ts"
import { show } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

/** A turn of a judge, from this number on. */
function turn(seq: number, session: string, text: string, system?: string) {
  const ids = { invokeid: "judge", "session-id": session }
  const ref = {
    "io/ref": `nodes/n/0/turns/${seq}/request.edn`,
    ...(system !== undefined && { "system-preview": system }),
  }
  return [
    event(seq, "llm/start", { ...ids, model: "small" }),
    event(seq + 1, "llm/request", { ...ids, "user-blocks": [{ type: "text", text: "Which?" }], ...ref }),
    event(seq + 2, "llm/response", { ...ids, content: [{ type: "text", text }] }),
  ]
}

test("two turns of one session or of two are compared in what is known of each, once for a mark, which the same turn takes back", async () => {
  const one = [...turn(0, "judge.1", "yes"), ...turn(3, "judge.1", "no way", "Be kind"), ...turn(6, "judge.1", "no")]
  const screen = await show({ columns: 90, rows: 36 }, ...one)
  const { run } = screen.store.get()
  screen.feed(...turn(9, "judge.2", "maybe"))
  const capture = decodeCapture({ system: "s", messages: [{ role: "user", content: "Which one?" }] })
  const read = [0, 3, 6, 9].map((seq): Step => {
    const ref = `nodes/n/0/turns/${seq}/request.edn`
    return [`${seq} is read`, () => screen.store.dispatch({ type: "captured", ref, captured: { capture } })]
  })
  const said = { invokeid: "judge", "session-id": "judge.2", content: [{ type: "text", text: "or not" }] }
  const more: Step = ["more is said", () => screen.feed(event(12, "llm/response", said))]
  const narrow: Step = ["narrower", () => screen.resize(40, 36)]
  const before: Step = ["before the other", () => screen.store.dispatch({ type: "show", run })]
  const steps = ["g j enter m g =", "=", "= ] t =", "escape g =", "G =", "escape g =", "escape escape j enter ="]
  expect(await walked(screen, ...steps, more, ...read, narrow, before)).toMatchSnapshot()
})
