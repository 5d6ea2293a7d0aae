// Says which keys are ignored, and until when: a key may be meant for a question that has just opened or closed.

export interface IgnoredKeys {
  /** All but those that leave, suspend or redraw; or those that answer or cancel the question in front. */
  readonly keys: "all" | "answers"
  /** Epoch ms. Each ignored key moves `until`, but never beyond `most`. */
  readonly until: number
  readonly most: number
}

/** A question takes no answer this soon after it got the keyboard, ms: the key may be meant for something else. */
const LISTEN_MS = 600
/** The longest gap between repeats of a held key, ms; a repeat is not taken either. */
const REPEAT_MS = 120
/** After a pause of this length a person has seen that the question closed, ms. */
const PAUSE_MS = 1000
/** The longest time for which keys are ignored after a question closed, ms. */
export const MOST_MS = 5000

/** A question has just got the keyboard; `now` is in epoch ms. */
export function answersIgnored(now: number): IgnoredKeys {
  return { keys: "answers", until: now + LISTEN_MS, most: Number.POSITIVE_INFINITY }
}

/** The question that had the keyboard has closed by itself; `now` is in epoch ms. */
export function allIgnored(now: number): IgnoredKeys {
  return { keys: "all", until: now + PAUSE_MS, most: now + MOST_MS }
}

/** The state after one more ignored key; `now` is in epoch ms. */
export function afterKey(ignored: IgnoredKeys, now: number): IgnoredKeys {
  const { keys, until, most } = ignored
  return { ...ignored, until: Math.min(most, Math.max(until, now + (keys === "all" ? PAUSE_MS : REPEAT_MS))) }
}

/** True if keys are still ignored at `now` (epoch ms), even if the clock was set back meanwhile. */
export function isIgnoring({ until }: IgnoredKeys, now: number): boolean {
  return now < until && until - now <= MOST_MS
}
