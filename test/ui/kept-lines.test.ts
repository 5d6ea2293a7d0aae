// Keeps what the toolkit makes of texts, figures and sizes: tables of inputs with what becomes of each.
import { describe, expect, test } from "bun:test"
import { unknownDebugger } from "../../src/run/model/held.ts"
import { noAccount } from "../../src/run/model/ledger.ts"
import { isMovedBack, waitingTurnWords } from "../../src/ui/debugger-words.ts"
import { ascii, asciiOf, heightOf, unicode } from "../../src/ui/glyphs.ts"
import { brokenLines, GrowingLines, wrappedText } from "../../src/ui/growing-lines.ts"
import { codeLines, patchToken } from "../../src/ui/highlight-code.ts"
import { inside, layout, type Rect } from "../../src/ui/layout.ts"
import { LEDGER_COLUMN_IDS, ledgerCell } from "../../src/ui/ledger-columns.ts"
import * as lines from "../../src/ui/line.ts"
import { hostOf, lastSeenWords, retryIn } from "../../src/ui/link-words.ts"
import { hitRanges, hitsIn, markedLine, markedWords, markHits } from "../../src/ui/mark-hits.ts"
import * as widths from "../../src/ui/text-width.ts"
import { typedRows, typingMistakes } from "../../src/ui/typed-error.ts"
import { diffLines, wordDiff } from "../../src/ui/word-diff.ts"
import type { PaneId } from "../../src/view/pane-names.ts"
import { emptyState } from "../../src/view/state.ts"
import { changed, typingOf } from "../../src/view/view.ts"
import { live } from "../screen/screen.tsx"
import { spansWords, told } from "./told.ts"

/** What becomes of each input, one to a line. */
function table<T>(inputs: readonly T[], make: (input: T) => unknown): string {
  return inputs.map(one => `${JSON.stringify(one) ?? one} → ${JSON.stringify(make(one))}`).join("\n")
}

const AMOUNTS = [0, 0.04, 0.05, 0.5, 0.949, 0.95, 1, 9.94, 9.95, 9.96, 12, 99.5, 999, 999.5, 1000, 1234.5, 9949, 9950]
const LARGE = [59_499, 59_500, 99_949, 99_950, 999_499, 999_500, 999_950, 3_599_499, 3_599_500, 9_999_999, 10_000_000]
const HUGE = [86_399_999, 86_400_000, 999_949_999, 999_950_000, 1e12, 1.5e15]
const shortened = (one: number) => [4, 6, 9].map(room => widths.shorten(widths.count(one), one, room))
const ticksTo = (one: number) => [10, 25, 60].map(room => widths.ticksWithin(0, Math.abs(one) + 1, room))
const FIGURES = [-1500, -5, 68.05, 182.44, 214, 185_000, 4_029_007, 7_620_000, ...AMOUNTS, ...LARGE, ...HUGE]

test.each([
  ["count", widths.count],
  ["counted", (one: number) => widths.counted(Math.floor(one), "row")],
  ["matchWords", (one: number) => widths.matchWords(Math.floor(one))],
  ["rate", widths.rate],
  ["rateWords", widths.rateWords],
  ["sizeWords", widths.sizeWords],
  ["duration", widths.duration],
  ["clock", widths.clock],
  ["offset", (one: number) => [widths.offset(one), widths.offset(-one)]],
  ["timeOfDay", (one: number) => [widths.timeOfDay(one, 0), widths.timeOfDay(one, -3_600_000)]],
  ["roundEnd", widths.roundEnd],
  ["shorten to 4, 6 and 9 columns", shortened],
  ["ticks of 10, 25 and 60 columns", ticksTo],
  ["ticks from the middle on", (one: number) => widths.ticksWithin(Math.abs(one) / 2, Math.abs(one) + 1, 45)],
])("figures as %s", (_, words) => expect(table(FIGURES, words)).toMatchSnapshot())

const NAMES =
  ",poet,judge 12,judge 654321,multiplex.poets.4,日本語 テスト,👩‍👩‍👧 e\u0301 x,a longer 7654321,··· – ✓".split(",")
const seconds = [lines.span("7 s", "dim")]
const ROOMS = [-1, 0, 1, 2, 3, 4, 5, 8, 12, 17, 30]

test.each([
  ["width", (one: string) => widths.width(one)],
  ["clip", (one: string) => ROOMS.map(room => widths.clip(one, room))],
  ["clipStart", (one: string) => ROOMS.map(room => widths.clipStart(one, room))],
  ["clipMiddle", (one: string) => ROOMS.map(room => widths.clipMiddle(one, room))],
  ["clipName", (one: string) => ROOMS.map(room => widths.clipName(one, room))],
  ["nameWith", (one: string) => ROOMS.map(room => widths.nameWith(one, " 2/3", room, "~"))],
  ["pad", (one: string) => ROOMS.map(room => widths.pad(one, room, room > 4 ? "left" : "right"))],
  ["fitting", (one: string) => ROOMS.map(room => Object.values(widths.fitting(one, room)).join("/"))],
  ["wrap", (one: string) => ROOMS.slice(4).map(room => lines.wrap(`${one} ${one}\n\t${one}`, room))],
  ["ends", (one: string) => ROOMS.map(room => spansWords(lines.ends([lines.span(one)], seconds, room, "…")))],
  ["asciiOf", asciiOf],
])("names as %s", (_, words) => expect(table(NAMES, words)).toMatchSnapshot())

test("parts of a line: joined, merged, clipped, wrapped, clicked", () => {
  const parts = [lines.span("poet ", "hue1", { bold: true }), lines.span("日本", "error"), lines.span("", "dim")]
  const more = [...parts, lines.span("語", "error"), lines.span(" streams\tmuch", "ok", { faint: true })]
  const broken = [...more, lines.span("\n\n end")]
  const click = { ...lines.span("here"), click: "enter" }
  expect(
    [
      ...ROOMS.map(room => lines.wholeParts(["one", null, "", "two", false, "three"], " · ", room)),
      spansWords(lines.merged(more)),
      spansWords(lines.merged([true, false].map(lane => lines.span("▮", "ok", { lane })))),
      JSON.stringify(widths.clip(`e${"\u0301".repeat(40)}`, 2)),
      ...ROOMS.map(room => spansWords(lines.clipSpans(more, room, "…"))),
      ...ROOMS.map(room => lines.wrapSpans(broken, room).map(spansWords).join(" ⏎ ")),
      ...[0, 3, 4, 7, 8, 99].map(at => lines.clickAt({ spans: [lines.span("日本"), click], click: "row" }, at)),
      lines.clickAt(lines.line(lines.span("no click")), 2),
      JSON.stringify([
        lines.rowClick(3, false),
        lines.rowClick(3, true),
        lines.rowClick(3, false, "log"),
        lines.rowClick(3, true, "log"),
      ]),
      JSON.stringify([0, 250, 500, 750, 1000].map(now => lines.shimmer({ glyphs: unicode, motion: true, now }))),
      lines.shimmer({ glyphs: ascii, motion: false, now: 750 }),
    ].join("\n"),
  ).toMatchSnapshot()
})

test("where one is in a list or a text", () => {
  const lists = [0, 1, 1234].flatMap(length => [0, 1, 5, 2000].map(cursor => ({ top: 0, rows: 10, length, cursor })))
  const read = [9, 10, 11, 40].flatMap(length => [0, 1, 15, 29, 30, 31].map(top => ({ top, rows: 10, length })))
  expect(table([...lists, ...read], widths.edgeWords)).toMatchSnapshot()
})

test("the ticks within a part of a run, and an unknown rate", () => {
  const parts: readonly (readonly [from: number, to: number])[] = [
    ...[61_000, 4500, 7_200_000, 8_640_000_000].map(to => [0, to] as const),
    [44_203, 51_000],
    [590_000, 600_000],
    [1010, 1060],
    [3_500_000, 3_520_000],
  ]
  const ticks = ([from, to]: (typeof parts)[number]) => [9, 20, 29, 50].map(room => widths.ticksWithin(from, to, room))
  expect(`${table(parts, ticks)}\n${widths.rate(null)}`).toMatchSnapshot()
})

test("code and patches", () => {
  const code = `import { a } from "b" /* one */ # two
def f(x): return None -- three
let s = 'it''s' + \`t\` + 0x1f + 1.5e3 ;; four
url = "https://x.y" // five "six"
unclosed " quote, no_word, True /* to the
end`
  const patch = ["+++ b", "--- a", "@@ -1 +1 @@", "diff --git", "index 12", "+x", "-x", " x", ""]
  expect(
    [
      told(codeLines(code, 70)),
      told(codeLines(code, 18)),
      told(codeLines(`    ${"(".repeat(9)}`, 8)),
      table(patch, patchToken),
    ].join("\n\n"),
  ).toMatchSnapshot()
})

describe("two texts beside each other", () => {
  const word = "Boats rest on the water, and nobody walks along the old stone pier. "
  test.each([
    ["equal", word, word],
    ["one word", "Be brief and kind.", "Be long and kind."],
    ["removed and added at the ends", "old middle", "middle new"],
    ["breaks", "a\nb\nc", "a b\n\nc"],
    ["little, and unlike", "Be brief.", word],
    ["nothing in common", "x".repeat(40), "y".repeat(41)],
    ["nothing, and short", "x".repeat(40), "y".repeat(40)],
    ["half alike, as much of it as is gone", "Boats sink", word],
    ["blanks", "a b", "a  b"],
    ["a break added", "a", "a\nb"],
    ["nothing before", "", "0.7\n"],
    ["nothing after", "gone", ""],
    ["long and alike", `${word.repeat(9)}old ${word.repeat(9)}`, `${word.repeat(9)}new ${word.repeat(9)}`],
    ["unlike, the left longer", word.repeat(3), "Logs show three failures since noon, and nothing more was said."],
    ["unlike, the right longer", "Logs show three failures since noon, and nothing more was said.", word.repeat(3)],
  ])("%s", (_, before, after) => {
    const pieces = wordDiff(before, after)
    expect([told(diffLines(pieces, 44, unicode)), told(diffLines(pieces, 20, ascii))].join("\n\n")).toMatchSnapshot()
  })
  test("without common words are one and then the other, in little time", () => {
    const [text, added] = [" ", ","].map(by => Array.from({ length: 20_000 }, (_, i) => `${by}${i}`).join(by)) as [
      string,
      string,
    ]
    expect(wordDiff(text, added).map(piece => Object.values(piece))).toEqual([
      ["removed", text],
      ["added", added],
    ])
  })
})

test("what is found in a text", () => {
  const row = [lines.span("The PIER, the ", "dim"), lines.span("pier", "ok"), lines.span(" and piers")]
  const joined = (all: readonly string[]) => all.join("")
  const at = (all: readonly string[]) => ({
    length: all.length,
    text: (line: number) => all[line] ?? "",
    after: (line: number, units: number) => joined(all.slice(line + 1)).slice(0, units),
  })
  const range = (told: string) => {
    const [from = 0, to = 0] = told.split("-").map(Number)
    return { from, to }
  }
  const beside = [lines.line(lines.span("an old")), lines.line(lines.span("stone pier"))] as const
  expect(
    [
      ...["pier", "r, t", "e p", "(", ".", "x"].map(query => `${query}: ${hitRanges("The PIER, the pier (x)", query)}`),
      ...[["pier"], ["the", "pier"], ["er", "r and"], []].map(query => spansWords(markedWords(row, query))),
      ...["old stone", "pier the", "the", "s an"].map(query =>
        spansWords(markedLine({ spans: row }, beside, query).spans),
      ),
      spansWords(markedLine({ spans: row }, [undefined, undefined], "the").spans),
      // Each a part of the row, and places found in it, of which the first is gone to.
      ..."4-13 4-8 9-13|4-13 0-4 13-17|6-11 9-13 4-8|6-11 4-8 9-13|0-18 0-3 2-5|0-29 14-18 27-29"
        .split("|")
        .map(all => {
          const [part = range(""), ...places] = all.split(" ").map(range)
          return spansWords(markHits([...row, lines.span("!!", "ok", { bold: true })], part, places, places[0]?.from))
        }),
      JSON.stringify(hitsIn(at(["a pi", "er, pier", "pi"]), "pier")),
      JSON.stringify(hitsIn(at(["aaa", "aa"]), "aa", 2)),
      JSON.stringify(hitsIn(at(["one", "pier", "pierce"]), "pier")),
    ].join("\n"),
  ).toMatchSnapshot()
})

const placeWords = ([name, { x, y, width, height }]: readonly [string, Rect]) => `${name} ${width}x${height}+${x}+${y}`

test.each([
  { banner: 0, wanted: 1 },
  { banner: 2, wanted: 9, lanes: 5 },
  { banner: 0, wanted: 99, lanes: 12, question: 12 },
  { banner: 1, wanted: 1, isAlone: true },
  { banner: 0, wanted: 1, isAlone: true, question: 8 },
])("the places of a screen with the needs %j", needs => {
  const sizes = "300x90 231x50 200x60 180x40 160x42 120x40 100x18 100x16 100x14 99x30 80x24 59x40 40x10 3x3 1x1".split(
    " ",
  )
  const places = (size: string, focus: PaneId, maximized: boolean): string => {
    const [columns = 0, rows = 0] = size.split("x").map(Number)
    const { mode, panes, banner, body, footer } = layout({ columns, rows }, { focus, maximized }, needs)
    return [mode, ...Object.entries({ ...panes, banner, body, footer }).map(placeWords)].join(" ")
  }
  const rows = sizes.map(size => [
    ...(["live", "text", "log"] as const).map(focus => `${size} ${focus}: ${places(size, focus, false)}`),
    `${size} whole: ${places(size, size.startsWith("1") ? "home" : "text", true)}`,
  ])
  expect(rows.flat().join("\n")).toMatchSnapshot()
})

test("the cells of the ledger", () => {
  const called = { calls: 3, failedCalls: 1, modelMs: 9949 }
  const some = { ...noAccount, requests: 1, input: 1234, cached: 617, output: 12, ...called }
  const times = { toolMs: 3_600_000, humanMs: 59_500, firstTokenMs: 900, firstTokens: 2 }
  const tokens = { input: 12_345_678, cached: 20_000_000, written: 5, output: 99_999_999, reasoning: 7 }
  const much = { ...some, requests: 12_345_678_901, retries: 2, ...tokens, ...times }
  const priced = [0, 0.00001, 0.0001, 0.5, 12.345, 1234.5].map(one => ({ ...some, nanos: one * 1e9, priced: 1 }))
  const all = [noAccount, some, much, ...priced, { ...some, nanos: 1e9, priced: 1, unpriced: 1 }]
  expect(
    all.map(one => LEDGER_COLUMN_IDS.map(id => `${id} ${ledgerCell(id, one, 4)}`).join(" · ")).join("\n"),
  ).toMatchSnapshot()
})

test("mistakes below a typed line, words of a lost connection, marks and broken lines", () => {
  const mistaken = (text: string, at: number, length: number) => {
    const state = emptyState(live)
    const error = { at, length, message: "expected a number after tokens" }
    return { ...state, view: changed(state.view, { typing: { ...typingOf("filter", text), error } }) } as never
  }
  const mistake = (text: string, at: number, length: number, columns: number) =>
    told(typingMistakes(mistaken(text, at, length), columns))
  const grown = new GrowingLines((text, isFirst) => [lines.line(lines.span(text, isFirst ? "bright" : "dim"))])
  const first = grown.lines.map(({ spans }) => spansWords(spans))
  grown.append("one\ntwo\nthr")
  grown.append("ee")
  const now = { glyphs: unicode, motion: false, now: 10_000 }
  const lost = { state: "lost", url: "ws://h:1/ws", since: 0, retryAt: 12_001, why: "closed", everOpen: true } as const
  expect(
    [
      mistake("error tokens>x", 13, 1, 40),
      mistake("error tokens>x", 13, 1, 12),
      mistake("日本 trun>3", 3, 4, 20),
      mistake("ends here", 9, 0, 20),
      mistake("long", 0, 99, 20),
      mistake("begins so", 0, 6, 10),
      ...[10, 11, 12].map(columns => mistake("ends here", 9, 0, columns)),
      ...[1, 2, 3, 9].map(rows => typedRows(mistaken("error tokens>x", 13, 1), 12, rows)),
      ...[1, 2, 3, 4].map(height => JSON.stringify(inside({ x: 0, y: 0, width: 9, height }))),
      retryIn(lost, { ...now, goneMs: 1500 }),
      ...[0, 1, 2001, 2002, 9000].map(ms => retryIn(lost, { ...now, now: 10_000 + ms })),
      ...[null, 0, 999, 59_999, 60_000, 3_600_000].flatMap(goneMs =>
        [8, 16, 40].map(room => lastSeenWords({ ...now, goneMs }, room)),
      ),
      ...[null, 0, 1].flatMap(turnIndex =>
        [null, 0, 1, 2].map(waitingTurn => {
          const known = { ...unknownDebugger, turnIndex, waitingTurn }
          return `${waitingTurnWords(known)}, ${isMovedBack(known)}`
        }),
      ),
      ...["ws://127.0.0.1:3737/ws", "wss://a.example/x", "no url\u001b[1m", ""].map(hostOf),
      ...[0, 1, 2, 7, 8].map(value => heightOf(value, 8, unicode) + heightOf(value, 8, ascii)),
      ...[2047, 2048, 2049, 5000].map(units =>
        brokenLines(`${"x".repeat(units)}\ny`)
          .map(one => one.length)
          .join("+"),
      ),
      ...[500, 1024, 1500, 2047, 2048].map(units =>
        brokenLines(`${"x".repeat(units)} ${"y".repeat(1600)}`).map(one => one.length),
      ),
      ...[true, false].map(italic => {
        const text = wrappedText(6, "dim", italic)
        text.append("so it goes")
        return told(text.lines)
      }),
      brokenLines(`${"x".repeat(2047)}🎉z`).map(one => one.length),
      [...first, told(grown.lines), grown.length, grown.settled, grown.line(2) === grown.lines[2]].join(" "),
    ].join("\n"),
  ).toMatchSnapshot()
})
