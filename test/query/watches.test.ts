// Tests the list of what is watched.
import { expect, test } from "bun:test"
import { MOST_WATCHES, noWatches, withoutWatch, withWatch } from "../../src/query/watches.ts"
import { read } from "./filter/parsed.ts"

/** The list after a watch for each of these texts. */
const watching = (...texts: readonly string[]) => texts.reduce((all, text) => withWatch(all, read(text)), noWatches)

test("a watch is added once, up to a number, and taken away by its key alone", () => {
  const two = watching("turn=1", "error", "turn=1")
  expect(two.list.map(({ text, key }) => [text, key])).toEqual([
    ["turn=1", 1],
    ["error", 2],
  ])
  expect(two.read).toBe(0)
  expect(withoutWatch(two, 1).list.map(({ text }) => text)).toEqual(["error"])
  const many = watching(...Array.from({ length: MOST_WATCHES + 1 }, (_, i) => `turn=${i}`))
  expect(many.list).toHaveLength(MOST_WATCHES)
})
