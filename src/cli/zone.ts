/** What the clock on the wall is ahead of UTC, ms: what a filter reads 14:03 by, and what the screen tells times in. */
export function zone(): number {
  return -new Date().getTimezoneOffset() * 60_000
}
