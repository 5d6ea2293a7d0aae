/** Columns of the live pane; 0 where the width leaves no room for one. */
export interface Columns {
  readonly name: number
  readonly model: number
  readonly tokens: number
  readonly rate: number
  readonly ttft: number
}

/** Divides a row: numbers keep fixed columns on the right, the name takes what is left. */
export function columnsFor(width: number): Columns {
  const tokens = width >= 24 ? 10 : 0
  const rate = width >= 34 ? 8 : 0
  const ttft = width >= 44 ? 7 : 0
  const model = width >= 56 ? Math.min(18, Math.floor(width * 0.23)) : 0
  return { name: Math.max(1, width - tokens - rate - ttft - model), model, tokens, rate, ttft }
}
