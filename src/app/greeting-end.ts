// Waits for the end of an attachment's greeting, which no frame marks.
import { noteFrame } from "../../packages/wire/src/encode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import type { Clock } from "../transport/clock.ts"
import type { Intent } from "../view/intent.ts"
import type { Store } from "../view/store.ts"

/** The frames that the hub repeats to a new client have arrived by then, ms. */
const GREETING_MS = 300

/** Notes the end of each greeting, and sends the answers again that it did not confirm (docs/decisions.md 3.1). */
export class GreetingEnd {
  #cancel: () => void = () => undefined
  #wasByApi = false

  constructor(
    private readonly clock: Clock,
    private readonly store: Store,
    private readonly ask: (intent: Intent) => void,
  ) {}

  link(link: Link): void {
    const byApi = link.state === "lost" && link.api === true
    // The API repeats nothing, so there is nothing to wait for.
    if (byApi && !this.#wasByApi) this.ask({ type: "prompt/resend" })
    this.#wasByApi = byApi
    this.#cancel()
    this.#cancel = link.state === "open" ? this.clock.after(GREETING_MS, () => this.#end()) : () => undefined
  }

  #end(): void {
    this.store.dispatch({ type: "local", frames: [noteFrame(this.clock.now(), "link", { state: "greeted" })] })
    this.ask({ type: "prompt/resend" })
  }
}
