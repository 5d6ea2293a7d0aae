// Tests which question or page stands in front, the answer that a question starts with, and what a recording is.
import { describe, expect, test } from "bun:test"
import { reduce } from "../../src/view/reduce.ts"
import { overlayInFront } from "../../src/view/select/stack.ts"
import {
  answerable,
  emptyState,
  frontPrompt,
  goneFor,
  heldPrompt,
  isRecording,
  nextPrompt,
  promptDraftOf,
} from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import type { ViewChange } from "../../src/view/view.ts"
import { open, replaying } from "../panels/planned.ts"
import { line } from "../run/lines.ts"

const asked = (id: string, more: object = {}, type = "text") =>
  line({ kind: "prompt", "prompt-id": id, invokeid: id, type, opts: { prompt: "?", ...more } })

/** The state of a live run that asks two things, as it is shown after this change of the view. */
function state(change: ViewChange = {}, link: typeof open | typeof replaying = open) {
  const asks = reduce(emptyState(link), { type: "frames", frames: [asked("one"), asked("two")] })
  return shownState(reduce(asks, { type: "view", change }))
}

describe("the question in front", () => {
  const [one, two] = state().run.prompts
  const id = (prompt: ReturnType<typeof frontPrompt>) => prompt?.frame.promptId ?? null

  test("is the one that was chosen, else the oldest, unless questions are hidden", () => {
    expect(id(frontPrompt(state()))).toBe("one")
    expect(id(frontPrompt(state({ questions: { prompt: two?.key ?? null } })))).toBe("two")
    const hidden = state({ questions: { promptHidden: true } })
    expect([id(frontPrompt(hidden)), id(nextPrompt(hidden))]).toEqual([null, "one"])
    expect(id(frontPrompt(state({}, replaying)))).toBe(null)
  })

  test("is not one whose answer is held, unless no other is open", () => {
    if (one === undefined || two === undefined) throw new Error("expected two questions")
    const command = { type: "answer", promptId: "one", value: "x" } as const
    const heldAnswer = { key: one.key, command, words: "x", until: 1 }
    const held = state({ questions: { heldAnswer } })
    expect(answerable(held).map(({ frame }) => frame.promptId)).toEqual(["two"])
    expect([id(heldPrompt(held)), id(nextPrompt(held))]).toEqual(["one", "two"])
  })
})

describe("an answer starts", () => {
  const options = ["a", "b", "c"]
  test.each([
    ["text", {}, { text: "", cursor: 0, picked: [] }],
    ["text", { default: "Ada" }, { text: "Ada", cursor: 0, picked: [] }],
    ["select", { options, default: "b" }, { text: "", cursor: 1, picked: [] }],
    ["select", { options, default: "z" }, { text: "", cursor: 0, picked: [] }],
    ["multi", { options, default: ["c", "z", "a"] }, { text: "", cursor: 0, picked: [0, 2] }],
    ["confirm", {}, { text: "", cursor: -1, picked: [] }],
    ["confirm", { default: true }, { text: "", cursor: 0, picked: [] }],
    ["confirm", { default: false }, { text: "", cursor: 1, picked: [] }],
  ] as const)("to a %s with %j as %j", (type, more, draft) => {
    const { run, view } = reduce(emptyState(open), { type: "frames", frames: [asked("p", more, type)] })
    expect(run.prompts.map(prompt => promptDraftOf(view, prompt))).toMatchObject([{ ...draft, top: 0 }])
  })
})

test("a recording is one while it is read and once it has ended, and a live run is none", () => {
  const file = { path: "run.jsonl", incompleteLength: 0 }
  const links = [{ state: "replaying", ...file }, { state: "ended", ...file }, { state: "closed" }] as const
  expect(links.map(link => isRecording({ link }))).toEqual([true, true, false])
})

test("a page is in front only of the reader", () => {
  const overlays = [{ type: "file", name: "a.md", top: 0 } as const]
  const front = (["live", "text", "log"] as const).map(focus => overlayInFront({ overlays, focus })?.type)
  expect(front).toEqual([undefined, "file", undefined])
})

test.each<[number | null, { now?: number; isOver?: boolean; everOpen?: boolean; api?: boolean }]>([
  [5000, {}],
  [null, { now: 1500 }],
  [null, { everOpen: false }],
  [null, { api: true }],
  [null, { isOver: true }],
])("an agent whose connection is lost is gone for %p ms (%j)", (ms, { now = 6000, isOver = false, ...change }) => {
  const lost = { state: "lost", url: "", since: 1000, retryAt: 0, why: "", everOpen: true, ...change } as const
  const frames = [line({ kind: "event", seq: 1, ts: 1, event: isOver ? "runner/done" : "runner/started", data: {} })]
  const link = { type: "link", link: lost, now: 1000 } as const
  const state = shownState(reduce(reduce(emptyState(open), { type: "frames", frames }), link))
  expect(goneFor(state, now)).toBe(ms)
})
