// Reads the file of a theme: a colour for each role, for each number of colours that a terminal may have.
import { isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"
import { nearestWord } from "../query/nearest-word.ts"
import dark from "./themes/dark.toml"
import light from "./themes/light.toml"

/** The roles that have one colour each; the invocations share `hues`. */
const ROLES = ["bright", "normal", "dim", "error", "warn", "ok", "accent", "past", "selected", "failed"] as const

/** `#rrggbb`, the number of a colour, or null for the terminal's own. */
type Shade = string | number | null

interface Shades {
  readonly roles: ReadonlyMap<string, Shade>
  readonly hues: readonly Shade[]
}

const DEPTHS = ["truecolor", "256", "16"] as const
type ColorDepth = (typeof DEPTHS)[number]

export interface ThemeFile {
  readonly name: string
  /** The built-in theme that has what is missing here. */
  readonly base: "dark" | "light"
  readonly shades: { readonly [D in ColorDepth]: Shades }
}

const noShades: Shades = { roles: new Map(), hues: [] }
const EMPTY = { truecolor: noShades, "256": noShades, "16": noShades }

/** One of our own themes. */
export function builtIn(name: ThemeFile["base"]): ThemeFile {
  return readOver(name, name === "dark" ? dark : light, EMPTY)
}

/** Reads a theme. Throws a one-line Error that names the mistaken entry. */
export function readTheme(name: string, table: JsonObject): ThemeFile {
  return readOver(name, table, builtIn(baseOf(table)).shades)
}

function baseOf({ base }: JsonObject): "dark" | "light" {
  if (base === "dark" || base === "light") return base
  throw new Error(`base: expected "dark" or "light", got ${tomlWords(base)}`)
}

function readOver(name: string, table: JsonObject, under: ThemeFile["shades"]): ThemeFile {
  for (const key of Object.keys(table)) if (key !== "base") known("table", key, DEPTHS)
  const own = (depth: ColorDepth): Partial<Shades> => ownShades(depth, table[depth] ?? {})
  const full = own("truecolor")
  const nearest = { roles: mapped(full.roles), ...(full.hues && { hues: full.hues.map(nearestIndex) }) }
  const shades = {
    truecolor: layered(under.truecolor, full),
    "256": layered(layered(under["256"], nearest), own("256")),
    "16": layered(under["16"], own("16")),
  }
  return { name, base: baseOf(table), shades }
}

function ownShades(depth: ColorDepth, table: Json): Partial<Shades> {
  if (!isObject(table)) throw new Error(`${depth}: expected a table, got ${tomlWords(table)}`)
  const { hues, ...roles } = table
  for (const role of Object.keys(roles)) known(`role in ${depth}`, role, [...ROLES, "hues"])
  const own = Object.entries(roles).map(([role, value]) => [role, shade(depth, role, value)] as const)
  if (hues === undefined) return { roles: new Map(own) }
  if (!Array.isArray(hues)) throw new Error(`${depth}.hues: expected a list, got ${tomlWords(hues)}`)
  if (hues.length === 0) throw new Error(`${depth}.hues: expected at least one colour`)
  return { roles: new Map(own), hues: hues.map(value => shade(depth, "hues", value)) }
}

function known(what: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return
  const nearest = nearestWord(name, names)
  throw new Error(`unknown ${what}: ${name}${nearest === name ? "" : `; did you mean ${nearest}?`}`)
}

function shade(depth: ColorDepth, role: string, value: Json): Shade {
  if (value === "default") return null
  if (depth === "truecolor") {
    if (typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)) return value
    throw new Error(`truecolor.${role}: expected "#rrggbb" or "default", got ${tomlWords(value)}`)
  }
  const most = Number(depth) - 1
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new Error(`${depth}.${role}: expected a number from 0 to ${most} or "default", got ${tomlWords(value)}`)
}

function layered(under: Shades, { roles = new Map(), hues = under.hues }: Partial<Shades>): Shades {
  return { roles: new Map([...under.roles, ...roles]), hues }
}

function mapped(roles: Shades["roles"] = new Map()): Shades["roles"] {
  return new Map([...roles].map(([role, value]) => [role, nearestIndex(value)]))
}

/** The levels of red, green and blue in the colours from 16 on, and the first of the 24 greys. */
const LEVELS = [0, 95, 135, 175, 215, 255]
const FIRST_GREY = 232

function nearestIndex(value: Shade): Shade {
  if (typeof value !== "string") return value
  const parts = [1, 3, 5].map(at => Number.parseInt(value.slice(at, at + 2), 16))
  const distance = (other: readonly number[]) => parts.reduce((sum, part, i) => sum + (part - (other[i] ?? 0)) ** 2, 0)
  const steps = parts.map(part =>
    LEVELS.indexOf(LEVELS.toSorted((a, b) => Math.abs(a - part) - Math.abs(b - part))[0] ?? 0),
  )
  const mean = parts.reduce((sum, part) => sum + part, 0) / 3
  const grey = Math.max(0, Math.min(23, Math.round((mean - 8) / 10)))
  const [red = 0, green = 0, blue = 0] = steps
  const level = 8 + 10 * grey
  const isGrey = distance([level, level, level]) < distance(steps.map(step => LEVELS[step] ?? 0))
  return isGrey ? FIRST_GREY + grey : 16 + 36 * red + 6 * green + blue
}

/** What an error calls a value that is not the one expected. */
export function tomlWords(value: Json | undefined): string {
  if (Array.isArray(value)) return "a list"
  return isObject(value) ? "a table" : (JSON.stringify(value) ?? "nothing")
}
