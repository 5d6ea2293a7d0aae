// Reads fixtures/paperclip: rows of runs of every kind with all their keys, and lines that a run's log may have.
import { readFileSync } from "node:fs"
import type { JsonObject } from "../../wire/src/json.ts"

/** The lines of a file of fixtures/paperclip. */
export function fixture(name: string): readonly string[] {
  const text = readFileSync(new URL(`../../../fixtures/paperclip/${name}`, import.meta.url), "utf8")
  return text.split("\n").slice(0, -1)
}

export type Row = readonly [event: string, data: JsonObject]

/** A row of every kind, with every key that is read. */
export const ROWS: readonly Row[] = fixture("rows.jsonl").map(line => JSON.parse(line))

/** What a run's account depends on: which rows stood before, by a name. */
export const RUNS: readonly (readonly [name: string, rows: readonly Row[]])[] = fixture("runs.jsonl").map(line =>
  JSON.parse(line),
)
