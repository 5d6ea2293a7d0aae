// Counts the timers, listeners, files and sockets that this process holds.
import { readdirSync } from "node:fs"

type Setter = "setTimeout" | "setInterval" | "setImmediate"

/** Watches the runtime's timers until it is disposed of. */
export function watchResources() {
  const kept = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }
  const live = new Map<unknown, string>()
  const watched = (setter: Setter) => {
    const set = kept[setter] as (run: (...args: unknown[]) => void, ...rest: unknown[]) => unknown
    return (run: (...args: unknown[]) => void, ...rest: unknown[]) => {
      const where = new Error(setter).stack?.split("\n").slice(1, 4).join(" <") ?? setter
      const told = (...args: unknown[]): void => {
        if (setter !== "setInterval") live.delete(handle)
        run(...args)
      }
      const handle = set(told, ...rest)
      live.set(handle, where)
      return handle
    }
  }
  const cleared = (clear: (handle: never) => void) => (handle: never) => {
    live.delete(handle)
    clear(handle)
  }
  for (const name of ["setTimeout", "setInterval", "setImmediate"] as const) {
    const clear = `clear${name.slice(3)}` as "clearTimeout"
    Object.assign(globalThis, { [name]: watched(name), [clear]: cleared(kept[clear] as (handle: never) => void) })
  }
  return {
    /** Each is named by what set it. */
    timers: () => [...live.values()],
    listeners: () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    descriptors: () => readdirSync("/proc/self/fd").length,
    [Symbol.dispose]: () => void Object.assign(globalThis, kept),
  }
}
