// Counts and prints passed and failed checks.
let passed = 0
let failed = 0

/** Checks that `what` holds. */
export function check(what: string, holds: boolean, seen?: unknown): void {
  if (holds) passed++
  else failed++
  say(`${holds ? "ok  " : "FAIL"} ${what}${holds || seen === undefined ? "" : `: ${JSON.stringify(seen)}`}`)
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints the last line and returns the exit code. */
export function finish(): number {
  say(`${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
}
