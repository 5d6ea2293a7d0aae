// Finds where keys come from.
import { openSync } from "node:fs"
import { ReadStream } from "node:tty"

/** Our stdin where it is a terminal, else the terminal itself: a command may have the stdin. Null where there is none. */
export function keyboard(): NodeJS.ReadStream | null {
  if (process.stdin.isTTY) return process.stdin
  try {
    return new ReadStream(openSync("/dev/tty", "r"))
  } catch {
    return null
  }
}
