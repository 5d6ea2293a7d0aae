// Counts what held and what did not, and says each as it comes.

let passed = 0
let failed = 0

/** Says whether `what` holds. */
export function check(what: string, holds: boolean, seen?: unknown): void {
  if (holds) passed++
  else failed++
  say(`${holds ? "ok  " : "FAIL"} ${what}${holds || seen === undefined ? "" : `: ${JSON.stringify(seen)}`}`)
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The last line, and the exit code. */
export function finish(): number {
  say(`${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
}
