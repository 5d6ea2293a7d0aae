// Tests how a question alerts a person: once when it opens, never if repeated, never on a recording.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { type NotifyOptions, notifyEffects } from "../../../src/panels/prompt/notify.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { emptyState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { attach, event, line } from "../../run/lines.ts"

const live: Link = { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 }
const all: NotifyOptions = { bell: true, title: true, notify: true, chart: "haiku", focused: false }

const ask = (id: string, question = "Which?") =>
  line({ kind: "prompt", "prompt-id": id, invokeid: id, type: "text", opts: { prompt: question } })
const answered = (seq: number, invokeid: string) => event(seq, "human-input/answer", { invokeid })

/** The effects of the last of these batches. */
function called(batches: readonly (readonly Decoded[])[], more: Partial<NotifyOptions> = {}, link: Link = live) {
  let [before, state] = [emptyState(link), emptyState(link)]
  for (const lines of batches) {
    before = state
    state = reduce(state, { type: "frames", frames: lines })
  }
  return notifyEffects(shownState(before), shownState(state), { ...all, ...more })
}

test("a question that opens rings, names the window, and notifies if another has the focus; nothing else does", () => {
  const refused = event(1, "human-input/validation-failed", { invokeid: "a", errors: ["short"] })
  const started = event(0, "runner/started", { "session-id": "s", "chart-id": ":haiku/chart" })
  const file = { path: "x", incompleteLength: 0 }
  const told = {
    one: called([[ask("judge")]]),
    "in the window that has the focus": called([[ask("judge")]], { focused: true }),
    "a second": called([[ask("a")], [ask("b")]]),
    "three at once": called([[ask("a"), ask("b"), ask("c")]]),
    "all is off": called([[ask("a")]], { bell: false, title: false, notify: false }),
    "only the bell": called([[ask("a")]], { title: false, notify: false }),
    "only the notification": called([[ask("a")]], { title: false, bell: false }),
    refused: called([[ask("a")], [line({ kind: "answer", "prompt-id": "a", value: "x" })], [refused]]),
    "repeated by the hub": called([
      [attach, ask("a")],
      [attach, ask("a")],
    ]),
    replayed: called([[ask("a")]], {}, { state: "replaying", ...file }),
    recorded: called([[ask("a")]], {}, { state: "ended", ...file }),
    "a session begins": called([[ask("a")], [event(1, "llm/start", { invokeid: "a", "session-id": "s" })]]),
    "one of two is answered": called([[ask("a"), ask("b")], [answered(1, "a")]]),
    "the last is answered": called([[ask("a")], [answered(1, "a")]]),
    "a name of the chart's own": called([[started], [ask("a")]], { chart: null }),
    "one that is given instead": called([[started], [ask("a")]]),
    "two more": called([[ask("a")], [ask("b"), ask("c")]]),
    hostile: called([[ask("a\x1b]0;x\x07", `line\n\x1b[2J${"y".repeat(999)}`)]], {
      chart: `c\x07\x1b]52;${"z".repeat(99)}`,
    }),
    "without any": called([[ask("a")]], { chart: null }),
  }
  const words = Object.entries(told).map(
    ([name, effects]) => `${name}: ${effects.map(one => JSON.stringify(one)).join(" ")}`,
  )
  expect(words.join("\n")).toMatchSnapshot()
})

test("a window is named anew once its agent is lost or back, and nobody is called for what was open before", () => {
  const state = reduce(emptyState(live), { type: "frames", frames: [ask("a")] })
  const ended: Link = { state: "ended", path: "x", incompleteLength: 0 }
  const shown = [state, reduce(state, { type: "link", link: ended, now: 0 })].map(one => shownState(one))
  const [open, over] = shown as [(typeof shown)[0], (typeof shown)[0]]
  expect(notifyEffects(open, over, all)).toEqual([{ type: "terminal/title", text: null }])
  expect(notifyEffects(open, open, all)).toEqual([])
})
