// Keeps how each row of a run is printed for the host's log, read back from it, and told in the run's account.
import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Json, JsonObject } from "../../wire/src/json.ts"
import { RunTotals } from "../src/run-totals.ts"
import { readRow } from "../src/server/agent-output.ts"
import { chunksOf } from "../src/server/print-lines.ts"
import { parseStdoutLine } from "../src/ui-parser.ts"
import { ROWS, RUNS } from "./run-rows.ts"

const FIXTURES = join(import.meta.dir, "../../../fixtures")
const WRONG: readonly Json[] = [7, "x", ["y"], { z: 1 }, true, null]

function rowOf(event: string, data: JsonObject): JsonObject {
  return { event, seq: 1, ts: 2, data }
}

/** A text that is too long for a picture, by its ends. */
function shortened(text: string): string {
  return text.length <= 400 ? text : `${text.slice(0, 100)}…(${text.length})…${text.slice(-100)}`
}

const print = (value: unknown): string => shortened(JSON.stringify(value))

/** The lines of a row, and what our parser reads in each. */
function told(row: JsonObject): string[] {
  const lines = chunksOf(row).join("").split("\n").slice(0, -1)
  return lines.flatMap(line => [shortened(line), ...parseStdoutLine(line, "").map(entry => `    ${print(entry)}`)])
}

const printed = (row: JsonObject): string =>
  chunksOf(row).map(shortened).join("").trimEnd().replaceAll("\n", "\n      ")

/** What differs in a run's account from that of a run without rows. */
function account(run: RunTotals): string {
  const blank: object = new RunTotals()
  const changed = Object.entries(run).filter(([key, value]) => print(value) !== print(Reflect.get(blank, key)))
  return changed.map(([key, value]) => `${key} ${print(value)}`).join("; ")
}

function add(run: RunTotals, row: JsonObject): string {
  const { data } = run.annotate(row)
  return print(data) === print(row.data) ? "as it was" : print(data)
}

describe("every row", () => {
  test.each(ROWS.map(([event, data], i): [string, number, JsonObject] => [event, i, data]))(
    "%s %d",
    (event, _, data) => {
      const run = new RunTotals("smart")
      const added = add(run, rowOf(event, data))
      expect([print(data), ...told(rowOf(event, data)), `added: ${added}`, account(run)].join("\n")).toMatchSnapshot()
    },
  )

  test("without a key, and with one of a wrong type", () => {
    const lines = ROWS.flatMap(([event, data], i) => {
      const whole = printed(rowOf(event, data))
      const run = new RunTotals()
      run.annotate(rowOf(event, data))
      const accounted = account(run)
      const cases = Object.keys(data).flatMap(key => {
        const { [key]: _, ...rest } = data
        return [["no", rest] as const, ...WRONG.map(wrong => [print(wrong), { ...data, [key]: wrong }] as const)].map(
          ([how, changed]) => {
            const other = new RunTotals()
            other.annotate(rowOf(event, changed))
            const now = printed(rowOf(event, changed))
            const figures = account(other)
            return [
              `${key}`,
              how,
              [now === whole ? [] : [now || "(nothing)"], figures === accounted ? [] : [figures]]
                .flat()
                .join("\n      => "),
            ]
          },
        )
      })
      // Values with one effect stand on one line.
      const grouped = Map.groupBy(cases, ([key, , effect]) => `${key}\n${effect}`)
      const shown = [...grouped.values()].flatMap(all => {
        const [[key, , effect] = []] = all
        return effect === "" ? [] : [`  ${key}: ${all.map(([, how]) => how).join(" or ")}\n      ${effect}`]
      })
      return [`${event} ${i}`, ...shown]
    })
    expect(lines.join("\n")).toMatchSnapshot()
  })
})

describe("a run's account", () => {
  test.each(RUNS)("%s", (_, rows) => {
    const run = new RunTotals()
    const lines = rows.map(([event, data]) => `${event}: ${add(run, rowOf(event, data))}`)
    expect([...lines, account(run)].join("\n")).toMatchSnapshot()
  })
})

test("of more calls than are kept, a result answers the oldest that is", () => {
  const run = new RunTotals()
  for (let i = 0; i < 1026; i++) run.annotate(rowOf("llm/response", { content: [{ name: "t", input: {} }] }))
  expect(run.annotate(rowOf("llm/tool-result", { tool: "t" }))).toMatchObject({ data: { "tool-use-id": "call-3" } })
})

describe("a recorded run in the host's log", () => {
  const recordings = readdirSync(join(FIXTURES, "recordings"))
    .sort()
    .filter(name => name.endsWith(".jsonl"))
  test.each(["failing-run/transcript.jsonl", ...recordings.map(name => `recordings/${name}`)])("%s", file => {
    const run = new RunTotals()
    const lines = readFileSync(join(FIXTURES, file), "utf8")
      .split("\n")
      .flatMap(line => {
        const row = readRow(line)
        return row === null ? [] : chunksOf(run.annotate(row)).map(shortened)
      })
    expect(`${lines.join("")}${account(run)}`).toMatchSnapshot()
  })
})
