// Tests the cards of tool calls and thinking in a transcript, and how they fold.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { delta, event } from "../../run/lines.ts"
import { NOW, type Shown, show, spansWith } from "../../screen/screen.tsx"

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

/** The rows below the heading of the turn, without the border. */
async function page(screen: Shown): Promise<readonly string[]> {
  const rows = (await screen.rows()).filter(row => row.startsWith("│"))
  const below = rows.map(row =>
    row
      .slice(2, -2)
      .trimEnd()
      .replace(/ +(?=[✓✗] \d)/, " "),
  )
  return below[0]?.startsWith("── turn") === true ? below.slice(1) : below
}

async function reading(...lines: readonly Decoded[]): Promise<Shown> {
  const screen = await show({ columns: 80, rows: 36 })
  screen.feed(...lines).press("enter", "m")
  return screen
}

const FAILED = ["▎ read_file  one.txt ✗ 0.3s", "▎ no such file"]
const DONE = "▸ read_file  two.txt  text of two ✓ 1.2s"

const FIRST = ["▎ thinking", "▎ Which file is it?", "▎ Perhaps both.", "", "▎ assistant", "▎ I look into both.", ""]
const SHOWN = [...FIRST, ...FAILED, "", DONE]
const OPEN = [...FIRST, ...FAILED, "", "▎ read_file  two.txt ✓ 1.2s", "▎ text of two"]

const CLOSED = [
  "▸ thinking  2 lines  Which file is it?",
  "▸ assistant  1 line  I look into both.",
  "▸ read_file  one.txt  no such file ✗ 0.3s",
  DONE,
]

describe("a card in a transcript", () => {
  test("has call and result on one line, open if it failed, and one blank row beside those of others", async () => {
    const rows = await page(await reading(...turn))
    expect(rows.slice(0, SHOWN.length)).toEqual(SHOWN)
  })

  test("marks a failure in red and with a word, folded and unfolded", async () => {
    const screen = await reading(...turn)
    for (const key of ["l", "z"] as const) {
      const frame = await screen.press(key).frame()
      const [failed] = spansWith(frame, "  ✗")
      const [fine] = spansWith(frame, "  ✓")
      expect(failed?.fg.r).toBeGreaterThan(failed?.fg.g ?? 1)
      expect(failed?.fg.r).toBeGreaterThan(failed?.fg.b ?? 1)
      expect(spansWith(frame, "no such file")[0]?.bg.toString()).toBe(failed?.bg.toString())
      expect(fine?.bg.toString()).not.toBe(failed?.bg.toString())
      expect(fine?.fg.toString()).not.toBe(failed?.fg.toString())
    }
  })

  test("folds to its headings, and unfolds, with all others", async () => {
    const screen = await reading(...turn)
    expect((await page(screen.press("z"))).slice(0, CLOSED.length)).toEqual(CLOSED)
    expect((await page(screen.press("z"))).slice(0, OPEN.length)).toEqual(OPEN)
    expect((await page(screen.press("z"))).slice(0, SHOWN.length)).toEqual(SHOWN)
  })

  test("folds alone with the cursor on it, from its result too, and the cursor moves to its line", async () => {
    const screen = await reading(...turn)
    const thinking = await page(screen.press("g", "j", "h"))
    expect(thinking[0]).toBe(CLOSED[0])
    expect(thinking).toContain("▎ I look into both.")
    expect((await page(screen.press("l"))).slice(0, SHOWN.length)).toEqual(SHOWN)
    const call = await page(screen.press(..."jjjjjjjj", "h"))
    expect(call).toContain(CLOSED[2] ?? "")
    expect(screen.store.get().view.reader.text.at).toEqual({ block: "1.2", row: 0 })
  })

  test("folds beside the list too, and later ones are folded if all are", async () => {
    const screen = await show({ columns: 160, rows: 40 }, ...turn)
    expect(await screen.press("tab", "z").text()).toContain("▸ thinking  2 lines  Which file is it?")
    screen.feed(
      event(4, "llm/start", ids, NOW),
      event(5, "llm/response", { ...ids, content: [call("t3", "three.txt")] }),
    )
    expect(await screen.text()).toContain("▸ read_file  three.txt")
    screen.feed(result(6, "t3", "text of three", { "elapsed-ms": 2000 }))
    expect(await screen.row("three.txt")).toContain("✓ 2.0s")
  })

  test("is followed by speech without its speaker's name, streamed and complete, unless that is folded", async () => {
    const last = event(6, "llm/response", { ...ids, content: [{ type: "text", text: "Only one is there." }] })
    const screen = await reading(...turn, event(4, "llm/start", ids, NOW), delta(5, "Only one", ids))
    expect((await page(screen)).join("\n")).toMatch(/✓ 1\.2s\n\n── turn 2 [^\n]+\n▎ Only one▌/)
    screen.feed(last)
    expect((await page(screen)).join("\n")).toMatch(/✓ 1\.2s\n\n── turn 2 [^\n]+\n▎ Only one is there\./)
    screen.press("h")
    expect((await page(screen)).join("\n")).toMatch(/── turn 2 [^\n]+\n▸ assistant {2}1 line {2}Only one is there\./)
  })

  test("leaves the reader's line in place when a result comes above it", async () => {
    const prose = Array.from({ length: 62 }, (_, i) => `line ${i}`).join("\n")
    const content = [call("t1", "one.txt"), { type: "text", text: prose }]
    const screen = await reading(event(0, "llm/start", ids, NOW), event(1, "llm/response", { ...ids, content }))
    const before = await page(screen.press("end", "pageup"))
    expect(before).toContain("▎ line 10")
    expect(before.join()).not.toContain("read_file")
    expect(await page(screen.feed(result(2, "t1", "a\nb\nc"), delta(3, "and more", ids)))).toEqual(before)
  })

  test("leaves the reader's line in place when streamed text becomes a reply", async () => {
    const thought = Array.from({ length: 30 }, (_, i) => `thought ${i}`).join("\n")
    const said = Array.from({ length: 30 }, (_, i) => `word ${i}`).join("\n")
    const screen = await reading(event(0, "llm/start", ids, NOW), delta(1, thought, { ...ids, type: "thinking-delta" }))
    screen.feed(delta(2, said, ids))
    const before = await page(screen.press("pageup"))
    expect(before).toContain("▎ thought 10")
    const content = [
      { type: "thinking", thinking: thought },
      { type: "text", text: said },
    ]
    expect(await page(screen.feed(event(3, "llm/response", { ...ids, content })))).toEqual(before)
  })

  test("is followed again once the cursor moves down to the last line", async () => {
    const screen = await reading(...turn)
    const place = () => screen.store.get().view.reader.text.at
    screen.press("end")
    expect(place()).toBeNull()
    screen.press("k", "k")
    expect(place()).not.toBeNull()
    screen.press("j")
    expect(place()).not.toBeNull()
    screen.press("j")
    expect(place()).toBeNull()
  })
})
