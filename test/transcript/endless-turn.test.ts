// Tests that a turn without end, such as a command's output, leaves few of its texts and lines in memory.
import { fullGC } from "bun:jsc"
import { expect, test } from "bun:test"
import { diskReads } from "../../src/panels/disk-reads.ts"
import { features } from "../../src/panels/plan.ts"
import { TEXT_BUDGET } from "../../src/run/memory/pack-entries.ts"
import type { SessionBlock } from "../../src/transcript/block-list.ts"
import { LazyBody } from "../../src/transcript/lazy-body.ts"
import { SessionOutline } from "../../src/transcript/session-outline.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { line, span } from "../../src/ui/line.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { unread } from "../../src/view/block-reading.ts"
import { createStore } from "../../src/view/store.ts"
import { changed } from "../../src/view/view.ts"
import { event, idAt, ids } from "../run/lines.ts"

const link = { state: "running", command: "yes" } as const
const context = { glyphs: unicode, now: 0, motion: false }
const size = { columns: 80, rows: 20 }
const LINES = 1075
const REPLY = LINES * 61

function endlessTurn() {
  const store = createStore({
    ...features,
    link,
    given: { strategy: "api_tool_call", rowWindow: 2048, textBudget: TEXT_BUDGET },
  })
  const outline = new SessionOutline()
  let seq = 0
  return {
    store,
    outline,
    print(replies: number) {
      for (const end = seq + replies; seq < end; seq++) {
        const text = `${`${String(seq).padStart(4, "0")} `.repeat(12)}\n`.repeat(LINES)
        store.dispatch({
          type: "frames",
          frames: [event(seq, "llm/response", { ...ids, content: [{ type: "text", text }] })],
        })
        do outline.update(store.shown(), { ...unread, session: idAt(store.get().run, 0) }, size, context)
        while (outline.isUnfinished)
      }
    },
    blocks: (): readonly SessionBlock[] => Reflect.get(Reflect.get(outline, "list"), "blocks"),
    shown: () => outline.window(null).map(lineText).join("\n"),
  }
}

test("the reader that follows a turn without end keeps what memory holds of it, and shows its end", () => {
  const { outline, blocks, print, shown } = endlessTurn()
  print(200)
  const units = blocks().reduce((sum, { body }) => sum + body.text.length, 0)
  expect(blocks()).toHaveLength(200)
  expect(units).toBeGreaterThanOrEqual(4 * 1024 * 1024)
  expect(units).toBeLessThanOrEqual(8 * 1024 * 1024 + 2 * REPLY)
  const lines = blocks().flatMap(({ body }) => (body.text !== "" && body.isMade ? body.length : []))
  expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThan(20_000 + 4 * LINES)
  expect(shown()).toContain("0199")
  // What has left memory takes as many rows as before.
  const before = outline.length
  print(1)
  expect(outline.length - before).toBe(LINES + 2)
})

test("texts are read back once they are read, not while the end is followed or the palette is open", () => {
  const { store, print } = endlessTurn()
  print(150)
  const state = store.shown()
  expect(state.missingTexts).toEqual([0])
  const read = { ...state, view: { ...state.view, focus: "text" as const } }
  expect(diskReads(state, read, null)).toEqual([])
  const asked = { ...state, view: { ...state.view, overlays: [{ type: "palette" as const }] } }
  expect(diskReads(state, asked, null)).toEqual([])
  const text = { ...unread, session: idAt(state.run, 0), first: { block: "", row: 0 } }
  const scrolled = { ...read, view: changed(read.view, { reader: { text } }) }
  expect(diskReads(read, scrolled, null)).toEqual([{ type: "texts/recall", sessions: [0] }])
})

test("a block whose text has left memory holds nothing that it was made of", async () => {
  const made = Array.from({ length: 20 }, (_, n) => {
    const source = { text: `reply ${n}` }
    const lines = () => [line(span(source.text))]
    const body = new LazyBody({ text: source.text, grows: null, lines }, 80, lines)
    body.make()
    body.dropText()
    return { body, source: new WeakRef(source) }
  })
  await new Promise(done => setImmediate(done))
  fullGC()
  expect(made.map(({ body }) => body.length)).toEqual(made.map(() => 2))
  // The engine takes a few for live that a register still names.
  expect(made.filter(({ source }) => source.deref() !== undefined).length).toBeLessThan(5)
})
