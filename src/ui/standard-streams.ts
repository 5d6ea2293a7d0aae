// Prints text to the process's own streams; only sanitized text can get there.
import { type SafeText, sanitize } from "../../packages/wire/src/sanitize.ts"

/** Prints to stdout. Calls `done` once the text is handed over, or with the reason why it can't be. */
export function printOut(text: SafeText, done?: (error?: Error | null) => void): void {
  process.stdout.write(text, done)
}

/** Prints data to stdout: as it is, unless stdout is a terminal. */
export function printData(text: string, done?: (error?: Error | null) => void): void {
  process.stdout.write(process.stdout.isTTY === true ? sanitize(text) : text, done)
}

/** Prints to stderr. */
export function printError(text: SafeText): void {
  process.stderr.write(text)
}
