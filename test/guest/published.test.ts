// Runs the ui-parsers that others publish, ours, and the examples of the contract, on lines of their agents.
import { expect, test } from "bun:test"
import { jsonl } from "../agent/ui.ts"
import { picture } from "../run/picture.ts"
import { blocksOf, parserOf, printed, runOf } from "./reading.ts"

/** Each a parser, and lines that its agent prints, or what is JSON in them. */
const PUBLISHED = await jsonl<readonly [parser: string, ...lines: (string | object)[]]>("../../guest/published")

test.each(PUBLISHED.map(([parser, ...lines]) => [parser, lines] as const))("%s", async (parser, lines) => {
  const texts = lines.map(line => (typeof line === "string" ? line : JSON.stringify(line)))
  const run = await runOf(await parserOf(parser), printed(...texts))
  const figures = picture(run).filter(line => /^report\.(run\.usage|.*sessions\.0):/.test(line))
  expect(run.guest.warnings).toEqual([])
  expect([...blocksOf(run), ...figures].join("\n")).toMatchSnapshot()
})

test.each(PUBLISHED)("%s survives junk", async name => {
  const junk = ["", "{", "null", "[1,2", '{"type":7}', "\x1b[31m", "x".repeat(100_000), "\ud800"]
  const run = await runOf(await parserOf(name), printed(...junk))
  expect(run.status).toBe("finished")
  expect(run.guest.warnings.filter(({ why }) => why.includes("is out"))).toEqual([])
})
