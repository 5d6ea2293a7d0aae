// Defines an option of the command line, and the kinds of them.
import { choice, number } from "./option-value.ts"

export interface Option {
  readonly type: "boolean" | "string"
  readonly short?: string
  readonly multiple?: true
  /** What its value is called; beside `values`, what else it may be. */
  readonly takes?: string
  readonly values?: readonly string[]
  /** Throws a one-line Error if a text is no value of it; `called` is what the error calls it. */
  readonly check?: (called: string, text: string) => unknown
  /** What holds if nothing names a value; a switch is off then. */
  readonly unset?: string
  /** True if its value is a file or a directory. */
  readonly isPath?: true
  readonly about: string
  /** The variables that say the same, the first first: `A, B`. With `=0` or `=1`, what switches it on. */
  readonly variable?: string
}

export type OptionTable = { readonly [name: string]: Option }

type Rest = Omit<Option, "type" | "about">
type Range = readonly [least: number, most: number]

/** A switch. */
export function flag(about: string, variable?: string) {
  return { type: "boolean", about, ...(variable !== undefined && { variable }) } as const
}

/** An option with a value. */
export function valued<const R extends Rest>(about: string, rest: R) {
  return { type: "string", about, ...rest } as const
}

/** An option whose value is a number. */
export function numbered<const R extends Rest>(about: string, [least, most]: Range, rest: R, kind?: "a whole number") {
  const check = (called: string, text: string) => number(called, text, least, most, kind)
  return { type: "string", about, check, ...rest } as const
}

/** An option whose value is a whole number; `unset` is what holds without one. */
export function whole(about: string, range: Range, unset: string) {
  return numbered(about, range, { takes: "N", unset }, "a whole number")
}

/** An option whose value is a file or a directory. */
export function located(about: string, takes: string, variable?: string) {
  return { type: "string", about, takes, isPath: true, ...(variable !== undefined && { variable }) } as const
}

/** Throws a one-line Error if an option can't have that value; `called` is what the error calls the option. */
export function checkValue({ values, takes, check }: Option, name: string, value: string, called = name): void {
  if (values !== undefined && takes === undefined) choice(name === "as" ? "format" : name, value, values)
  check?.(called, value)
}
