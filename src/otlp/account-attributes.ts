// Puts the ledger's sums on the spans of invocations and of the run.
import { type Account, addAmount } from "../run/model/ledger.ts"
import { dollarsOf } from "../run/select/usage.ts"
import { type OpenSpan, setAttributes } from "./open-span.ts"

/** The difference between an account and its earlier state. */
export function differenceOf(account: Account, before: Account): Account {
  const difference = { ...account }
  addAmount(difference, before, -1)
  return difference
}

/** Sets the tokens, the cost and the number of replies that it leaves out; neither of these if no cost is known. */
export function tellAccount(span: OpenSpan, account: Account): void {
  const dollars = dollarsOf(account)
  const { input, output, unpriced } = account
  setAttributes(span, {
    "opentui_sidecar.input_tokens": input === 0 ? null : input,
    "opentui_sidecar.output_tokens": output === 0 ? null : output,
    "opentui_sidecar.cost_usd": dollars,
    "opentui_sidecar.unpriced_replies": dollars === null || unpriced === 0 ? null : unpriced,
  })
}
