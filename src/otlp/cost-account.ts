// Sums what replies cost, for the spans of the invocation and the run that they belong to.
import type { TokenCounts } from "../protocol/event-body.ts"
import { type Account, noAccount, sumOfAccounts } from "../run/model/ledger.ts"
import { dollarsOf } from "../run/select/usage.ts"
import { type OpenSpan, setAttributes } from "./open-span.ts"

const NANOS = 1e9

/** The cost of some replies. */
export class CostAccount {
  #account: Account = noAccount
  /** Replies that told no tokens: an agent CLI mostly sums them up at the end of its run. */
  #untold = 0

  /** `whole`: the account of what these replies are a part of. */
  constructor(private readonly whole: CostAccount | null = null) {}

  /** Adds a reply. `dollars`: null if it is unknown what it cost. */
  add(counts: TokenCounts, dollars: number | null): void {
    const { requests, summed } = counts
    if (dollars === null && counts.input === null && (counts.output ?? 0) === 0) {
      this.#untold += requests
      return
    }
    // A sum tells of all replies before it, and what goes on with a reply tells of that one.
    const told = summed ? this.#untold : requests === 0 ? Math.min(1, this.#untold) : 0
    this.#untold -= told
    const nanos = dollars === null ? 0 : Math.round(dollars * NANOS)
    this.#spend({
      ...noAccount,
      nanos,
      priced: dollars === null ? 0 : 1,
      unpriced: dollars === null ? requests + told : 0,
    })
  }

  /** Adds a reply that was cut: nobody says what it cost. */
  addCut(): void {
    this.#spend({ ...noAccount, unpriced: 1 })
  }

  /** Ends the account: what no reply told remains unknown. */
  close(): void {
    this.#spend({ ...noAccount, unpriced: this.#untold })
    this.#untold = 0
  }

  /** Sets the sum and the number of replies that it leaves out; neither if no cost is known. */
  tell(span: OpenSpan): void {
    const dollars = dollarsOf(this.#account)
    const { unpriced } = this.#account
    if (dollars === null) return
    setAttributes(span, {
      "opentui_sidecar.cost_usd": dollars,
      "opentui_sidecar.unpriced_replies": unpriced === 0 ? null : unpriced,
    })
  }

  #spend(amount: Account): void {
    this.#account = sumOfAccounts(this.#account, amount)
    if (this.whole !== null) this.whole.#spend(amount)
  }
}
