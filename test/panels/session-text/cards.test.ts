// Tests the cards of tool calls and thinking in a session's text, and how they fold.
import { afterEach, describe, expect, test } from "bun:test"
import type { Decoded } from "../../../src/protocol/frame.ts"
import { delta, event } from "../../run/lines.ts"
import { endScreens, NOW, type Shown, show, spansWith } from "../../screen/screen.tsx"

afterEach(endScreens)

const ids = { invokeid: "a", "session-id": "s" } as const
const call = (id: string, file: string) => ({ type: "tool_use", id, name: "read_file", input: { file } })
const result = (seq: number, id: string, text: string, more: object = {}) =>
  event(seq, "llm/tool-result", { ...ids, tool: "read_file", "tool-use-id": id, "content-preview": text, ...more }, NOW)

/** A turn that thinks and calls two tools, whose results come in reverse order. */
const turn = [
  event(0, "llm/start", ids, NOW),
  event(1, "llm/response", {
    ...ids,
    content: [
      { type: "thinking", thinking: "Which file is it?\nPerhaps both." },
      { type: "text", text: "I look into both." },
      call("t1", "one.txt"),
      call("t2", "two.txt"),
    ],
  }),
  result(2, "t2", "text of two", { "elapsed-ms": 1200 }),
  result(3, "t1", "no such file", { "is-error": true, "elapsed-ms": 300 }),
]

/** The rows of the text, without the border. */
async function page(screen: Shown): Promise<readonly string[]> {
  const rows = (await screen.rows()).filter(row => row.startsWith("│"))
  return rows.map(row => row.slice(2, -2).trimEnd())
}

async function reading(...lines: readonly Decoded[]): Promise<Shown> {
  const screen = await show({ columns: 80, rows: 24 })
  screen.feed(...lines)
  screen.press("enter")
  return screen
}

const OPEN = [
  "▾ thinking",
  "  Which file is it?",
  "  Perhaps both.",
  "",
  "I look into both.",
  "",
  "▾ read_file",
  '  {"file":"one.txt"}',
  "↩ read_file error 0.3s",
  "  no such file",
  "",
  "▾ read_file",
  '  {"file":"two.txt"}',
  "↩ read_file 1.2s",
  "  text of two",
]

const CLOSED = [
  "▸ thinking  Which file is it?",
  "I look into both.",
  "",
  '▸ read_file  {"file":"one.txt"}  ↩ error 0.3s',
  '▸ read_file  {"file":"two.txt"}  ↩ 1.2s',
]

describe("a card in the text of a session", () => {
  test("has a result below its own call", async () => {
    const rows = await page(await reading(...turn))
    expect(rows.slice(0, OPEN.length)).toEqual(OPEN)
  })

  test("marks a failure in red and with a word, folded and unfolded", async () => {
    const screen = await reading(...turn)
    for (const key of ["l", "z"] as const) {
      screen.press(key)
      const frame = await screen.frame()
      const [failed] = spansWith(frame, "error 0.3s")
      const [fine] = spansWith(frame, " 1.2s")
      expect(failed?.fg.r).toBeGreaterThan(failed?.fg.g ?? 1)
      expect(failed?.fg.r).toBeGreaterThan(failed?.fg.b ?? 1)
      expect(fine?.fg.toString()).not.toBe(failed?.fg.toString())
    }
  })

  test("folds to one line, and unfolds, with all others", async () => {
    const screen = await reading(...turn)
    screen.press("z")
    expect((await page(screen)).filter(row => row !== "").slice(0, 4)).toEqual(CLOSED.filter(row => row !== ""))
    screen.press("z")
    expect((await page(screen)).slice(0, OPEN.length)).toEqual(OPEN)
  })

  test("folds alone if the cursor is on it, or as the lowest without a cursor", async () => {
    const screen = await reading(...turn)
    screen.press("h")
    const lowest = await page(screen)
    expect(lowest).toContain('▸ read_file  {"file":"two.txt"}  ↩ 1.2s')
    expect(lowest).toContain("  no such file")
    screen.press("g", "j", "h")
    const thinking = await page(screen)
    expect(thinking[0]).toBe("▸ thinking  Which file is it?")
    expect(thinking).toContain('▸ read_file  {"file":"two.txt"}  ↩ 1.2s')
    screen.press("l")
    expect((await page(screen)).slice(0, 3)).toEqual(OPEN.slice(0, 3))
  })

  test("folds from its result too, and the cursor moves to its line", async () => {
    const screen = await reading(...turn)
    screen.press("g", ..."jjjjjjjjj", "h", "l")
    expect((await page(screen)).slice(0, OPEN.length)).toEqual(OPEN)
    screen.press("h")
    expect(await page(screen)).toContain('▸ read_file  {"file":"one.txt"}  ↩ error 0.3s')
    expect(screen.store.get().view.text.at).toEqual({ block: "1.2", row: 0 })
  })

  test("shows in its folded line whether the call went well or is pending", async () => {
    const content = [call("t1", "one.txt"), call("t2", "two.txt")]
    const screen = await reading(event(0, "llm/start", ids, NOW), event(1, "llm/response", { ...ids, content }))
    screen.feed(result(2, "t1", "text of one"))
    screen.press("z")
    const rows = await page(screen)
    expect(rows.slice(0, 2)).toEqual(['▸ read_file  {"file":"one.txt"}  ↩ ok', '▸ read_file  {"file":"two.txt"}'])
  })

  test("folds beside the list too, and later ones are folded if all are", async () => {
    const screen = await show({ columns: 120, rows: 40 })
    screen.feed(...turn)
    screen.press("tab", "z")
    expect(await screen.text()).toContain("▸ thinking  Which file is it?")
    screen.feed(
      event(4, "llm/start", ids, NOW),
      event(5, "llm/response", { ...ids, content: [call("t3", "three.txt")] }),
    )
    expect(await screen.text()).toContain('▸ read_file  {"file":"three.txt"}')
    screen.feed(result(6, "t3", "text of three", { "elapsed-ms": 2000 }))
    expect(await screen.text()).toContain('▸ read_file  {"file":"three.txt"}  ↩ 2.0s')
  })

  test("leaves the reader's line in place when a result comes above it", async () => {
    const prose = Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n")
    const content = [call("t1", "one.txt"), { type: "text", text: prose }]
    const screen = await reading(event(0, "llm/start", ids, NOW), event(1, "llm/response", { ...ids, content }))
    screen.press("pageup")
    const before = await page(screen)
    expect(before).toContain("line 25")
    screen.feed(result(2, "t1", "a\nb\nc"), delta(3, "and more", ids))
    expect(await page(screen)).toEqual(before)
  })

  test("leaves the reader's line in place when streamed text becomes a reply", async () => {
    const thought = Array.from({ length: 30 }, (_, i) => `thought ${i}`).join("\n")
    const said = Array.from({ length: 30 }, (_, i) => `word ${i}`).join("\n")
    const screen = await reading(event(0, "llm/start", ids, NOW), delta(1, thought, { ...ids, type: "thinking-delta" }))
    screen.feed(delta(2, said, ids))
    screen.press("pageup")
    const before = await page(screen)
    expect(before).toContain("word 5")
    const content = [
      { type: "thinking", thinking: thought },
      { type: "text", text: said },
    ]
    screen.feed(event(3, "llm/response", { ...ids, content }))
    expect(await page(screen)).toEqual(before)
  })

  test("has a cursor; a text without cards scrolls instead", async () => {
    const prose = Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n")
    const screen = await reading(event(0, "llm/start", ids, NOW), delta(1, prose, ids))
    screen.press("g", "j")
    expect((await page(screen))[0]).toBe("line 1")
    expect(screen.store.get().view.text.at).toBeNull()
    screen.feed(event(2, "llm/response", { ...ids, content: [{ type: "text", text: prose }, call("t", "x")] }))
    screen.press("k")
    expect((await page(screen))[0]).toBe("line 0")
    expect(screen.store.get().view.text.at).toEqual({ block: "2.0", row: 0 })
  })

  test("is followed again once the cursor moves down to the last line", async () => {
    const screen = await reading(...turn)
    const place = () => screen.store.get().view.text.at
    expect(place()).toBeNull()
    screen.press("k", "k")
    expect(place()).not.toBeNull()
    screen.press("j")
    expect(place()).not.toBeNull()
    screen.press("j")
    expect(place()).toBeNull()
  })

  test("fits 40 columns and 10 rows", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    screen.feed(...turn)
    screen.press("enter", "z")
    expect(await screen.text()).toContain('▸ read_file  {"file":…  ↩ error 0.3s')
  })
})
