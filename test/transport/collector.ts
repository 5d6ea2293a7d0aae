// Provides a sink that collects everything and lets a test wait for it.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import type { ReceivedFrame } from "../../src/transport/message.ts"
import type { Sink } from "../../src/transport/source.ts"

export class Collector implements Sink {
  readonly batches: (readonly Decoded[])[] = []
  readonly texts: string[] = []
  readonly links: Link[] = []
  restarts = 0
  #waiting: (() => void)[] = []

  /** `heard`: who is told too, and first. */
  constructor(private readonly heard: Partial<Pick<Sink, "frames" | "link">> = {}) {}

  frames(batch: readonly ReceivedFrame[]): void {
    this.heard.frames?.(batch)
    this.batches.push(batch.map(({ frame }) => frame))
    this.texts.push(...batch.map(({ text }) => text))
    this.#tell()
  }

  link(link: Link): void {
    this.heard.link?.(link)
    this.links.push(link)
    this.#tell()
  }

  restart(): void {
    this.restarts++
    this.#tell()
  }

  /** All frames of all batches. */
  get all(): Decoded[] {
    return this.batches.flat()
  }

  /** The `seq` of every event and delta, in order. */
  get seqs(): (number | null)[] {
    return this.all.flatMap(frame => (frame.kind === "event" || frame.kind === "delta" ? [frame.seq] : []))
  }

  get states(): string[] {
    return this.links.map(link => link.state)
  }

  get last(): Link | undefined {
    return this.links.at(-1)
  }

  /** Resolves as soon as the condition holds. It is checked at every call of the source. */
  async until(condition: (sink: this) => boolean): Promise<void> {
    while (!condition(this)) {
      await new Promise<void>(resolve => {
        this.#waiting.push(resolve)
      })
    }
  }

  #tell(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
