// Defines what the footer says for a while.

export interface Notice {
  readonly text: string
  readonly level: "info" | "warning"
  /** Epoch ms until which it is shown. */
  readonly until: number
}

/** How long a notice stays on the screen, ms. */
export const NOTICE_MS = 5000
