// Keeps what each kind of line is read as, whole and with each value of another shape; the contract says what is right.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { decode } from "../src/decode.ts"
import { isList, isObject, type Json, type JsonObject } from "../src/json.ts"

/** The lines of a file of fixtures/wire. */
function rowsOf(name: string): readonly JsonObject[] {
  const lines = readFileSync(new URL(`../../../fixtures/wire/${name}.jsonl`, import.meta.url), "utf8").trimEnd()
  return lines.split("\n").map(line => JSON.parse(line))
}

const EVENTS = rowsOf("events").map(({ event, data }) => [event, data] as [event: string, data: JsonObject])
const FRAMES = rowsOf("lines")

/** What a value is replaced by: nothing, and a value of every type. */
const TYPES: readonly Json[] = JSON.parse('[null, "", "x\\u0007", true, false, ["x\\u0007", null], {}, 0, 1.5, -1]')
const OTHERS: readonly (Json | undefined)[] = [undefined, ...TYPES, 2 ** 53]

/** Our own keys of a line as it is read, each on its own. A reason stands for a line that is none. */
function readAs(row: Json): ReadonlyMap<string, string> {
  const decoded = decode(JSON.stringify(row))
  if (decoded.kind === "malformed") return new Map([["malformed", decoded.why]])
  const { data: _, units: __, opts: ___, body, ...rest } = { data: null, units: 0, opts: null, body: {}, ...decoded }
  return new Map(Object.entries({ ...rest, ...body }).flatMap(([key, value]) => partsOf(key, value)))
}

/** A value as text; of a list of objects, each on its own. */
function partsOf(key: string, value: unknown): readonly (readonly [string, string])[] {
  if (!isList(value) || value.length === 0 || !value.every(isObject)) return [[key, printed(value)]]
  return [[key, `${value.length}`], ...value.map((one, i) => [`${key}.${i}`, printed(one)] as const)]
}

const printed = (value: unknown): string =>
  (JSON.stringify(value) ?? "undefined").replace(
    /[\u007f-\uffff]/g,
    one => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

/** The places of all values that have a name, but not those within a value that is free. */
function* pathsIn(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0 && !/^\d+$/.test(path.at(-1) ?? "")) yield path
  if ((isObject(value) || isList(value)) && path.at(-1) !== "input" && path.at(-1) !== "value")
    for (const [key, one] of Object.entries(value)) yield* pathsIn(one, [...path, key])
}

/** The value with another one at this place. */
function replaced(value: Json, [key = "", ...path]: readonly string[], other: Json | undefined): Json {
  const next = path.length === 0 ? other : replaced((value as JsonObject)[key] ?? null, path, other)
  if (isList(value)) return value.with(Number(key), next ?? null)
  const { [key]: _, ...rest } = value as JsonObject
  return next === undefined ? rest : { ...(value as JsonObject), [key]: next }
}

/** What a line is read as, and what changes with each of its values: one line for all that change the same. */
function pictured(row: JsonObject, below = ""): string {
  const whole = readAs(row)
  const lines = [...whole].map(([key, text]) => `${key}: ${text}`)
  for (const path of pathsIn(row)) {
    if (!path.join(".").startsWith(below)) continue
    const changes = new Map<string, string[]>()
    for (const other of OTHERS) {
      const now = readAs(replaced(row, path, other))
      const changed = [...now].filter(([key, text]) => whole.get(key) !== text).map(([key, text]) => `${key}: ${text}`)
      const lost = [...whole.keys()].filter(key => !now.has(key) && !now.has("malformed"))
      const words =
        [...changed, ...lost.map(key => `no ${key}`)].join(", ").replace(/(?<=got )[a-z ]+(?="?\]?$|")/, "that") ||
        "the same"
      changes.set(words, [...(changes.get(words) ?? []), other === undefined ? "absent" : JSON.stringify(other)])
    }
    for (const [words, others] of changes) lines.push(`  ${path.join(".")} ${others.join(" ")} → ${words}`)
  }
  return `${lines.join("\n")}\n`
}

test.each(EVENTS)("the event %s", (event, data) => {
  const below = data.invokeid === undefined ? "data." : ""
  expect(pictured({ kind: "event", seq: 5, ts: 1000, event, data }, below)).toMatchSnapshot()
})

test.each(FRAMES.map(frame => [printed(frame).slice(0, 52), frame] as const))("the line %s", (_, frame) => {
  expect(pictured(frame)).toMatchSnapshot()
})

test("a key of an event that is null is one that is missing, and no fault", () => {
  const known = EVENTS.filter(([event]) => !/^(adapter|brand|__proto__)/.test(event))
  for (const [event, data] of known) {
    const nulls = Object.fromEntries(Object.keys(data).map(key => [key, null]))
    const without = readAs({ kind: "event", event, data: {} })
    expect(readAs({ kind: "event", event, data: nulls })).toEqual(without)
    expect(without.get("faults") ?? "[]").toBe("[]")
  }
})
