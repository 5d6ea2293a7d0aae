// The ledger while one batch is folded: an account is copied when the batch first adds to it, then written in place.
import { type Account, addAmount, type Bill, type Ledger, noAccount } from "./ledger.ts"

/** Names that the ledger keeps of states, models and tools; all others share one account. */
const NAMES_KEPT = 256
const OTHERS = "(others)"

type Named = "states" | "models" | "tools"

export class LedgerBuilder {
  readonly #own = new Set<Account>()
  readonly #maps: { [kind in Named]: Map<string, Account> | null } = { states: null, models: null, tools: null }
  #total: Account
  #unowned: Account

  constructor(private readonly base: Ledger) {
    this.#total = base.total
    this.#unowned = base.unowned
  }

  /** The account with an amount added to it `times` times. One that the batch has not copied stays as it is. */
  added(account: Account, amount: Account, times: 1 | -1): Account {
    const isOwn = this.#own.has(account)
    const own = isOwn ? account : { ...account }
    if (!isOwn) this.#own.add(own)
    addAmount(own, amount, times)
    return own
  }

  get total(): Account {
    return this.#total
  }

  /** Adds a bill to the accounts of the run, of its state and of its model. */
  addBill({ state, model, account }: Bill, times: 1 | -1): void {
    this.#total = this.added(this.#total, account, times)
    this.addToNamed("states", state, account, times)
    this.addToNamed("models", model, account, times)
  }

  addToUnowned(amount: Account, times: 1 | -1): void {
    this.#unowned = this.added(this.#unowned, amount, times)
  }

  addToNamed(kind: Named, name: string, amount: Account, times: 1 | -1): void {
    const accounts = this.#maps[kind] ?? new Map(this.base[kind])
    this.#maps[kind] = accounts
    const key = accounts.has(name) || accounts.size < NAMES_KEPT ? name : OTHERS
    accounts.set(key, this.added(accounts.get(key) ?? noAccount, amount, times))
  }

  /** The ledger as it is now; the same one if nothing was added. The builder must not be used afterwards. */
  done(): Ledger {
    const { base } = this
    if (this.#own.size === 0) return base
    const { states, models, tools } = this.#maps
    return {
      total: this.#total,
      states: states ?? base.states,
      models: models ?? base.models,
      tools: tools ?? base.tools,
      unowned: this.#unowned,
    }
  }
}
