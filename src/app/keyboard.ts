// Finds where keys come from while a guest runs.
import { openSync } from "node:fs"
import { ReadStream } from "node:tty"

/**
 * Our stdin where it is a terminal, else it is the command's: a screen then takes its keys from the terminal device. Null
 * where there is nothing to draw on or to press; `plain` needs no device.
 */
export function keyboard(plain: boolean): NodeJS.ReadStream | null {
  if (process.stdin.isTTY) return process.stdin
  if (plain || !process.stdout.isTTY) return null
  try {
    return new ReadStream(openSync("/dev/tty", "r"))
  } catch {
    return null
  }
}
