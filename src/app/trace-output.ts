// Sends the spans of a live run to a receiver while it goes on.
import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { TraceOptions } from "../cli/screen-options.ts"
import { Redactor } from "../export/redact.ts"
import { SpanFold } from "../otlp/span-fold.ts"
import { SpanSender } from "../otlp/span-sender.ts"
import { traces } from "../panels/status/index.ts"
import { emptyRun, type Run } from "../run/model/run.ts"
import { newRows } from "../run/select/new-rows.ts"
import { systemClock } from "../transport/clock.ts"
import { printError } from "../ui/standard-streams.ts"
import { counted } from "../ui/text-width.ts"
import { presentOf } from "../view/state.ts"
import type { RunContext } from "./run-context.ts"

/** How long after its end a run may still bring events, ms. */
const OVER_MS = 2000
/** How often the screen is told, ms. */
const TELL_MS = 1000
/** How long leaving waits for the spans that are being sent, ms. */
const CLOSE_MS = 1000

export class TraceOutput {
  readonly #spans: SpanFold
  readonly #sender: SpanSender
  readonly #to: string
  #run: Run = emptyRun
  #cancelOver: () => void = () => undefined
  #isTelling = false
  #hasWarned = false

  constructor(
    private readonly context: RunContext,
    options: TraceOptions,
  ) {
    const redactor = new Redactor()
    this.#spans = new SpanFold({ content: options.content, clean: text => redactor.line(sanitize(text)) })
    // The clock of the run stops before the last spans are sent.
    this.#sender = new SpanSender(options, systemClock, () => this.#changed())
    const { host, pathname } = new URL(options.url)
    this.#to = sanitizeLine(host + pathname)
    this.#tell()
  }

  /** Takes the rows since the last call. */
  folded(): void {
    const run = presentOf(this.context.store.get())
    this.#sender.add(this.#spans.add(run, newRows(this.#run, run)))
    this.#run = run
    this.#cancelOver()
    if (!this.#spans.isOver) return
    this.#cancelOver = this.context.clock.after(OVER_MS, () => this.#sender.add(this.#spans.close()), false)
  }

  /** Sends the remaining spans for at most `CLOSE_MS`; null if there are none. The exit reports those not sent. */
  close(): Promise<void> | null {
    this.#cancelOver()
    this.#sender.add(this.#spans.close())
    process.once("exit", () => this.#report())
    return this.#sender.close(CLOSE_MS)
  }

  #report(): void {
    const { dropped, waiting, why } = this.#sender.status
    const lost = dropped + waiting
    if (lost === 0) return
    const reason = why ?? "the receiver did not answer in time"
    printError(sanitize(`opentui-sidecar: ${counted(lost, "span")} not sent to ${this.#to}: ${reason}\n`))
  }

  #changed(): void {
    const { dropped, why } = this.#sender.status
    if (dropped > 0 && !this.#hasWarned) {
      this.#hasWarned = true
      this.context.notify(`Spans are dropped: ${why}`)
    }
    if (this.#isTelling) return
    this.#isTelling = true
    this.context.clock.after(TELL_MS, () => this.#tell(), false)
  }

  #tell(): void {
    this.#isTelling = false
    const { store } = this.context
    const change = traces.put(store.get().view, { to: this.#to, ...this.#sender.status })
    store.dispatch({ type: "view", change })
  }
}
