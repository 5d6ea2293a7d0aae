// Prints what the benchmarks found into the pages that quote it, between their markers.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { RESULTS, type Result, type Results, table } from "./results.ts"

const BLOCK = /(?<=<!-- bench -->\n).*(?=<!-- \/bench -->)/s
/** What the README quotes: one line for each promise. */
const SHORT = [
  "8 sessions: decode + fold",
  "2,048 sessions: decode + fold",
  "2,048 sessions: the same, committed and read every 200",
  "2,048 sessions: a commit, p99, last tenth",
  "1,000 sessions × 100 deltas/s: frames drawn",
  "1,000 sessions × 100 deltas/s: of one core",
  "1 MB to 1 KB",
  "as the agent starts it, to the floor",
  "compiled, to the floor",
  "a seek anywhere",
  "RSS with 2,048 sessions, after each million",
  "a recording at its end: sent in a minute",
  "the worst answer to a ping while the terminal did not read",
]
const PAGES: readonly (readonly [path: string, isQuoted: (one: Result) => boolean])[] = [
  ["README.md", ({ what }) => SHORT.includes(what)],
  ["docs/speed.md", () => true],
]

/** What each page has between its markers, and what it should have. */
export function quotes(): readonly { readonly path: string; readonly has: string | null; readonly should: string }[] {
  const { machine, results }: Results = JSON.parse(readFileSync(RESULTS, "utf8"))
  return PAGES.map(([path, isQuoted]) => {
    const should = `${machine}:\n\n${table(results.filter(isQuoted))}\n`
    return { path, has: BLOCK.exec(readFileSync(join(root, path), "utf8"))?.[0] ?? null, should }
  })
}

/** Brings the pages up to date. */
export function quote(): void {
  for (const { path, should } of quotes()) {
    const page = readFileSync(join(root, path), "utf8")
    writeFileSync(
      join(root, path),
      page.replace(BLOCK, () => should),
    )
  }
}

if (import.meta.main) quote()
