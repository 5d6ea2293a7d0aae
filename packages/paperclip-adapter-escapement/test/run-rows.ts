// Reads fixtures/wire: rows of runs of every kind with all their keys, and lines that a run's log may have.
import { readFileSync } from "node:fs"
import type { JsonObject } from "../../wire/src/json.ts"

/** The lines of a file of fixtures/wire. */
export function fixture(name: string): readonly string[] {
  const text = readFileSync(new URL(`../../../fixtures/wire/${name}`, import.meta.url), "utf8")
  return text.split("\n").slice(0, -1)
}

export type Row = readonly [event: string, data: JsonObject]

/** A row of every kind, with every key that is read. */
export const ROWS: readonly Row[] = fixture("run-rows.jsonl").map(line => JSON.parse(line))

/** What a run's account depends on: which rows stood before, by a name. */
export const RUNS: readonly (readonly [name: string, rows: readonly Row[]])[] = fixture("account-runs.jsonl").map(
  line => JSON.parse(line),
)
