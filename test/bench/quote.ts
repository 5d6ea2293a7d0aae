// Prints the benchmark rows that have a goal into docs/speed.md, between its markers.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { RESULTS, type Results, shortList } from "./results.ts"

const BLOCK = /(?<=<!-- bench -->\n).*(?=<!-- \/bench -->)/s
const PAGE = join(root, "docs/speed.md")

/** The list in the page, and the list of the results. */
export function quoted(): { readonly has: string | null; readonly should: string } {
  const { machine, results }: Results = JSON.parse(readFileSync(RESULTS, "utf8"))
  return {
    has: BLOCK.exec(readFileSync(PAGE, "utf8"))?.[0] ?? null,
    should: `${machine}. In brackets the goal:\n${shortList(results)}\n`,
  }
}

/** Brings the page up to date. */
export function quote(): void {
  const { should } = quoted()
  writeFileSync(
    PAGE,
    readFileSync(PAGE, "utf8").replace(BLOCK, () => should),
  )
}

if (import.meta.main) quote()
