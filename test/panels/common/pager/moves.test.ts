// Keeps what is seen of a text that folds, and of one that doesn't, as a person moves, searches and folds.
import { expect, test } from "bun:test"
import { pagerPlace, shownLines } from "../../../../src/panels/common/pager/PagePane.tsx"
import { jsonText, type PageText, plainText } from "../../../../src/panels/common/pager/pager-text.ts"
import { topOf } from "../../../../src/panels/common/pager/reading-place.ts"
import { PageSheet } from "../../../../src/panels/common/pager/sheet.ts"
import {
  findInPager,
  foldReading,
  moveReading,
  pageOf,
  stepInPager,
} from "../../../../src/panels/common/pager/update.ts"
import { jsonLines } from "../../../../src/run/select/json-lines.ts"
import { unicode } from "../../../../src/ui/glyphs.ts"
import { line, span } from "../../../../src/ui/line.ts"
import { reduce } from "../../../../src/view/reduce.ts"
import { emptyState } from "../../../../src/view/state.ts"
import { shownState } from "../../../../src/view/store.ts"
import { replaying } from "../../planned.ts"

/** What is seen after each step, rows apart by slashes, with the cursor's in brackets; then the place, and the notice. */
function seen(text: PageText, columns: number, rows: number, steps: readonly string[], find = {}): string {
  const overlays = [{ type: "status", top: 0, ...find } as const]
  let state = reduce(emptyState(replaying), { type: "view", change: { overlays, focus: "text" } })
  const told = ["", ...steps].map(step => {
    const [word = "", ...more] = step.split(" ")
    const [all, page] = [shownState(state), pageOf(shownState(state))]
    if (page === null) throw new Error("no page")
    const context = { now: 0, page: rows, lines: text.length, sheet: new PageSheet(text, page, columns, rows) }
    const count = Number(more[0])
    const planOf = () => {
      if (word === "row" || word === "half" || word === "page")
        return moveReading(all, page, { unit: word, count }, context)
      if (word === "first" || word === "last") return moveReading(all, page, { unit: word }, context)
      if (word === "fold" || word === "unfold" || word === "all") return foldReading(all, page, word, context)
      return word === "find"
        ? findInPager(all, page, more.join(" "), context)
        : stepInPager(all, page, count < 0 ? -1 : 1, context)
    }
    if (step !== "") for (const action of planOf().actions) state = reduce(state, action)
    const after = pageOf(shownState(state)) ?? page
    const sheet = new PageSheet(text, after, columns, rows)
    const top = topOf(sheet, after)
    const lines = shownLines(sheet, top, { glyphs: unicode, now: 0, motion: false }).map(({ spans, selected }) => {
      const words = spans
        .map(one => (one.hit === true ? `*${one.text}*${one.bold === true ? "!" : ""}` : one.text))
        .join("")
      return selected === true ? `[${words.trimEnd()}]` : words.trimEnd()
    })
    const { notice } = state.view
    const said = notice === null ? "" : ` · ${notice.text}`
    state = reduce(state, { type: "view", change: { notice: null } })
    const hit = after.hit === undefined ? "" : ` · hit ${after.hit}`
    return `${step}: ${lines.join(" / ")} · ${pagerPlace(sheet, top) ?? "all"}${hit}${said}`
  })
  return told.join("\n")
}

test("a text moves by rows, pages and to its ends, and is searched; what folds has a cursor, which stays in sight", () => {
  const value = {
    ...{
      a: {
        b: [1, { tea: 2 }],
        c: "a tea that is longer than five rows of twenty columns, and goes on, and on, and on, and on, and on, and never ends, it seems",
      },
    },
    ...{ d: "tea", e: { tea: "x" }, f: [], g: "tea" },
  }
  const json = jsonText([line(span("head")), line()], jsonLines(value))
  const plain = plainText("one tea\ntwo\n\nthree is longer than twenty columns, tea\n\tfour\nfive\nsix tea")
  const moves =
    "row 1|row 1|row 1|row -1|row 5|row 1|row 1|row 1|row 1|row -1|half 1|page 1|row 1|last|row -1|half -1|page -1|page -9"
  const folds = "fold|row 3|fold|fold|unfold|row 4|fold|row 1|fold|all|row 2|all|all|last|all|unfold|unfold"
  const finds =
    "step 1|find tea|step 1|step 1|step -1|step -1|step -1|row 9|find TEA|find coffee|step 1|find |step 1|all|find tea|fold|fold|step 1"
  const steps = (all: string) => ["first", ...all.split("|")]
  expect(
    [
      seen(json, 22, 5, steps(moves)),
      seen(json, 22, 5, steps(folds)),
      seen(json, 22, 5, steps(finds)),
      seen(json, 22, 5, ["last", ..."row -1,".repeat(13).split(",").slice(0, -1), "last", "fold"]),
      seen(json, 22, 5, [
        ...'row 5|row 1|row 1|row -1|row -1|row -1|fold|find "a"|find },|find }|step 1|step -1|find '.split("|"),
      ]),
      seen(plain, 20, 3, ["last", "find tea", "find "]),
      // A text that was opened with something to find has gone to no hit yet.
      ...["step -1", "step 1"].map(step => seen(json, 22, 5, [step], { find: "tea" })),
      seen(json, 60, 5, ["page 1"]),
      seen(plain, 20, 3, steps(moves)),
      seen(plain, 20, 3, steps(finds)),
      seen(plainText("taller than the page ".repeat(5)), 20, 3, ["row 1", "last", "first"]),
      seen(plainText(`${"x".repeat(40)}tea`), 20, 1, ["find tea"]),
      seen(json, 22, 5, ["all", "row 1"], { top: 4 }),
      // It was read in another width, or is folded now.
      seen(plain, 20, 3, [], { top: 3, row: 9 }),
      seen(json, 22, 5, ["row -1"], { top: 5, row: 3, folded: [3], cursor: 2 }),
      // A line that fits is seen from its first row, and a longer one from where it was read.
      ...[7, 8].map(rows => seen(json, 22, rows, ["row -1"], { top: 5, row: 1, cursor: 6 })),
      // A fold that doesn't hold the hit stays closed.
      seen(json, 22, 8, ["find tea"], { folded: [3], cursor: 7 }),
      seen(json, 22, 2, steps("half 1|half 1|half 1|half 1|half 1|half 1|half -1|half -1")),
      seen(plainText(""), 20, 3, ["row 1", "last", "find x"]),
    ].join("\n\n"),
  ).toMatchSnapshot()
})
