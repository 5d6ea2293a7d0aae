// Measures, clips and pads text in columns, and prints numbers and times.
import type { SeenRows } from "../view/cursor-step.ts"

/** Characters one column wide that join with none beside them: Latin, Greek, Cyrillic, our own marks and lines. */
export const COLUMNS =
  /^[ -~\u00a1-\u00ac\u00ae-\u02af\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b\u203d-\u2048\u204a-\u205e\u2190-\u2199\u21a9\u2500-\u25a9\u25ac-\u25b5\u25b7-\u25bf\u25c1-\u25fa\u2713\u2717]*$/

/** Made when first needed: it loads much data. */
let segmenter: Intl.Segmenter | undefined

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  return segmenter.segment(text)
}

/** The columns that a text takes. */
export function width(text: string): number {
  return COLUMNS.test(text) ? text.length : Bun.stringWidth(text)
}

/** The first `columns` columns of `text`, ending with an ellipsis if any text was cut. */
export function clip(text: string, columns: number, ellipsis = "…"): string {
  if (columns <= 0) return ""
  if (text.length <= columns && COLUMNS.test(text)) return text
  // Only a part that could fit is measured: a cell holds few UTF-16 units.
  const head = text.length > columns * 16 ? text.slice(0, columns * 16) : text
  if (head === text && Bun.stringWidth(text) <= columns) return text
  const room = columns - width(ellipsis)
  return head.slice(0, fitting(head, Math.max(0, room)).units) + (room >= 0 ? ellipsis : "")
}

/** As `clip`, but keeps the end, where ids differ. */
export function clipStart(text: string, columns: number, ellipsis = "…"): string {
  if (columns <= 0) return ""
  if (width(text) <= columns) return text
  // A fast path for plain text, because each row that streams needs this in every frame.
  const end = text.slice(-columns)
  if (COLUMNS.test(end)) return ellipsis + end.slice(width(ellipsis))
  const parts = [...graphemesOf(text.slice(-columns * 16))].map(part => part.segment)
  const kept: string[] = []
  let used = width(ellipsis)
  for (const part of parts.toReversed()) {
    used += width(part)
    if (used > columns) break
    kept.unshift(part)
  }
  return ellipsis + kept.join("")
}

/** As `clip`, but cuts in the middle: names of siblings begin alike, and their ends alone say too little. */
export function clipMiddle(text: string, columns: number, ellipsis = "…"): string {
  if (width(text) <= columns) return text
  const head = clip(text, Math.floor(columns / 3), "")
  return head + clipStart(text, columns - width(head), ellipsis)
}

/** How many UTF-16 units of `text` fit into `columns`, in whole graphemes, and the columns they take. */
export function fitting(text: string, columns: number): { units: number; columns: number } {
  if (COLUMNS.test(text)) {
    const units = Math.min(text.length, columns)
    return { units, columns: units }
  }
  if (text.length <= columns * 16) {
    const whole = Bun.stringWidth(text)
    if (whole <= columns) return { units: text.length, columns: whole }
  }
  let units = 0
  let used = 0
  for (const { segment } of graphemesOf(text)) {
    const next = width(segment)
    if (used + next > columns) break
    used += next
    units += segment.length
  }
  return { units, columns: used }
}

/** UTF-16 units of the first grapheme. */
export function firstGrapheme(text: string): number {
  const [first] = graphemesOf(text)
  return first?.segment.length ?? 0
}

/** `text` in exactly `columns` columns, clipped or filled with spaces. */
export function pad(text: string, columns: number, align: "left" | "right" = "left", ellipsis = "…"): string {
  const cut = clip(text, columns, ellipsis)
  const fill = " ".repeat(Math.max(0, columns - width(cut)))
  return align === "left" ? cut + fill : fill + cut
}

/** A name in so many columns that keeps what stands behind it. */
export function nameWith(title: string, behind: string, columns: number, ellipsis: string): string {
  return clip(title, Math.max(1, columns - width(behind)), ellipsis) + behind
}

/** The name of a session in so many columns: a short label at its end, which tells it from its siblings, stays. */
export function clipName(name: string, columns: number, ellipsis = "…"): string {
  const [label = ""] = / \S{1,6}$/.exec(name) ?? []
  return nameWith(name.slice(0, name.length - label.length), clip(label, columns - 1, ellipsis), columns, ellipsis)
}

/** With thousands in groups: 12,431. */
export function count(value: number): string {
  const digits = Math.round(value).toString()
  return digits.length <= 3 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ",")
}

/** A number and its noun: 1 session, 1,204 sessions. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`
}

/** 1 match, 1,204 matches. */
export function matchWords(value: number): string {
  return `${count(value)} ${value === 1 ? "match" : "matches"}`
}

/** Tokens per second with one decimal; a dash for null. */
export function rate(value: number | null): string {
  if (value === null) return "–"
  const tenths = Math.round(value * 10) / 10
  return tenths >= 1000 ? count(value) : tenths.toFixed(1)
}

/** Where one is in what is seen of a list or a text, for its lower edge; undefined where all of a text is seen. */
export function edgeWords({ top, rows, length, cursor }: SeenRows): string | undefined {
  if (cursor !== undefined)
    return length === 0 ? undefined : `${count(Math.min(cursor + 1, length))} of ${count(length)}`
  const last = length - rows
  if (last <= 0) return undefined
  return top >= last ? "end" : `${Math.floor((100 * top) / last)} %`
}

const UNITS = ["k", "M", "G", "T"]

/** `words`, which print `value`, if they fit into `columns`; else the value shortened: 1.2M, or 12M if need be. */
export function shorten(words: string, value: number, columns: number): string {
  if (words.length <= columns) return words
  const precise = inUnits(value, 1)
  return precise.length <= columns ? precise : inUnits(value, 0)
}

function inUnits(value: number, decimals: 0 | 1): string {
  const most = decimals === 1 ? 999.95 : 999.5
  let rest = value / 1000
  let unit = 0
  for (; rest >= most && unit < UNITS.length - 1; unit++) rest /= 1000
  return `${rest.toFixed(decimals)}${UNITS[unit]}`
}

/** Tokens per second in few columns: 19/s, 0.4/s, 1.2k/s. */
export function rateWords(rate: number): string {
  const whole = Math.round(rate)
  return `${rate < 9.95 ? rate.toFixed(1).replace(".0", "") : shorten(`${whole}`, whole, 4)}/s`
}

/** A size: 812 B, 1.2 kB, 300 kB, 14 MB. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 9950) return `${(bytes / 1000).toFixed(1)} kB`
  return bytes < 10_000_000 ? `${count(bytes / 1000)} kB` : `${count(bytes / 1_000_000)} MB`
}

/** A duration: 0.2s, 14s, 3m05s, 2h07m. */
export function duration(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`
  return `${Math.floor(seconds / 3600)}h${two(Math.floor((seconds % 3600) / 60))}m`
}

const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18_000, 36_000, 86_400]
/** The same of an axis that shows less than a run. */
const FINE_STEPS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, ...STEPS]
/** The lengths of axes, in units of their first digit. */
const ENDS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8]
const TICK = 10
/** From here on a time is read as a clock, s. */
const CLOCK_FROM = 600

/** The unit of ticks that are so many seconds apart, in seconds, and its name. */
const unitOf = (step: number): readonly [unit: number, name: string] =>
  step < 60 ? [1, "s"] : step < 3600 ? [60, "min"] : [3600, "h"]

const stepOver = (seconds: number, most: number): number => 3600 * Math.ceil(seconds / most / 3600)

/** How long an axis over at least `ms` is, ms: at most half as long again, so it stays for a while as time grows. */
export function roundEnd(ms: number): number {
  const seconds = Math.max(1, ms / 1000)
  const unit = 10 ** Math.floor(Math.log10(seconds))
  return 1000 * unit * (ENDS.find(one => one * unit >= seconds) ?? 10)
}

/** The round ticks within a part of a run, ms since its start; the last that has room names the unit. */
export function ticksWithin(from: number, to: number, columns: number): string {
  const most = Math.max(1, Math.floor(columns / TICK))
  const seconds = (to - from) / 1000
  // An axis with one tick tells no scale.
  const isLast = (at: number) => (FINE_STEPS[at + 1] ?? 0) > 0.7 * seconds
  const step = FINE_STEPS.find((one, at) => seconds / one <= most || isLast(at)) ?? stepOver(seconds, most)
  const [unit, name] = unitOf(step)
  const isClock = unit === 1 && to >= CLOCK_FROM * 1000
  let words = ""
  for (let tick = Math.ceil(from / 1000 / step); ; tick++) {
    const time = tick * step
    const column = Math.floor(((time * 1000 - from) / (to - from)) * columns)
    const text = isClock ? clock(time * 1000) : `${Number((time / unit).toFixed(3))}`
    if (column + text.length + name.length + 1 > columns) break
    words = words.padEnd(column) + text
  }
  return isClock || words === "" ? words : `${words} ${name}`
}

/** Elapsed time as a clock: 00:42, 1:07:09. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** Time since the start of the run: +00:39.812. */
export function offset(ms: number): string {
  const sign = ms < 0 ? "-" : "+"
  const positive = Math.floor(Math.abs(ms))
  return `${sign}${clock(positive)}.${(positive % 1000).toString().padStart(3, "0")}`
}

/** The time of day in a zone that is `zone` ms ahead of UTC: 12:00:49.355. */
export function timeOfDay(ts: number, zone: number): string {
  const day = 86_400_000
  const ms = (((Math.floor(ts) + zone) % day) + day) % day
  const seconds = Math.floor(ms / 1000)
  const clock = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60].map(two).join(":")
  return `${clock}.${(ms % 1000).toString().padStart(3, "0")}`
}

function two(value: number): string {
  return value.toString().padStart(2, "0")
}
