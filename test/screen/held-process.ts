// Keeps the process of a test from ending, and tells what is asked of it.
import { spyOn } from "bun:test"
import { SIGNAL_CODES } from "../../src/screen/signals.ts"
import type { ManualClock } from "../transport/manual-clock.ts"
import { opened } from "./open-screens.ts"

/** What ends a process that goes on. */
class Exited extends Error {}

/** Does something that may end the process. */
export function ending(act: () => void): void {
  try {
    act()
  } catch (fault) {
    if (!(fault instanceof Exited)) throw fault
  }
}

/** Tells who listens to the process of an event; what they throw would be the test's failure. */
export function happens(name: string, ...about: readonly unknown[]): void {
  for (const listener of process.listeners(name as "exit")) ending(() => Reflect.apply(listener, process, about))
}

const EVENTS = [...SIGNAL_CODES.keys(), "exit", "SIGCONT", "uncaughtException", "unhandledRejection"]

/** What stands for the clock, and takes what is told; null while the process is its own. */
let held: { readonly clock: ManualClock; readonly told: string[] } | null = null

/** Until the test ends, exits, kills and stderr are told, timers are the clock's, and only new listeners are heard. */
export function holdProcess(clock: ManualClock, told: string[]): void {
  const isHeld = held !== null
  held = { clock, told }
  const before = EVENTS.map(name => ({ name, listeners: process.listeners(name as "exit") }))
  for (const name of EVENTS) process.removeAllListeners(name)
  if (isHeld) return
  const tell = (words: string): true => {
    held?.told.push(words)
    return true
  }
  const { error, warn, log, info, debug, trace } = console
  const after = (run: () => void, ms: number) => held?.clock.after(ms, run)
  const spies = [
    spyOn(process, "exit").mockImplementation(code => {
      tell(`exit ${code}`)
      throw new Exited()
    }),
    spyOn(process, "kill").mockImplementation((pid, signal) =>
      tell(`kills ${pid === process.pid ? "itself" : pid} with ${signal}`),
    ),
    spyOn(globalThis, "setTimeout").mockImplementation(after as never),
    spyOn(globalThis, "clearTimeout").mockImplementation(((cancel: () => void) => cancel()) as never),
    spyOn(process.stderr, "write").mockImplementation(((text: string) =>
      tell(`stderr: ${text.replace(/\n$/, "")}`)) as never),
  ]
  opened(() => {
    held = null
    for (const spy of spies) spy.mockRestore()
    Object.assign(console, { error, warn, log, info, debug, trace })
    for (const { name, listeners } of before) {
      process.removeAllListeners(name)
      for (const one of listeners) process.on(name, one)
    }
  })
}

/** Advances the clock by `ms`, and ends as often as a timer says so. */
export function passEnding(clock: ManualClock, ms: number): void {
  const end = clock.elapsed() + ms
  while (clock.elapsed() < end) ending(() => clock.advance(end - clock.elapsed()))
}
