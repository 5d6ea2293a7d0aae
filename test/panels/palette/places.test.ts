// Tests what the palette offers to go to: which sessions, questions and rows, in which order, and in which words.
import { expect, test } from "bun:test"
import { remembering } from "../../../src/panels/palette/index.ts"
import { palettes } from "../../../src/panels/palette/palette-entry.ts"
import { placeEntries } from "../../../src/panels/palette/places.ts"
import { fold } from "../../../src/run/fold.ts"
import type { RowId } from "../../../src/run/model/id.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/store.ts"
import { changed } from "../../../src/view/view.ts"
import { event, line } from "../../run/lines.ts"
import { esc, open, Planned, stepsOn } from "../planned.ts"

const who = (name: string) => ({ invokeid: name, "session-id": name })
const start = (seq: number, name: string) => event(seq, "llm/start", who(name), 1000 + seq)
const failed = (seq: number, name: string) =>
  event(seq, "llm/error", { ...who(name), message: `no ${seq}` }, 1000 + seq)
const content = [{ type: "text", text: "so" }]
const early = [
  event(0, "runner/event-processed", { entered: ["a"], exited: [], "config-after": ["a"] }, 1000),
  ...[start(1, "done"), event(2, "llm/response", { ...who("done"), content }, 1002), start(3, "works")],
  ...[start(4, "broke"), failed(5, "broke"), start(6, "asks")],
]
const late = [
  line({ kind: "prompt", "prompt-id": "q", invokeid: "asks", type: "text", opts: { prompt: "Which\nway?" } }),
  event(9, "human-input/start", { ...who("asks"), kind: "text", prompt: "Which?" }, 1400),
  event(7, "runner/event-processed", { entered: ["b"], exited: ["a"], "config-after": ["b"] }, 1500),
  failed(8, "broke"),
]
const other = line({ kind: "prompt", "prompt-id": "r", invokeid: "done", type: "text", opts: { prompt: "Else?" } })

test("the palette offers questions, sessions that need a person, that work, the rest, then states, bookmarks and errors", () => {
  const screen = new Planned(open, [...early, ...late, other])
  const bookmarks = [3, 5, 99].map((seq, i) => ({ epoch: 0, seq, note: ["by\u001bme", "", "gone"][i] ?? "" }))
  const state = shownState(reduce(screen.state, { type: "view", change: { log: { bookmarks } } }))
  const told = (of: typeof state) =>
    placeEntries(of).map(({ kind, id, title, status, words, key, does }) =>
      [kind, id, title, status ?? "", words, key, does.type].join(" | "),
    )
  const past = { ...state, present: fold(emptyRun, early) }
  expect([...told(state), "", ...told({ ...state, run: past.present }), "", ...told(past)].join("\n")).toMatchSnapshot()
  const many = new Planned(open, [start(0, "broke"), ...Array.from({ length: 60 }, (_, i) => failed(i + 1, "broke"))])
  const errors = placeEntries(shownState(many.state)).filter(({ kind }) => kind === "error")
  expect([errors.length, errors[0]?.title, errors.at(-1)?.title]).toMatchSnapshot()
})

test("a place that is chosen is in front with nothing over it: a question with its asker, a session and not a question", () => {
  const screen = new Planned(open, [...early, ...late, other])
  const asked = screen.state.run.prompts[1]
  const works = screen.state.run.sessions.find(one => one.sessionId === "works")
  if (asked === undefined || works === undefined) throw new Error("no place")
  const row = { epoch: 0, order: 5, nth: 0 } as RowId
  const opening = { type: "palette/open" } as const
  const steps = [
    ...[{ type: "prompt/hide" } as const, opening, { type: "palette/question", key: asked.key } as const],
    ...[opening, { type: "palette/session", session: works.id } as const],
    ...[opening, { type: "palette/row", row } as const, opening, { type: "palette/close" } as const, esc],
  ]
  const stand = ({ front, view: { overlays, focus, list, log, questions } }: Planned) => [
    ...[overlays.map(one => one.type).join(" › ") || "nothing over it", focus, questions.promptHidden ? "hidden" : ""],
    ...[front ?? "no question", JSON.stringify([list.selected, log.cursor])],
  ]
  const unasked = stepsOn(new Planned(open, early), [opening, { type: "palette/session", session: works.id }], stand)
  expect([...stepsOn(screen, steps, stand), ...unasked].join("\n")).toMatchSnapshot()
  const ids = [...Array.from({ length: 25 }, (_, i) => `${i}`), "9", "23"]
  const view = ids.reduce((one, id) => changed(one, remembering(one, id)), screen.view)
  expect(palettes.of(view).chosen.join()).toBe("23,9,24,22,21,20,19,18,17,16,15,14,13,12,11,10,8,7,6,5")
})
