// Says which keys are ignored, and until when: those that a person began to press for a question.

export interface IgnoredKeys {
  /** All but those that leave, suspend or redraw; or those that answer or cancel the question in front. */
  readonly keys: "all" | "answers"
  /** Epoch ms. Each ignored key moves `until`, but never beyond `most`. */
  readonly until: number
  readonly most: number
}

/** A question takes no answer for so long after it got the keyboard, ms: the key may be meant for something else. */
const LISTEN_MS = 600
/** A held key repeats with no longer gaps, ms; as long as it does, it is not taken either. */
const REPEAT_MS = 120
/** Who has paused for so long has seen that the question closed, ms. */
const PAUSE_MS = 1000
/** Keys are ignored for so long at most behind what has closed, ms. */
export const MOST_MS = 5000

/** A question has just got the keyboard; `now` is in epoch ms. */
export function answersIgnored(now: number): IgnoredKeys {
  return { keys: "answers", until: now + LISTEN_MS, most: Number.POSITIVE_INFINITY }
}

/** The question that had the keyboard has closed by itself; `now` is in epoch ms. */
export function allIgnored(now: number): IgnoredKeys {
  return { keys: "all", until: now + PAUSE_MS, most: now + MOST_MS }
}

/** The same after one more key that was ignored; `now` is in epoch ms. */
export function afterKey(ignored: IgnoredKeys, now: number): IgnoredKeys {
  const { keys, until, most } = ignored
  return { ...ignored, until: Math.min(most, Math.max(until, now + (keys === "all" ? PAUSE_MS : REPEAT_MS))) }
}

/** Whether keys are still ignored at `now` (epoch ms); not for longer where somebody has set the clock back. */
export function isIgnoring({ until }: IgnoredKeys, now: number): boolean {
  return now < until && until - now <= MOST_MS
}
