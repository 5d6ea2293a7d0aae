// Waits for a screen or a condition, and fails with what was there instead.
/** Text or a pattern that the rows, joined by newlines, must contain, or a predicate on the rows. */
export type Expected = string | RegExp | ((rows: readonly string[]) => boolean)

export type Wait = { readonly timeoutMs?: number; readonly early?: boolean }

export interface Watched {
  screen(): readonly string[] | Promise<readonly string[]>
  /** Why nothing more can come; null while something can. */
  ended?(): string | null
  /** Lets the time pass for which a question takes no key, where the test holds the clock. */
  hurry?(): Promise<void>
}

/** Long enough that a slow machine does not look like a broken program, and less than the limit of a test. */
export const PATIENCE_MS = 40_000
const PAUSE_MS = 10

/** What a question says as long as it takes no key. */
const EARLY = "One moment…"
/** For how long it says so. */
export const EARLY_MS = 600

/**
 * Resolves with the rows as soon as they are as expected and a question in front listens to keys; with `early`, before
 * it listens. Rejects after `timeoutMs`, or once the program has ended without it; the error holds the last screen.
 */
export async function untilShown(
  watched: Watched,
  expected: Expected,
  { timeoutMs = PATIENCE_MS, early = false }: Wait = {},
): Promise<readonly string[]> {
  const giveUpAt = performance.now() + timeoutMs
  for (;;) {
    // Checked before the screen, so that output that came with the end is still seen.
    const ended = watched.ended?.() ?? null
    const rows = await watched.screen()
    const listens = early || !rows.some(row => row.includes(EARLY))
    if (!listens) await watched.hurry?.()
    if (listens && holds(rows, expected)) return rows
    const why = ended ?? (performance.now() > giveUpAt ? `nothing for ${timeoutMs} ms` : null)
    const framed = rows.map(row => `│${row}`).join("\n")
    if (why !== null) throw new Error(`Never saw ${name(expected)}: ${why}. The screen:\n${framed}`)
    await Bun.sleep(PAUSE_MS)
  }
}

/** Resolves once `condition` holds. Rejects with its source text if it never does. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; !(await condition()); await Bun.sleep(1)) {
    if (performance.now() > giveUpAt) throw new Error(`Never held within ${PATIENCE_MS} ms: ${condition}`)
  }
}

function holds(rows: readonly string[], expected: Expected): boolean {
  if (typeof expected === "function") return expected(rows)
  const text = rows.join("\n")
  return typeof expected === "string" ? text.includes(expected) : text.search(expected) >= 0
}

function name(expected: Expected): string {
  return typeof expected === "string" ? JSON.stringify(expected) : String(expected)
}
