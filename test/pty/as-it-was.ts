// Holds a terminal that a program has left against what it was before.
import { expect } from "bun:test"
import { modes } from "./modes.ts"
import type { Terminal } from "./terminal.ts"

const times = (raw: string, code: string): number => raw.split(code).length - 1

/**
 * The line discipline has its former flags, no mode of the terminal is left on, and the main screen was restored
 * once for each time that it was left.
 */
export function expectAsItWas(terminal: Terminal, before: readonly number[]): void {
  expect(modes(terminal.raw)).toEqual([])
  expect(terminal.flags).toEqual(before)
  expect(times(terminal.raw, "\x1b[?1049l")).toBe(times(terminal.raw, "\x1b[?1049h"))
}

/** The terminal's screen, keyboard and cursor are in use. Without this `expectAsItWas` would prove nothing. */
export function expectTaken(terminal: Terminal, before: readonly number[]): void {
  expect(modes(terminal.raw)).toEqual(expect.arrayContaining(["alternate-screen", "bracketed-paste"]))
  expect(terminal.flags).not.toEqual(before)
}
