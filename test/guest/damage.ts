// Damages the lines of a log, a field at a time, and tells what becomes of the frames that are made of it.
import { isObject, type Json, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { changes, type DrawnFrame } from "./drawn-frames.ts"

type Path = readonly string[]

/** The places of all values in a line; places in a list have the same name. */
function* placesIn(value: Json, path: Path = [], name = ""): Generator<{ path: Path; name: string; value: Json }> {
  if (path.length > 0) yield { path, name, value }
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield* placesIn(inner, [...path, key], Array.isArray(value) ? `${name}[]` : name === "" ? key : `${name}.${key}`)
  }
}

/** A copy of a line with another value at a place, or with none. */
function damaged(value: Json, [key = "", ...rest]: Path, by: Json | undefined): Json {
  if (Array.isArray(value)) {
    const inner = value.map((one, at) => (`${at}` === key ? (rest.length === 0 ? by : damaged(one, rest, by)) : one))
    return inner.filter(one => one !== undefined)
  }
  if (!isObject(value)) return value
  const inner = rest.length === 0 ? by : damaged(value[key] ?? null, rest, by)
  const { [key]: _, ...others } = value
  return inner === undefined ? others : { ...others, [key]: inner }
}

function otherType(value: Json): Json {
  return typeof value === "string" ? 7 : typeof value === "number" ? "x" : "other"
}

/** How many lines of a kind are tried until one shows what a place of theirs is for. */
const TRIES = 2

/** How many lines are read from the damaged one on. */
const NEAR = 12

/** A part of a message that is told as a whole, too, and what a tool is given, which no reader looks into. */
const PASSED = /partial|\b(?:rawInput|input|args|arguments|parameters)\.\w/

/**
 * What changes for each place of the lines: where it is missing, and where its value has another type. `done` counts
 * how often the place was tried in lines of the same kind; those whose kind is null are left alone.
 */
export function damagesOf(
  lines: readonly string[],
  framesOf: (lines: readonly string[]) => readonly DrawnFrame[],
  kindOf: (line: JsonObject) => string | null,
  done: Map<string, number>,
): readonly string[] {
  const found = new Map<string, string[]>()
  for (const [at, text] of lines.entries()) {
    const line = parseJson(text) ?? null
    const kind = isObject(line) ? kindOf(line) : null
    if (kind === null) continue
    const near = lines.slice(0, at + NEAR)
    const whole = framesOf(near)
    for (const { path, name, value } of placesIn(line)) {
      const label = `${kind} ${name}`
      const tries = done.get(label) ?? 0
      if (PASSED.test(name) || tries >= TRIES) continue
      const [missing = "", other = ""] = [undefined, otherType(value)].map(by => {
        const copy = near.with(at, JSON.stringify(damaged(line, path, by)))
        return changes(whole, framesOf(copy)).join("\n    ")
      })
      done.set(label, missing + other === "" ? tries + 1 : TRIES)
      const add = (change: string, words: string) => found.set(change, [...(found.get(change) ?? []), words])
      add(missing, missing === other ? label : `${label} missing`)
      if (missing !== other) add(other, `${label} of another type`)
    }
  }
  found.delete("")
  return [...found].map(([change, labels]) => `${labels.join(", ")}\n    ${change}`)
}
