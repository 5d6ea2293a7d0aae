// Sums what replies cost, for the spans of the invocation and the run that they belong to.
import { type Account, noAccount, sumOfAccounts } from "../run/model/ledger.ts"
import { dollarsOf } from "../run/select/usage.ts"
import { type OpenSpan, setAttributes } from "./open-span.ts"

const NANOS = 1e9

/** The cost of some replies. */
export class CostAccount {
  #account: Account = noAccount

  /** `dollars`: null if it is unknown what the reply cost. */
  add(dollars: number | null): void {
    const amount = dollars === null ? { unpriced: 1 } : { priced: 1, nanos: Math.round(dollars * NANOS) }
    this.#account = sumOfAccounts(this.#account, { ...noAccount, ...amount })
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
}
