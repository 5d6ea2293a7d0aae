// Tests what a part of some words finds, and in which order.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { matchedUnits, meantText, ranked, rankOf } from "../../../src/panels/palette/match.ts"
import type { PaletteEntry } from "../../../src/panels/palette/palette-entry.ts"
import { forAll } from "../../for-all.ts"

type Searched = Pick<PaletteEntry, "id" | "title" | "words">

const row = (title: string, words = "", id = title): Searched => ({ id, title, words })
const found = (text: string, rows: readonly Searched[], chosen: readonly string[] = []) =>
  ranked(rows, text, chosen).map(({ title }) => title)

const texts = fc.string({ unit: fc.constantFrom(..."abcXY é·7 "), maxLength: 12 })
const rows = fc.array(fc.record({ id: texts, title: texts, words: texts }, { noNullPrototype: true }), {
  maxLength: 20,
})

const sorted = (all: readonly Searched[]) => all.map(one => JSON.stringify(one)).toSorted()

describe("a text that is typed", () => {
  test("finds a title that it begins before one with a word that it begins, and that before one that holds it", () => {
    const all = [row("unpin"), row("a pin"), row("put in line"), row("pin the row"), row("mark", "pin keep")]
    expect(found("pin", all)).toEqual(["pin the row", "a pin", "mark", "unpin", "put in line"])
    expect(found("pin", [row("unpin the spin"), row("mark", "pin keep")])).toEqual(["mark", "unpin the spin"])
  })

  test("finds the words in any order, and by their first letters", () => {
    const all = [row("next error in the log"), row("next bookmark")]
    expect(found("error next", all)).toEqual(["next error in the log"])
    expect(found("ne", all)).toEqual(["next error in the log", "next bookmark"])
    expect(found("nb", all)).toEqual(["next bookmark"])
  })

  test("that nothing matches is told what was meant, if that is near", () => {
    const all = [row("judge 4"), row("next error in the log", "failure"), row("export the run")]
    expect(meantText("jduge", all)).toBe("judge")
    expect(meantText("nxet eror", all)).toBe("next error")
    expect(meantText("expotr failrue", [row("export", "failure")])).toBe("export failure")
    expect(meantText("zzgrm", all)).toBeNull()
    // Each word is near one of another row: no row has both.
    expect(meantText("jduge exprot", all)).toBeNull()
  })

  test("puts what was chosen last before what matches as well, and after what matches better", () => {
    const all = [row("judge 1"), row("judge 2"), row("judge 3"), row("show judges")]
    expect(found("judge", all, ["show judges", "judge 3"])).toEqual(["judge 3", "judge 1", "judge 2", "show judges"])
    expect(found("", all, ["judge 3", "judge 1"]).slice(0, 3)).toEqual(["judge 3", "judge 1", "judge 2"])
  })
})

test("whatever is typed, each row that matches stands there once, and no other", () =>
  forAll([rows, texts, fc.array(texts)], 100, (all, text, chosen) => {
    const kept = ranked(all, text, chosen)
    expect(sorted(kept)).toEqual(sorted(all.filter(one => rankOf(text, one) !== null)))
  }))

test("a text always finds the title that it is, first, and any part of it in any case", () =>
  forAll([texts, texts, fc.nat(12), fc.nat(12)], 100, (title, words, from, length) => {
    expect(rankOf(` ${title} `, { title: title.trim(), words })).toBe("title")
    expect(rankOf(title.slice(from, from + length).toUpperCase(), { title: title.toUpperCase(), words })).not.toBeNull()
  }))

test("more letters never find what fewer don't", () =>
  forAll([texts, texts], 100, (title, text) => {
    if (rankOf(text, { title, words: "" }) !== null) return
    expect(rankOf(`${text}a`, { title, words: "" })).toBeNull()
  }))

test("the letters that are marked are those that were typed", () =>
  forAll([texts, texts], 100, (title, text) => {
    const places = [...matchedUnits(text, title)]
    for (const place of places) {
      expect(text.toLowerCase()).toContain((title[place] ?? "").toLowerCase())
    }
  }))

test("of a text that stands in a title twice the beginning of a word is marked", () => {
  const marked = (title: string) => [...matchedUnits("pin", title)].join()
  expect(["unpin", "unpin pin", "a p-i-n", "épin pin"].map(marked)).toEqual(["2,3,4", "6,7,8", "2,4,6", "5,6,7"])
})

test.each([
  ["nxer", "next error in the log", false],
  ["neer", "next error in the log", true],
  ["gttp", "go to the present", true],
  ["jb", "judge-bee", true],
  ["theme", "step to the next state, session or model turn", false],
])("the letters %p %p are found only at word starts or side by side: %p", (typed, title, isFound) => {
  expect(rankOf(typed, row(title)) !== null).toBe(isFound)
  // What a run says is found by its words alone.
  for (const kind of ["error", "state", "bookmark", "question"] as const)
    expect(rankOf(typed, { ...row(title), kind })).toBeNull()
})

test("a plural finds the word, and an action comes before a state or an error that holds a word", () => {
  const plurals = ["errors", "axs", "1-1"].map(typed => rankOf(typed, row("error ax 21-1-1")))
  const kinds = (["action", "state", "error", "bookmark"] as const).map(kind =>
    rankOf("way", { ...row("a way"), kind }),
  )
  expect([...plurals, ...kinds]).toEqual(["letters", null, "title words", "title words", "part", "part", "title words"])
})
