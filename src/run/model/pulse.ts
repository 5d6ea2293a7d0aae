/** Spans at most; once they don't reach, each is as long as two were. */
const MOST = 128
const FIRST_MS = 250
/** No run is longer, whatever its times say. */
const LONGEST_MS = 10 ** 15

/** Equal spans of time from the first token's run time on. */
export interface Pulse {
  /** Where the first span begins, epoch ms; null before the first token. */
  readonly from: number | null
  readonly spanMs: number
  readonly tokens: readonly number[]
}

export const noPulse: Pulse = { from: null, spanMs: FIRST_MS, tokens: [] }

export type OwnPulse = { -readonly [key in keyof Omit<Pulse, "tokens">]: Pulse[key] } & { tokens: number[] }

/** Adds tokens that came evenly from `since` to `until`, epoch ms; earlier ones than the first are in its span. */
export function addTokens(pulse: OwnPulse, since: number, until: number, tokens: number): void {
  const from = pulse.from ?? since
  pulse.from = from
  while (until - from >= MOST * pulse.spanMs && pulse.spanMs < LONGEST_MS) {
    const { tokens: old } = pulse
    pulse.tokens = Array.from(
      { length: Math.ceil(old.length / 2) },
      (_, i) => (old[2 * i] ?? 0) + (old[2 * i + 1] ?? 0),
    )
    pulse.spanMs *= 2
  }
  const last = spanOf(pulse, until)
  const first = since >= until ? last : spanOf(pulse, since)
  while (pulse.tokens.length <= last) pulse.tokens.push(0)
  for (let i = first; i <= last; i++) pulse.tokens[i] = (pulse.tokens[i] ?? 0) + tokens / (last - first + 1)
}

function spanOf({ from, spanMs }: Pulse, ts: number): number {
  return Math.min(MOST - 1, Math.max(0, Math.floor((ts - (from ?? ts)) / spanMs)))
}

/** Tokens of each of `cells` equal parts of the time from the pulse's begin to `until`, epoch ms. */
export function tokensIn({ from, spanMs, tokens }: Pulse, until: number, cells: number): readonly number[] {
  if (from === null || until <= from) return []
  const perCell = (until - from) / spanMs / cells
  return Array.from({ length: cells }, (_, cell) => {
    let sum = 0
    const end = Math.min(tokens.length, (cell + 1) * perCell)
    for (let i = Math.floor(cell * perCell); i < end; i++) {
      const shared = Math.min(i + 1, (cell + 1) * perCell) - Math.max(i, cell * perCell)
      sum += (tokens[i] ?? 0) * Math.max(0, shared)
    }
    return sum
  })
}

/** Seconds whose tokens are kept, as many as the small chart in the live pane shows. */
export const SECONDS_KEPT = 8

const NONE: readonly number[] = []

/** The tokens of the latest seconds: the `last` one, and `silent` more without any. */
export function secondsWith(tokens: readonly number[], last: number, silent: number): readonly number[] {
  if (silent >= SECONDS_KEPT) return NONE
  const left = Math.max(0, tokens.length + 1 + silent - SECONDS_KEPT)
  // Allocated at its full length: with many sessions most deltas begin another second.
  const all = new Array<number>(tokens.length - left + 1 + silent)
  for (let i = 0; i < all.length; i++) all[i] = tokens[left + i] ?? 0
  all[tokens.length - left] = last
  return all
}
