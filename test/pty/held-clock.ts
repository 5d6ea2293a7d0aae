// Loaded before the program by a test that holds its clock: the wall clock stands still, and timers of a quarter of a
// second or more wait, until the test lets time pass. Shorter ones, which batch and draw, run as ever.
const HELD_FROM_MS = 250
/** The longest time that a timer can wait. */
const NEVER_MS = 2 ** 31 - 1

interface HeldTimer {
  readonly due: number
  /** Ms until it is due again; null if it never is. */
  readonly every: number | null
  readonly run: () => void
}

type Run = (...given: unknown[]) => void

const began = Date.now()
const elapsed = performance.now.bind(performance)
const { setTimeout: start, setInterval: repeat, clearTimeout: clear } = globalThis
const held = new Map<unknown, HeldTimer>()
let passed = 0

/** Lets time pass: runs the timers that are due then, each at its moment. */
function pass(ms: number): void {
  const until = passed + ms
  for (;;) {
    const [next] = [...held].filter(([, { due }]) => due <= until).sort(([, a], [, b]) => a.due - b.due)
    if (next === undefined) break
    const [timer, { due, every, run }] = next
    passed = Math.max(passed, due)
    if (every === null) stop(timer)
    else held.set(timer, { due: due + every, every, run })
    run()
  }
  passed = until
}

function hold(ms: number, every: number | null, run: () => void): unknown {
  const timer = start(() => undefined, NEVER_MS)
  held.set(timer, { due: passed + ms, every, run })
  return timer
}

function stop(timer: unknown): void {
  held.delete(timer)
  clear(timer as Timer)
}

Date.now = () => began + passed
performance.now = () => elapsed() + passed
Object.assign(globalThis, {
  clearTimeout: stop,
  clearInterval: stop,
  setTimeout: (run: Run, ms = 0, ...given: unknown[]) =>
    ms < HELD_FROM_MS ? start(run, ms, ...given) : hold(ms, null, () => run(...given)),
  setInterval: (run: Run, ms = 0, ...given: unknown[]) =>
    ms < HELD_FROM_MS ? repeat(run, ms, ...given) : hold(ms, ms, () => run(...given)),
})

process.on("message", ms => {
  pass(Number(ms))
  process.send?.("passed")
})
// Programs that the program starts have no such line to the test.
delete process.env.NODE_CHANNEL_FD
