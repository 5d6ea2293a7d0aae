// Keeps what a reader of a transcript sees: after each move, fold, search and growth, the rows and the cursor among them.
import { expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { initialRun, type Run } from "../../src/run/model/run.ts"
import {
  errorBlocks,
  findBlocks,
  foldBlocks,
  moveBlocks,
  toggleCard,
  turnBlocks,
} from "../../src/transcript/block-moves.ts"
import { SessionOutline } from "../../src/transcript/session-outline.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { type OutlineReading, readingAt, unread } from "../../src/view/block-reading.ts"
import type { Move } from "../../src/view/intent.ts"
import { fixture, readFrames } from "../fixtures.ts"
import { delta, event, idAt, ids } from "../run/lines.ts"

type Kind = NonNullable<Parameters<typeof initialRun>[0]>["strategy"]

const captures = new Map()

/** A reader of a session of a run, whose later lines it takes in as they come. */
class Reader {
  readonly #outline = new SessionOutline()
  #run: Run
  #reading: OutlineReading = unread
  #columns = 44
  #rows = 8

  constructor(
    private readonly lines: readonly Decoded[],
    private readonly session: number,
    first: number,
    strategy: Kind = "api_tool_call",
  ) {
    this.#run = fold(initialRun({ strategy }), lines.slice(0, first))
  }

  do(step: string): string {
    const [word = "", ...more] = step.split(" ")
    const outline = this.#outline
    const [told, n] = [more.join(" "), Number(more[0])]
    const [by, reading] = [n < 0 ? -1 : 1, this.#reading] as const
    const move = (by: Move) => moveBlocks(reading, by, outline)
    const doing: { readonly [word: string]: () => Partial<OutlineReading> | null } = {
      row: () => move({ unit: "row", count: n }),
      half: () => move({ unit: "half", count: n }),
      page: () => move({ unit: "page", count: n }),
      view: () => move({ unit: "view", count: n }),
      first: () => move({ unit: "first" }),
      last: () => move({ unit: "last" }),
      follow: () => move({ unit: "follow" }),
      turn: () => turnBlocks(reading, by, outline),
      error: () => errorBlocks(reading, by, outline),
      fold: () => foldBlocks(reading, told === "all" ? "all" : "fold", outline),
      unfold: () => foldBlocks(reading, "unfold", outline),
      click: () => toggleCard(reading, n, outline),
      find: () => ({ find: told === "" ? null : told }),
      next: () => findBlocks(reading, reading.find ?? "", by, outline),
      at: () => {
        const session = this.#run.sessions[this.session]
        return session === undefined ? null : readingAt(reading, session, n, Number(more[1] ?? Number.NaN) || null)
      },
      size: () => {
        ;[this.#columns, this.#rows] = [n, Number(more[1])]
        return {}
      },
      grow: () => {
        const { lines } = this.#run.frames
        this.#run = fold(this.#run, this.lines.slice(lines, lines + n))
        return more[1] === "folding" ? foldBlocks(reading, "all", outline) : {}
      },
    }
    const change = doing[word]?.()
    this.#reading = { ...reading, ...change, session: idAt(this.#run, this.session) }
    return `── ${step}${change === null ? ": there is none" : ""}\n${this.#shown()}`
  }

  #shown(): string {
    const [outline, reading] = [this.#outline, this.#reading]
    const size = { columns: this.#columns, rows: this.#rows }
    do {
      outline.update({ run: this.#run, captures }, reading, size, { glyphs: unicode, now: 0, motion: false })
    } while (outline.isUnfinished)
    const cursor = reading.at === null ? outline.length - 1 : outline.lineOf(reading.at)
    const { nth, count } = reading.find === null ? { nth: null, count: 0 } : outline.foundAt(reading.find, cursor)
    const found = reading.find === null ? "" : `, ${nth ?? "none"} of ${count} found`
    const how = reading.at === null ? ", followed" : ""
    const facts = `   line ${cursor} of ${outline.length}, turn ${outline.turnAt(cursor)}${how}${found}`
    const rows = outline.window(reading.at).map((line, i) => {
      const marks = `${line.selected ? ">" : " "}${line.failed ? "!" : " "}${outline.isHeading(outline.top + i) ? "+" : " "}`
      return `${marks}${lineText(line)}`.trimEnd()
    })
    return [facts, ...rows].join("\n")
  }
}

const says = (seq: number, ...content: readonly object[]) => event(seq, "llm/response", { ...ids, content })
const text = (said: string) => ({ type: "text", text: said })
const call = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input })
const result = (seq: number, id: string, tool: string, told: string, more: object = {}) =>
  event(seq, "llm/tool-result", { ...ids, tool, "tool-use-id": id, "content-preview": told, ...more })

/** Turns with all that a transcript may have: two that went well, one that failed, a truncated one, one that streams. */
const TALK: readonly Decoded[] = [
  event(1, "llm/start", { ...ids, model: "oak-1" }, 0),
  event(2, "llm/request", { ...ids, "system-preview": "Be brief.", "user-blocks": [text("Boil a kettle.")] }, 0),
  says(
    3,
    { type: "thinking", thinking: "A kettle it is." },
    text("I **boil** it."),
    call("c1", "heat", { path: "kettle.txt" }),
  ),
  result(4, "c1", "heat", "the kettle is hot\nand sings", { "elapsed-ms": 1500 }),
  says(5, text("It sings.")),
  event(6, "llm/start", { ...ids, model: "oak-1" }, 0),
  says(7, call("c2", "look", { a: 1 }), call("c3", "look", { b: 2 })),
  result(8, "c3", "look", "no kettle here", { "is-error": true }),
  result(9, "c2", "look", "a kettle there"),
  event(10, "llm/error", { ...ids, message: "reset by the kettle" }),
  event(11, "llm/start", { ...ids, model: "oak-1" }, 0),
  event(12, "llm/response", {
    ...ids,
    content: [text("1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7 kettle")],
    "stop-reason": "max_tokens",
  }),
  event(13, "llm/start", { ...ids, model: "oak-1" }, 0),
  delta(14, "Now the ket"),
  delta(15, "tle", {}),
  delta(16, "hm", { type: "thinking-delta" }),
  delta(17, " then\n\nmore text of the end"),
  says(18, text("Now the kettle is done.")),
]

const TALKS: {
  readonly [what: string]: readonly [lines: readonly Decoded[], session: number, first: number, how?: Kind]
} = {
  talk: [TALK, 0, 14],
  "a growing talk": [TALK, 0, 1],
  "a stream of segments": [
    [
      event(0, "llm/start", ids),
      ...["Look:", " ok\n[[SEG_START ", '{"type":"run_bash","cwd":"/srv"}]]ls', " -l[[SEG_", "END]]\nand", " then"].map(
        (said, i) => delta(i + 1, said),
      ),
      says(7, text('Look: ok\n[[SEG_START {"type":"run_bash","cwd":"/srv"}]]ls -l[[SEG_END]]\nand then')),
    ],
    0,
    2,
    "sentinel",
  ],
  "a stream of tags": [
    [
      event(0, "llm/start", ids),
      ...["so ", '<tool name="count"><arg', 'uments><arg name="path">a</arg>', "</arguments></tool>", "done"].map(
        (said, i) => delta(i + 1, said),
      ),
      says(6, text('<tool name="count"><arguments><arg name="path">a</arg><arg name="many">17 wor')),
    ],
    0,
    2,
    "xml",
  ],
  "a stream that is left": [
    [
      event(0, "llm/start", ids),
      event(1, "llm/request", { ...ids, "user-blocks": [text("Boil a kettle.")] }),
      delta(2, "\n"),
      delta(3, " I boil"),
      says(4, call("c1", "heat", { a: 1 })),
      delta(5, "It boils"),
      event(6, "runner/done"),
    ],
    0,
    1,
  ],
  thinking: [
    [
      event(0, "llm/start", ids),
      ...["one\ntwo", "\nthree\n", "four\nfive\nsix\nseven\ntwo", "\nthree"].map((said, i) =>
        delta(i + 1, said, { type: "thinking-delta" }),
      ),
    ],
    0,
    2,
  ],
  calls: [
    [
      event(1, "llm/start", ids),
      says(2, call("a", "heat", {}), call("b", "heat", {}), call("c", "heat", {})),
      result(3, "b", "heat", "milk"),
      result(4, "a", "heat", "sugar\nand sugar\nand sugar"),
      result(5, "c", "heat", "tea"),
      says(6, text("Hot.")),
    ],
    0,
    2,
  ],
  streams: [
    [
      event(1, "llm/start", ids),
      delta(2, "\n", { type: "thinking-delta" }),
      delta(3, "hm", { type: "thinking-delta" }),
      ...[delta(4, "first"), delta(5, "why", { type: "thinking-delta" }), delta(6, "so")],
      ...[says(7, text("Done.")), event(8, "llm/start", ids), delta(9, "ha", { type: "thinking-delta" })],
      ...[delta(10, "then"), delta(11, "how", { type: "thinking-delta" }), delta(12, "so it is")],
      ...[says(13, text("Done again.")), event(14, "llm/start", ids), delta(15, "I look")],
      ...[result(16, "z", "look", "late"), delta(18, " on")],
    ],
    0,
    1,
  ],
  tea: [await readFrames(fixture("tea")), 0, 200],
  odd: [await readFrames(fixture("odd")), 0, 200],
}

test.each([
  "talk: follow, row -1, row -3, row 2, row 9, first, row -1, row 1, half 1, half 1, half -1, page 1, page 1, page -1, last",
  "talk: view -5, view 2, view -99, view 99, page -1, view 3, view -3",
  "talk: turn -1, turn -1, turn -1, turn -1, turn -1, turn 1, turn 1, turn 1, turn 1, turn 1",
  "talk: error -1, error -1, error -1, error -1, error 1, error 1, error 1, fold, unfold",
  "talk: first, fold, row 3, fold, unfold, row 6, unfold, row 2, fold, fold all, row 1, fold all, row 5, fold all",
  "talk: click 9, click 9, click 12, row -2, click 0, click 99, fold all, click 3, click 3",
  "talk: fold all, first, row 5, unfold, click 7, click 6",
  "talk: find kettle, next 1, next 1, next 1, next 1, next 1, next -1, next -1, find kettle is, next 1, find gone, next 1, find",
  "talk: size 16 30, find kettle.txt, next -1, find elapsed, find 1.5s",
  "talk: fold all, find hot, next -1, next 1, fold all, find kettle there, next -1",
  "talk: at 2, at 2 6, at 3, at 4, at 1 2, at 1 3, at 9",
  "talk: page -1, size 20 5, size 60 12, size 44 3, size 9 9, size 44 60, first, view -1",
  "talk: find Now, next -1, row 1, size 44 20, first, error 1",
  "a growing talk: grow 1, grow 1, grow 1, fold, grow 1, grow 1, grow 2, grow 1, grow 1, grow 1, grow 2, first, grow 2, grow 1",
  "a growing talk: grow 14, follow, find kettle, grow 1, next -1, grow 1, grow 1, grow 1, next 1",
  "a growing talk: grow 14, follow, find Now, find ket, grow 1, find the kettle, next -1",
  "a growing talk: grow 8, find kettle, grow 1, grow 1, next -1, next -1, next -1",
  "thinking: find two three, grow 1, next -1, grow 1, grow 1, next -1, next -1",
  "a growing talk: grow 5, find kettle, grow 1, next -1, grow 1, grow 1, grow 1, next 1, next 1",
  "a stream of segments: grow 1, grow 1, grow 1, grow 1, grow 1, size 44 14, grow 1",
  "a stream that is left: grow 1, grow 1, grow 1, error 1, turn -1, first, grow 1, follow, grow 1, turn 1, grow 1, fold",
  "a stream of tags: grow 1, grow 1, grow 1, grow 1, grow 1, size 60 14, size 30 14",
  "thinking: grow 2, find one, find four, find two",
  "calls: find sugar, grow 1, grow 1, find, grow 1, fold all, grow 1 folding",
  "streams: grow 1, grow 1, grow 3, grow 6, grow 3, grow 1, grow 1",
  "tea: size 50 60, size 30 60, fold all, fold all",
  "odd: size 50 60, fold all, fold all",
])("%s", script => {
  const [what = "", steps = ""] = script.split(": ")
  const [lines, session, first, strategy] = TALKS[what] ?? [[], 0, 0]
  const reader = new Reader(lines, session, first, strategy)
  reader.do("begin")
  const told = steps.split(", ").map(step => reader.do(step))
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})
