// Tests the keys y, Y and x: what they offer for the selection, and which effects they have.
import { describe, expect, test } from "bun:test"
import { features } from "../../../src/panels/plan.ts"
import { createStore } from "../../../src/view/store.ts"
import { event } from "../../run/lines.ts"
import { NOW, replay, type Shown, SIZES, show } from "../../screen/screen.tsx"

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

/** The rows of the menu in front. */
async function offered(screen: Shown): Promise<readonly string[]> {
  const rows = await screen.rows()
  const top = rows.findIndex(row => /┌─ (?:COPY|EXPORT) /.test(row))
  const left = /┌─ (?:COPY|EXPORT) /.exec(rows[top] ?? "")?.index ?? 0
  const inside = rows.slice(top + 1).map(row =>
    row
      .slice(left + 4, left + 70)
      .trim()
      .replace(/ {2,}.*/, ""),
  )
  return inside.slice(
    0,
    inside.findIndex(text => text.startsWith("of ")),
  )
}

const copied = (screen: Shown) =>
  screen.effects.flatMap(effect => (effect.type === "clipboard/copy" ? [[effect.what, effect.text]] : []))

describe("the copy menu", () => {
  test("offers the texts of a session, and copies the chosen one", async () => {
    const screen = await show({ link: replay }, ...lines)
    expect(await offered(screen.press("y"))).toEqual(["reply", "row", "session id", "JSON", "the transcript"])
    expect(copied(screen.press("enter"))).toEqual([["reply", "Snow ␛[2J falls"]])
    expect(screen.store.get().view.overlays).toEqual([])
    expect(copied(screen.press("y", "G", "enter"))[1]).toEqual([
      "the transcript",
      'user\nWrite.\n\ntext\nSnow ␛[2J falls\n\ntool-call: save\n{"path":"a"}',
    ])
    screen.press("y", "j", "j", "j", "enter")
    expect(JSON.parse(copied(screen)[2]?.[1] ?? "")).toMatchObject({ sessionId: "poet-1", turns: 1, model: "m" })
  })

  test("offers no block of a transcript that follows its end, where none is under the cursor", async () => {
    const screen = await show({ link: replay }, ...lines, event(4, "llm/start", { ...ids, model: "m" }))
    expect((await offered(screen.press("enter", "y"))).filter(one => one.startsWith("block"))).toEqual([])
    screen.press("escape", "g", "y")
    expect((await offered(screen)).filter(one => one.startsWith("block"))).toEqual(["block: user"])
  })

  test("copies the true path of a file whose name has control characters", async () => {
    const screen = await show({ link: replay })
    const name = "artifacts/a\u001b[2J\u202eb.md"
    const open = { name, title: "a.md", text: "# \u001b[2JTea", why: null, isCut: false }
    screen.store.dispatch({ type: "directory", directory: { path: "/runs/\u009b1", error: null } })
    screen.store.dispatch({ type: "files", change: { open } })
    screen.store.dispatch({ type: "view", change: { overlays: [{ type: "file", name, top: 0 }] } })
    expect(copied(screen.press("y", "enter", "y", "j", "enter"))).toEqual([
      ["path", `/runs/\u009b1/${name}`],
      ["the file", "# ␛[2JTea"],
    ])
  })

  test("opens over what it copies from, and shows how each text begins", async () => {
    const screen = await show({ link: replay })
    screen.feed(
      event(0, "llm/start", ids, NOW),
      event(1, "llm/response", { ...ids, content: [{ type: "text", text: "\n\nTea is ready.\nMilk?" }] }, NOW),
    )
    const shown = await screen.press("enter", "y").text()
    expect(shown).toContain("─ poet ")
    expect(await screen.row("reply")).toMatch(/reply +Tea is ready\. Milk\?/)
    expect(await screen.row("session id")).toMatch(/session id +poet-1 /)
    expect(await screen.press("escape").text()).not.toContain("COPY")
  })

  test("waits for a text that is read back from disk, and copies nothing if it is missing", async () => {
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
  })

  test("offers a log row, its texts, its path and its data", async () => {
    const screen = await show({ link: replay })
    screen.store.dispatch({ type: "directory", directory: { path: "/runs/tea", error: null } })
    screen.feed(...lines).press("tab", "tab", "y")
    expect(await offered(screen)).toEqual(["row", "reply", "tool call", "path of the capture", "JSON", "the log"])
    expect(copied(screen.press("enter", "y", "j", "enter", "y", "j", "j", "j", "enter"))).toEqual([
      ["row", "poet  said  Snow ␛[2J falls save(a)"],
      ["reply", "Snow ␛[2J falls"],
      ["path of the capture", "/runs/tea/nodes/poet/0/turns/0/response.edn"],
    ])
    screen.press("y", "k", "G", "k", "enter")
    expect(copied(screen)[3]?.[1]).toContain('"text": "Snow \\u001b[2J falls"')
  })

  test("offers and o opens of a filtered log only the rows that it shows", async () => {
    const screen = await show({ link: replay })
    screen
      .feed(...lines)
      .press("f")
      .type("said")
    expect(screen.press("enter", "o").effects.at(-1)).toMatchObject({
      type: "pager/show",
      text: expect.stringMatching(/^poet {2}said {2}Snow[^\n]*$/),
    })
  })

  test("offers the block under the transcript's cursor", async () => {
    const screen = await show({ link: replay }, ...lines)
    const [first] = await offered(screen.press("enter", "g", "j", "y"))
    expect(first).toBe("block: user")
    expect(copied(screen.press("enter"))).toEqual([["block: user", "Write."]])
    expect(screen.store.get().view.overlays).toEqual([])
  })

  test("offers the parts of an open entry, and nothing if there are none", async () => {
    const screen = await show({ link: replay })
    expect(await screen.press("y").text()).toContain("Nothing here to copy")
    screen.feed(...lines).press("tab", "tab", "enter", "y", "enter")
    expect(copied(screen)).toEqual([["row", "poet  said  Snow ␛[2J falls save(a)"]])
  })
})

test.each(SIZES)("the export menu offers the run and the session at %dx%d", async (columns, rows) => {
  const screen = await show({ link: replay, columns, rows }, ...lines)
  expect(await screen.press("x").row("the run as Markdown")).toContain("▸ the run as Markdown")
  expect(await screen.text()).toContain("poet as Markdown")
  screen.press("j", "enter")
  expect(screen.press("x", "G", "enter").effects.filter(effect => effect.type === "run/export")).toEqual([
    { type: "run/export", format: "html", session: null },
    { type: "run/export", format: "html", session: 0 },
  ])
})

test("the export menu says beside each entry what the file will hold", async () => {
  const screen = await show({ link: replay })
  const second = { invokeid: "poet", "session-id": "p2" }
  const content = [{ type: "text", text: "The **pond**\u202e freezes.\nTwice." }]
  screen.feed(...lines, event(90, "llm/start", second), event(91, "llm/response", { ...second, content }))
  expect(await screen.press("G", "x").row("the run as Markdown")).toMatch(/Markdown +2 sessions +│/)
  expect(await screen.row("the run as JSONL")).toMatch(/to be replayed +5 frames +│/)
  expect(await screen.row("poet 2 as HTML")).toMatch(/HTML +The pond\ufffd freezes\. +│/)
})

test("X saves a page about the moment: that of the log row under the cursor, else the one shown", async () => {
  const screen = await show({ link: replay }, ...lines, event(4, "llm/start", { ...ids, model: "m" }))
  const saved = () => screen.effects.flatMap(effect => (effect.type === "moment/export" ? [effect.moment] : []))
  screen.choose("save a page")
  expect(saved()).toEqual([{ frame: 4, at: "#4", ts: 1004, session: 0, turn: 2 }])
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  screen.press("g", "j", "j").choose("save a page")
  expect(saved()[1]).toEqual({ frame: 3, at: "#3", ts: 1003, session: 0, turn: 1 })
  screen.press("enter").choose("save a page")
  expect(saved()[2]).toEqual({ frame: 3, at: "#3", ts: 1003, session: 0, turn: 1 })
})

test("X names the moment of a live run by its seq, as its transcript on disk does", async () => {
  const screen = await show({ link: { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 } })
  screen.feed(...lines).choose("save a page")
  expect(screen.effects.flatMap(one => (one.type === "moment/export" ? [one.moment.at] : []))).toEqual(["e1/3"])
})
