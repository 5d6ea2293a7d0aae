// Tests the order in which the runs below a directory are searched.
import { expect, test } from "bun:test"
import { searchOrder } from "../../src/search/find-runs.ts"

test("a run of 50 GB is searched after all others, which keep their order", () => {
  const run = (name: string, size: number) => ({ name, directory: name, recording: name, size, changedAt: 0 })
  const runs = [run("newest", 50 * 1024 ** 3), run("b", 10), run("a", 2_000_000)]
  expect(searchOrder(runs).map(({ name }) => name)).toEqual(["b", "a", "newest"])
})
