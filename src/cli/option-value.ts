// Reads one value of the command line or the environment; a wrong one is an Error of one line that names it.
import type { Filter } from "../query/filter/filter.ts"
import { parse } from "../query/filter/parse.ts"
import { type Moment, readSeek } from "../query/moment.ts"

export function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(1|true|yes|on)$/i.test(value)
}

export function isOff(value: string | undefined): boolean {
  return value !== undefined && /^(0|false|no|off)$/i.test(value)
}

export function choice<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(one => one === value)
  if (found === undefined) throw new Error(`${name}: ${value} is none of ${allowed.join(", ")}`)
  return found
}

export function number(name: string, value: string, least: number, most: number): number {
  const read = Number(value)
  if (value.trim() === "" || !(read >= least && read <= most))
    throw new Error(`${name}: ${value} is no number from ${least} to ${most}`)
  return read
}

/** The moment that `--at` names (docs/decisions.md 1.9). */
export function moment(text: string | undefined): Moment | null {
  if (text === undefined) return null
  const read = readSeek(text)
  if (read === null) throw new Error(`--at: ${text} is no moment; 812, e2/812, #1204, +12.5s and 14:03:22 are`)
  return read
}

/** The condition that `--pause-at` names (docs/filter.md). */
export function condition(text: string | undefined): Filter | null {
  if (text === undefined) return null
  const read = parse(text)
  if ("error" in read) throw new Error(`--pause-at: ${read.error.message}`)
  return read.filter
}
