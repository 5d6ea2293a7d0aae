// The ledger: the tokens, costs and waits of a run as sums of whole numbers, so that parts add up to their total.

/** The usage of a part of a run in which nothing was used. Times are ms, and times side by side add up. */
export const noAccount = {
  requests: 0,
  retries: 0,
  /** Tokens; `input` counts those read from the cache and those written to it, `output` the reasoning. */
  input: 0,
  cached: 0,
  written: 0,
  output: 0,
  reasoning: 0,
  /** The known cost in billionths of a dollar. */
  nanos: 0,
  /** Replies of known cost, and replies of unknown cost. */
  priced: 0,
  unpriced: 0,
  /** Replies with a known time to the first token, and the sum of these times. */
  firstTokens: 0,
  firstTokenMs: 0,
  modelMs: 0,
  toolMs: 0,
  humanMs: 0,
  calls: 0,
  failedCalls: 0,
}

export type Account = Readonly<typeof noAccount>

export const ACCOUNT_KEYS = Object.keys(noAccount) as readonly (keyof Account)[]

/** Adds an amount to an account, `times` times. Written out, since a loop over the keys costs far more. */
export function addAmount(account: { -readonly [key in keyof Account]: number }, amount: Account, times: 1 | -1): void {
  account.requests += times * amount.requests
  account.retries += times * amount.retries
  account.input += times * amount.input
  account.cached += times * amount.cached
  account.written += times * amount.written
  account.output += times * amount.output
  account.reasoning += times * amount.reasoning
  account.nanos += times * amount.nanos
  account.priced += times * amount.priced
  account.unpriced += times * amount.unpriced
  account.firstTokens += times * amount.firstTokens
  account.firstTokenMs += times * amount.firstTokenMs
  account.modelMs += times * amount.modelMs
  account.toolMs += times * amount.toolMs
  account.humanMs += times * amount.humanMs
  account.calls += times * amount.calls
  account.failedCalls += times * amount.failedCalls
}

/** Both accounts together, or the first less the other. */
export function sumOfAccounts(a: Account, b: Account, times: 1 | -1 = 1): Account {
  const sum = { ...a }
  addAmount(sum, b, times)
  return sum
}

/** An amount of these; nothing else was used. */
export function amountOf(used: Partial<Account>): Account {
  return Object.assign({ ...noAccount }, used)
}

/** True if both accounts hold the same. Written out as `addAmount` is. */
export function isSameAccount(a: Account, b: Account): boolean {
  return (
    a.requests === b.requests &&
    a.retries === b.retries &&
    a.input === b.input &&
    a.cached === b.cached &&
    a.written === b.written &&
    a.output === b.output &&
    a.reasoning === b.reasoning &&
    a.nanos === b.nanos &&
    a.priced === b.priced &&
    a.unpriced === b.unpriced &&
    a.firstTokens === b.firstTokens &&
    a.firstTokenMs === b.firstTokenMs &&
    a.modelMs === b.modelMs &&
    a.toolMs === b.toolMs &&
    a.humanMs === b.humanMs &&
    a.calls === b.calls &&
    a.failedCalls === b.failedCalls
  )
}

/** True if nothing was used. */
export function isEmptyAccount(account: Account): boolean {
  return isSameAccount(account, noAccount)
}

/** Accounts by a name that may be shown; an empty name is of usage without one. In order of first use. */
export type Accounts = ReadonlyMap<string, Account>

/** The account of a run, and of its parts by name; each turn and session has its own. */
export interface Ledger {
  readonly total: Account
  readonly states: Accounts
  readonly models: Accounts
  readonly tools: Accounts
  /** The usage of no session: waits for people before the first session spoke. */
  readonly unowned: Account
}

/** The kinds of rows of the ledger; `turn`: of one session, `any turn`: the run's turns with the most usage. */
export const LEDGER_WAYS = ["state", "model", "tool", "invocation", "session", "turn", "any turn"] as const
export type LedgerWay = (typeof LEDGER_WAYS)[number]

/** The ways to sort accounts, the largest first, and the figure that is compared. */
export const LEDGER_SORTS = {
  cost: ({ nanos }) => nanos,
  input: ({ input }) => input,
  cached: ({ cached }) => cached,
  written: ({ written }) => written,
  output: ({ output }) => output,
  reasoning: ({ reasoning }) => reasoning,
  requests: ({ requests }) => requests,
  retries: ({ retries }) => retries,
  first: ({ firstTokenMs, firstTokens }) => firstTokenMs / Math.max(1, firstTokens),
  models: ({ modelMs }) => modelMs,
  tools: ({ toolMs }) => toolMs,
  people: ({ humanMs }) => humanMs,
  calls: ({ calls }) => calls,
  failed: ({ failedCalls }) => failedCalls,
} as const satisfies { readonly [id: string]: (account: Account) => number }
export type LedgerSort = keyof typeof LEDGER_SORTS

/** The rows of a list: `session` is the index of the session of the turns; without a sort, rows stay in their order. */
export interface LedgerList {
  readonly by: LedgerWay
  readonly session: number
  readonly sort: LedgerSort | null
}

/** Parts by model with a bill added to them `times` times; those of which nothing is left are dropped. */
export function partsWith(parts: Accounts, { model, account }: Bill, times: 1 | -1): Accounts {
  const part = sumOfAccounts(parts.get(model) ?? noAccount, account, times)
  const next = new Map(parts)
  if (isEmptyAccount(part)) next.delete(model)
  else next.set(model, part)
  return next
}

export const noLedger: Ledger = {
  total: noAccount,
  states: new Map(),
  models: new Map(),
  tools: new Map(),
  unowned: noAccount,
}

/** The charge for the current reply of a session, its state and its model. */
export interface Bill {
  readonly state: string
  readonly model: string
  readonly account: Account
}

export const noBill: Bill = { state: "", model: "", account: noAccount }
