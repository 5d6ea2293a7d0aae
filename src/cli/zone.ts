// Reads the local time zone.

/** How far local time is ahead of UTC, in ms. Filters read 14:03 by it, and the screen shows times in it. */
export function zone(): number {
  return -new Date().getTimezoneOffset() * 60_000
}
