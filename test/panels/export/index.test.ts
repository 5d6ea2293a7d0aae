// Tests the keys y, Y and x: what they offer for the selection, and which effects they have.
import { expect, test } from "bun:test"
import { features } from "../../../src/panels/plan.ts"
import { createStore } from "../../../src/view/store.ts"
import { event, line, tell } from "../../run/lines.ts"
import { replay, type Shown, SIZES, show } from "../../screen/screen.tsx"
import { open, Planned } from "../planned.ts"
import { type Step, walked } from "../steps.ts"

const ids = { invokeid: "poet", "session-id": "poet-1" }
const lines = [
  event(1, "llm/start", { ...ids, model: "m" }),
  event(2, "llm/request", { ...ids, "user-blocks": [{ type: "text", text: "Write." }] }),
  event(3, "llm/response", {
    ...ids,
    content: [
      { type: "text", text: "Snow \u001b[2J falls" },
      { type: "tool_use", name: "save", input: { path: "a" } },
    ],
    "io/ref": "nodes/poet/0/turns/0/response.edn",
  }),
]

const copied = (screen: Shown) =>
  screen.effects.flatMap(effect => (effect.type === "clipboard/copy" ? [[effect.what, effect.text]] : []))

test.each(SIZES)(
  "y offers the texts at the cursor, the nearest first, and copies the chosen one, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ link: replay, columns, rows })
    screen.store.dispatch({ type: "directory", directory: { path: "/runs/tea", error: null } })
    const come: Step = ["a session", () => screen.feed(...lines, event(4, "llm/start", { ...ids, model: "m" }))]
    const steps = ["y", "o", come, "y", "enter", "y j enter", "y j j j enter", "y G enter", "o"]
    const text = ["enter y", "escape g y", "enter", "g j j j j y enter", "j j j y enter"]
    const delta = event(5, "llm/delta", { ...ids, type: "text-delta", text: "More" })
    const writes: readonly Step[] = [["it writes", () => screen.feed(delta)], "o", "escape escape"]
    const log = ["shift-tab y", "enter", "k k y", "j enter", "y j j enter", "y j j j enter", "y G k enter", "y G enter"]
    const end = ["f 'said' enter o", "enter y", "enter", "D o", "escape escape", "T", "y", "o", "x", "x"]
    expect(await walked(screen, ...steps, ...text, ...writes, ...log, ...end)).toMatchSnapshot()
  },
)

test("y offers a question's text and its data, and what was typed for those that closed first, the last one first", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  const opts = (id: string) => ({ prompt: `Why ${id}?` })
  const asks = (id: string, seq: number): Step => [
    `${id} is asked`,
    () => {
      screen.feed(line({ kind: "prompt", "prompt-id": id, invokeid: "poet", type: "text", opts: opts(id) }))
      screen.feed(event(seq, "human-input/start", { invokeid: "poet", kind: "text", ...opts(id) })).listen()
    },
  ]
  const closes = (seq: number): Step => [
    "it closed",
    () =>
      screen
        .pass(3000)
        .feed(event(seq, "human-input/answer", { invokeid: "poet", answer: "x" }))
        .pass(5000),
  ]
  const typed = [asks("a", 0), "'  because'", closes(1), asks("b", 2), "'twice'", closes(3)]
  const blocks = Array.from({ length: 10 }, (_, i) => ({ type: "text", text: `part ${i}` }))
  const parts: Step = ["a reply of ten parts", () => screen.feed(event(9, "llm/response", { ...ids, content: blocks }))]
  const steps = ["y", "j enter", "shift-tab k enter y", "enter", "y j enter", "y G k enter", "y G enter"]
  const past: Step = ["before it was asked", () => screen.store.dispatch({ type: "show", run: tell([]) })]
  expect(await walked(screen, ...typed, ...steps, past, "y enter", parts, "escape G y")).toMatchSnapshot()
})

test("y waits for a text that is read back from disk, and copies nothing if it is missing", async () => {
  const store = createStore({ ...features, link: replay, given: { rowWindow: 0, textBudget: 0 } })
  const screen = await show({ store, link: replay })
  const reply = (seq: number, text: string) => [
    event(seq, "llm/start", { ...ids, model: "m" }),
    event(seq + 1, "llm/response", { ...ids, content: [{ type: "text", text }] }),
  ]
  screen.feed(...reply(1, "first"), ...reply(3, "second"), ...reply(5, "third"))
  expect(copied(screen.press("y", "enter"))).toEqual([])
  expect(screen.store.get().view.overlays).toMatchObject([{ type: "copy" }])
  expect(await screen.text()).toContain("Still reading the files")
  expect(screen.effects.filter(({ type }) => type === "texts/recall")).not.toEqual([])
  const menu = new Planned(open, lines).ask({ type: "pane/focus", pane: "log" }).ask({ type: "sort/open" })
  expect(menu.ask({ type: "copy/open" }).said).toBe("Nothing here to copy")
  expect(screen.press("escape", "o").effects.filter(({ type }) => type === "pager/show")).toEqual([])
})

test("x offers the run and the session in each format, with what the file will hold", async () => {
  const screen = await show({ link: replay, columns: 80, rows: 24 }, ...lines)
  const content = [{ type: "text", text: "The **pond**\u202e freezes.\nTwice." }]
  const second = { invokeid: "poet", "session-id": "p2" }
  const comes = (name: string, ...frames: typeof lines): Step => [name, () => screen.feed(...frames)]
  const more = comes(
    "another session",
    event(90, "llm/start", second),
    event(91, "llm/response", { ...second, content }),
  )
  const third = comes("one without words", event(92, "llm/start", { invokeid: "cook", "session-id": "c" }))
  const none = await show({ columns: 80, rows: 24 })
  const every = ["x enter", "x j enter", "x j j enter", "x j j j enter", "x G k enter", "x G enter"]
  expect([
    await walked(screen, more, "G x", "escape", ...every, third, "G x"),
    await walked(none, "x"),
  ]).toMatchSnapshot()
})

test("copies the true path of a file whose name has control characters, and offers its text by its first words", async () => {
  const screen = await show({ link: replay })
  const blanks = "\n".repeat(200)
  const name = "artifacts/a\u001b[2J\u202eb.md"
  const open = { name, title: "a.md", text: `${blanks}# \u001b[2JTea`, why: null, isCut: false }
  screen.store.dispatch({ type: "directory", directory: { path: "/runs/\u009b1", error: null } })
  screen.store.dispatch({ type: "files", change: { open } })
  screen.store.dispatch({ type: "view", change: { overlays: [{ type: "file", name, top: 0 }] } })
  expect(copied(screen.press("y", "enter", "y", "j", "enter"))).toEqual([
    ["path", `/runs/\u009b1/${name}`],
    ["the file", `${blanks}# ␛[2JTea`],
  ])
  expect(await screen.press("y").row("the file")).toContain("# ␛[2JTea")
})

test("X saves a page about the moment: that of the log row under the cursor, else the one shown, of a live run by its seq", async () => {
  const screen = await show({ link: replay }, ...lines, event(4, "llm/start", { ...ids, model: "m" }))
  const alive = await show({}, ...lines)
  const zero = await show({}, event(0, "runner/started"))
  const begun = await show({}, line({ kind: "phase", config: ["tea"] }), event(null, "app/note"))
  screen.choose("save a page").store.dispatch({ type: "view", change: { focus: "log" } })
  screen.press("g", "j", "j").choose("save a page").press("enter").choose("save a page")
  const saved = [screen, alive.choose("save a page"), ...[begun, zero].map(one => one.choose("save a page"))].map(
    ({ effects }) => effects.flatMap(effect => (effect.type === "moment/export" ? [effect.moment] : [])),
  )
  const row = { frame: 3, at: "#3", ts: 1003, session: 0, turn: 1 }
  expect(saved).toMatchObject([
    [{ frame: 4, at: "#4", ts: 1004, session: 0, turn: 2 }, row, row],
    [{ at: "e1/3" }],
    [{ at: "#2" }],
    [{ at: "e1/0" }],
  ])
  // In the past it is the row of the moment that is copied.
  alive.store.dispatch({ type: "show", run: tell(lines.slice(0, 2)) })
  expect(copied(alive.press("shift-tab", "y", "enter"))).toEqual([["row", "poet  asked  Write."]])
})
