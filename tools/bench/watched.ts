// Waits for what a program prints, and fails with what it printed instead as soon as nothing more can come.
/** Ms that a program on a busy machine may take for what is awaited of it. */
export const PATIENCE_MS = 60_000
/** Characters of what was printed that an error repeats. */
const REPEATED = 2000
/** Chunks that are kept for it. */
const CHUNKS = 16
/** The longest text that is found where it is cut in two, in bytes. */
const OVERLAP = 64

/** Ends a synchronised update, which is a frame. */
export const FRAME_END = "\x1b[?2026l"

interface Awaited {
  /** Latin1, as the bytes come. */
  readonly wanted: string
  readonly seen: (at: number) => void
  readonly fail: (why: string) => void
}

/** What one program prints. */
export class Watched {
  readonly #awaited = new Set<Awaited>()
  readonly #recent: string[] = []
  #frames = 0
  #last = ""
  #ended: string | null = null

  /** `command` is what errors call the program. */
  constructor(private readonly command: string) {}

  /** Frames that it has drawn. */
  get frames(): number {
    return this.#frames
  }

  /** Takes what was printed at that moment, as latin1. */
  take(printed: string, at: number): void {
    this.#recent.push(printed)
    if (this.#recent.length > CHUNKS) this.#recent.shift()
    const text = this.#last + printed
    this.#frames += text.split(FRAME_END).length - 1
    for (const one of this.#awaited) if (text.includes(one.wanted)) one.seen(at)
    // What was cut off belongs to the next chunk, and a frame that has ended does not.
    const end = text.lastIndexOf(FRAME_END)
    this.#last = text.slice(end < 0 ? -OVERLAP : Math.max(end + FRAME_END.length, text.length - OVERLAP))
  }

  /** Fails all that is awaited now or later: the program has ended like this, and all its output was taken. */
  end(how: string): void {
    this.#ended = how
    for (const one of this.#awaited) one.fail(`it has ended (${how})`)
  }

  /**
   * Resolves with the moment at which `text` is printed, from now on. Rejects after `ms`, or once the program has ended;
   * `what` is what the error calls the text.
   */
  seen(text: string, what: string, ms = PATIENCE_MS): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    // Whoever awaits several things may have failed at the first.
    promise.catch(() => undefined)
    const fail = (why: string) => {
      clearTimeout(late)
      this.#awaited.delete(one)
      reject(this.failure(what, why))
    }
    // A timer that is pending also keeps the runtime from spinning, as it does while a module awaits what can't come.
    const late = setTimeout(fail, ms, `it still runs after ${ms / 1000} s`)
    const one: Awaited = {
      wanted: Buffer.from(text).toString("latin1"),
      seen: at => {
        clearTimeout(late)
        this.#awaited.delete(one)
        resolve(at)
      },
      fail,
    }
    this.#awaited.add(one)
    if (this.#ended !== null) fail(`it has ended (${this.#ended})`)
    return promise
  }

  /** The error that says what never came, and what did. */
  failure(what: string, why: string): Error {
    return new Error(`Never saw ${what} of ${this.command}: ${why}. It printed:\n${printedBy(this.#recent.join(""))}`)
  }
}

/** The end of what a program has printed, given as latin1, as an error may repeat it. */
export function printedBy(latin1: string): string {
  const text = Bun.stripANSI(Buffer.from(latin1, "latin1").toString())
  return text.trim().slice(-REPEATED) || "nothing"
}
