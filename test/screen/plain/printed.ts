// Prints a run in plain mode by a clock that stands still, and tells all that happens.
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { features } from "../../../src/panels/plan.ts"
import { PrintedRun } from "../../../src/screen/plain/printed-run.ts"
import type { SurfaceOptions } from "../../../src/screen/surface.ts"
import type { Effect } from "../../../src/view/effect.ts"
import { createStore } from "../../../src/view/store.ts"
import { open } from "../../panels/planned.ts"
import { ManualClock } from "../../transport/manual-clock.ts"

interface Options {
  readonly times?: SurfaceOptions["times"]
  readonly link?: Link
  /** What came before it is printed. */
  readonly shown?: readonly Decoded[]
}

/** A run that is printed, and all that happens: `>` is typed, `!` asked of the world, `·` time that passes. */
export class Printed {
  readonly clock = new ManualClock()
  readonly store
  readonly #printed: PrintedRun
  readonly #told: string[] = []
  #pieces: string[] = []
  isFull = false
  /** Of how many rows the frames were asked for, call by call; null for none. */
  readonly held: (number | null)[] = []

  constructor({ times = "no", link = open, shown = [] }: Options = {}) {
    const store = createStore({ link, ...features })
    this.store = store
    store.dispatch({ type: "frames", frames: shown })
    const run = {
      store,
      title: { chart: null, session: null },
      perform: (effects: readonly Effect[]) => {
        const other = (one: Effect) => (one.type === "answer/hold" ? one.type : JSON.stringify(one))
        for (const one of effects) this.#told.push(`! ${one.type === "agent/send" ? one.text : other(one)}`)
      },
      showRows: (rows: readonly unknown[] | null) => void this.held.push(rows === null ? null : rows.length),
      keyPressed: () => undefined,
      forwardSignal: () => false,
      fault: () => null,
      close: () => null,
    }
    const options = { now: () => this.clock.now(), after: this.clock.after.bind(this.clock), times }
    const output = { write: (text: string) => this.#pieces.push(text), isFull: () => this.isFull }
    this.#printed = new PrintedRun(run, options, output, () => this.#told.push("(played)"))
    this.#keep()
  }

  #keep(): this {
    const pieces = this.#pieces.splice(0).join("")
    if (pieces !== "") this.#told.push(pieces.replace(/\n$/, ""))
    return this
  }

  /** Prints at once what these lines told. */
  tell(...lines: readonly Decoded[]): this {
    this.store.dispatch({ type: "frames", frames: lines })
    this.#printed.print()
    return this.#keep()
  }

  link(link: Link): this {
    this.store.dispatch({ type: "link", link, now: this.clock.now() })
    this.#printed.print()
    return this.#keep()
  }

  type(...lines: readonly string[]): this {
    for (const text of lines) {
      this.#told.push(`> ${text}`)
      this.#printed.typed(text)
      this.#printed.print()
      this.#keep()
    }
    return this
  }

  /** What is told without printing it, then so many ms. */
  pass(ms: number, ...lines: readonly Decoded[]): this {
    this.store.dispatch({ type: "frames", frames: lines })
    this.clock.advance(ms)
    this.#told.push(`· ${ms} ms`)
    return this.#keep()
  }

  fill(isFull: boolean): this {
    this.isFull = isFull
    return this
  }

  silence(): this {
    this.#printed.silence()
    return this.#keep()
  }

  last(): this {
    this.#printed.print(true)
    return this.#keep()
  }

  close(): this {
    this.#printed.close()
    this.#told.push("(closed)")
    return this
  }

  /** All since the last call. */
  get text(): string {
    return this.#told.splice(0).join("\n")
  }
}
