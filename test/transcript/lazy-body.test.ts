// Keeps how many lines a block has and which of them are made: part by part, dropped, made again, without their text.
import { expect, test } from "bun:test"
import { LazyBody, MadeLines } from "../../src/transcript/lazy-body.ts"
import { wrappedText } from "../../src/ui/growing-lines.ts"
import { line, span } from "../../src/ui/line.ts"
import { lineText } from "../../src/ui/mark-hits.ts"

const text = "\none two\nthree\n\nfour five six"

/** A text of five lines that wraps, or none, below a line of its own, above another; or one that is made at once. */
function bodyOf(how: string) {
  let tops = 0
  const lines = (word: string) => [line(span(word))]
  const grows = how !== "whole" ? (columns: number) => wrappedText(columns, "dim") : null
  const top = () => lines(`top ${++tops}`)
  return new LazyBody(
    { text: how === "empty" ? "" : text, grows, lines: columns => lines(`end at ${columns}`) },
    6,
    top,
  )
}

test.each([
  "grown: make 9, make 9, make 9, make 9, make",
  "grown: make, drop, make 9, drop, make, make",
  "grown: make 9, forget, make, drop, make",
  "grown: forget",
  "whole: make 1, drop, make, forget",
  "empty: make, drop",
])("%s", script => {
  const [how = "", steps = ""] = script.split(": ")
  const body = bodyOf(how)
  const told = ["begin", ...steps.split(", ")].map(step => {
    const [word, units] = step.split(" ")
    const took = word === "make" ? `, took ${body.make(units === undefined ? undefined : Number(units))}` : ""
    if (word === "drop") body.drop()
    if (word === "forget") body.dropText()
    const shown = Array.from({ length: 12 }, (_, i) => body.line(i - 1)).map(one => (one ? lineText(one) : "-"))
    return `${step}${took}: ${body.isMade ? "made" : "not made"}, ${body.length} lines of ${body.text.length}: ${shown.join("|")}`
  })
  expect(told.join("\n")).toMatchSnapshot()
})

test("of more than 20,000 lines the oldest are dropped, but none that are shown, and no more than need be", () => {
  const made = new MadeLines()
  const bodies = Array.from({ length: 4 }, () => {
    const lines = () => Array.from({ length: 10_000 }, () => line(span("x")))
    return new LazyBody({ text: "x".repeat(90_000), grows: null, lines }, 9, () => [])
  })
  const isMade = (...shown: readonly number[]) => {
    made.keep(bodies.filter((_, i) => shown.includes(i)).map(body => ({ body })))
    return bodies.map(body => (body.isMade ? "made" : "-")).join(" ")
  }
  const make = (...which: readonly number[]) => {
    for (const [i, body] of bodies.entries()) {
      if (which.includes(i)) body.make()
      // One that isn't made counts for nothing.
      if (which.includes(i) || !body.isMade) made.add(body)
    }
  }
  make(0, 1)
  expect(isMade()).toBe("made made - -")
  make(2)
  expect(isMade(0)).toBe("made - made -")
  make(3)
  expect(isMade(2, 3)).toBe("- - made made")
  make(0)
  expect([isMade(0, 2, 3), isMade()]).toEqual(["made - made made", "made - - made"])
})
