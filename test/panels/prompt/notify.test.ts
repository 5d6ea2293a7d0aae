// Tests how a question alerts a person: once when it opens, never if repeated, never on a recording.
import { describe, expect, test } from "bun:test"
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
function called(batches: readonly (readonly Decoded[])[], calling: NotifyOptions = all, link: Link = live) {
  let [before, state] = [emptyState(link), emptyState(link)]
  for (const lines of batches) {
    before = state
    state = reduce(state, { type: "frames", frames: lines })
  }
  return notifyEffects(shownState(before), shownState(state), calling)
}

describe("a question that opens", () => {
  test("rings, names the window, and notifies if another window has the focus", () => {
    expect(called([[ask("judge")]])).toEqual([
      { type: "terminal/title", text: "(1) waiting · haiku" },
      { type: "terminal/bell" },
      { type: "terminal/notify", text: "judge asks: Which?" },
    ])
    expect(called([[ask("judge")]], { ...all, focused: true })).toEqual([
      { type: "terminal/title", text: "(1) waiting · haiku" },
      { type: "terminal/bell" },
    ])
  })

  test("is counted, and several at once alert once", () => {
    expect(called([[ask("a")], [ask("b")]])).toMatchObject([
      { text: "(2) waiting · haiku" },
      { type: "terminal/bell" },
      { type: "terminal/notify" },
    ])
    expect(called([[ask("a"), ask("b"), ask("c")]])).toEqual([
      { type: "terminal/title", text: "(3) waiting · haiku" },
      { type: "terminal/bell" },
      { type: "terminal/notify", text: "a asks: Which? (and 2 more)" },
    ])
  })

  test("alerts in no way that was turned off", () => {
    expect(called([[ask("a")]], { ...all, bell: false, title: false, notify: false })).toEqual([])
    expect(called([[ask("a")]], { ...all, title: false, notify: false })).toEqual([{ type: "terminal/bell" }])
  })

  test("alerts with a short text without control characters", () => {
    const hostile = ask("a\x1b]0;x\x07", `line\n\x1b[2J${"y".repeat(999)}`)
    for (const effect of called([[hostile]], { ...all, chart: "c\x07\x1b]52;" })) {
      if (effect.type !== "terminal/title" && effect.type !== "terminal/notify") continue
      expect(effect.text).not.toMatch(/[\0-\x1f\x7f-\x9f]/)
      expect(effect.text?.length).toBeLessThan(300)
    }
  })

  test("alerts again if its answer was refused", () => {
    const answer = line({ kind: "answer", "prompt-id": "a", value: "x" })
    const refused = event(1, "human-input/validation-failed", { invokeid: "a", errors: ["short"] })
    expect(called([[ask("a")], [answer], [refused]])).toMatchObject([
      { type: "terminal/title", text: "(1) waiting · haiku" },
      { type: "terminal/bell" },
      { type: "terminal/notify" },
    ])
  })
})

describe("no alert is sent", () => {
  test("for a question that the hub repeats", () => {
    expect(
      called([
        [attach, ask("a")],
        [attach, ask("a")],
      ]),
    ).toEqual([])
  })

  test("for a recording", () => {
    expect(called([[ask("a")]], all, { state: "replaying", path: "x", incompleteLength: 0 })).toEqual([])
    expect(called([[ask("a")]], all, { state: "ended", path: "x", incompleteLength: 0 })).toEqual([])
  })

  test("for anything but a question", () => {
    expect(called([[ask("a")], [event(1, "llm/start", { invokeid: "a", "session-id": "s" })]])).toEqual([])
  })
})

test("the window has its own name back when no question waits", () => {
  expect(called([[ask("a"), ask("b")], [answered(1, "a")]])).toEqual([
    { type: "terminal/title", text: "(1) waiting · haiku" },
  ])
  expect(called([[ask("a")], [answered(1, "a")]])).toEqual([{ type: "terminal/title", text: null }])
})

test("the window has the chart's name if the spawner gave none", () => {
  const started = event(0, "runner/started", { "session-id": "s", "chart-id": ":haiku/chart" })
  expect(called([[started], [ask("a")]], { ...all, chart: null })).toMatchObject([
    { text: "(1) waiting · haiku/chart" },
    {},
    {},
  ])
})
