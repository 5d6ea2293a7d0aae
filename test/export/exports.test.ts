// Keeps what runs are exported as: a reader of a page, a player of a recording or a store of traces gets exactly this.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { called } from "../cli/called.ts"
import { root } from "../fixtures.ts"

/** A tool's result of 3,200 lines, which no picture needs. */
const COVERAGE = /(?:(?:&gt; |> )?DA:.*\n){3,}/g

const LINES = (await Bun.file(join(root, "fixtures/scripts/exports.txt")).text()).trimEnd().split("\n")

test.each(LINES)("export %s", async line => {
  const text = await called(`export ${line}`, join(root, "fixtures"))
  const links = text.matchAll(/(?:\]\(| href=")#([^)"]*)/g)
  for (const [, anchor = ""] of links) expect(text).toContain(`id="${anchor}"`)
  expect(text.replace(COVERAGE, lines => `(${lines.split("\n").length - 1} lines of coverage)\n`)).toMatchSnapshot()
})
