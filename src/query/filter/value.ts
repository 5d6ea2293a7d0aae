// Parses and prints the values that filters compare with: numbers and points in time.
import type { MomentTerm } from "./filter.ts"

/** Parses a number such as `250`, `-1`, `0.5` or `4k` (4,000); null for anything else. */
export function readNumber(text: string): number | null {
  const [, digits, thousands] = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(k?)$/i.exec(text) ?? []
  if (digits === undefined) return null
  // Adding 0 makes 0 of -0, which prints as 0.
  const value = Number(digits) * (thousands === "" ? 1 : 1000) + 0
  return Number.isFinite(value) ? value : null
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** `+01:02:03.5` and `+02:03`, `+12.5`, and `2h07m`, `3m05s`, `+12.5s`. */
const SINCE_START = [
  /^\+(?:(?<hours>\d{1,5}):(?=\d\d:))?(?<minutes>\d{1,7}):(?<seconds>[0-5]\d)(?:\.(?<fraction>\d{1,3}))?$/,
  /^\+(?<seconds>\d{1,9})(?:\.(?<fraction>\d{1,3}))?$/,
  /^\+?(?=\d)(?:(?<hours>\d{1,5})h)?(?:(?<minutes>\d{1,7})m)?(?:(?<seconds>\d{1,9})(?:\.(?<fraction>\d{1,3}))?s)?$/,
]

/**
 * A time, in any form that the screen shows: epoch ms, `14:03`, `14:03:22.5`, or the time since the run's first, such
 * as `+12.5s`, `+00:34.310` or `2h07m`. Null for anything else.
 */
export function readMoment(text: string): MomentTerm | null {
  if (/^\d{1,15}$/.test(text)) return { from: "epoch", ms: Number(text), span: 1 }
  for (const form of SINCE_START) {
    const found = form.exec(text)?.groups
    if (found === undefined) continue
    const { ms, span } = seconds(found.seconds, found.fraction)
    return { from: "start", ms: Number(found.hours ?? 0) * HOUR + Number(found.minutes ?? 0) * MINUTE + ms, span }
  }
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?$/.exec(text)
  if (clock === null) return null
  const minutes = Number(clock[1]) * HOUR + Number(clock[2]) * MINUTE
  if (clock[3] === undefined) return { from: "clock", ms: minutes, span: MINUTE }
  const { ms, span } = seconds(clock[3], clock[4])
  return { from: "clock", ms: minutes + ms, span }
}

function seconds(whole = "", fraction = ""): { ms: number; span: number } {
  return { ms: Number(whole) * 1000 + Number(fraction.padEnd(3, "0")), span: 10 ** (3 - fraction.length) }
}

/** The text that `readMoment` reads as `moment`. */
export function printMoment({ from, ms, span }: MomentTerm): string {
  if (from === "epoch") return String(ms)
  if (from === "start") return `+${printSeconds(ms, span)}s`
  const minutes = `${pad(Math.floor(ms / HOUR))}:${pad(Math.floor((ms % HOUR) / MINUTE))}`
  if (span === MINUTE) return minutes
  const rest = ms % MINUTE
  return `${minutes}:${rest < 10_000 ? "0" : ""}${printSeconds(rest, span)}`
}

function printSeconds(ms: number, span: number): string {
  return (ms / 1000).toFixed(3 - Math.log10(span))
}

function pad(n: number): string {
  return String(n).padStart(2, "0")
}
