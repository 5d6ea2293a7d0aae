// The ledger: what a run used, paid and waited for, as sums of whole numbers, so that parts add up to their total.

/** What was used in a part of a run. Times are ms and add up over what ran side by side. */
export interface Account {
  /** Requests to a model, without their retries. */
  readonly requests: number
  readonly retries: number
  /** Tokens; `input` counts those read from the cache and those written to it, `output` the reasoning. */
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
  readonly reasoning: number
  /** What it cost, in billionths of a dollar, as far as that is known. */
  readonly nanos: number
  /** Replies whose cost is known, and those of which it is not. */
  readonly priced: number
  readonly unpriced: number
  /** Replies of which the time to the first token is known, and the sum of these times. */
  readonly firstTokens: number
  readonly firstTokenMs: number
  readonly modelMs: number
  readonly toolMs: number
  readonly humanMs: number
  readonly calls: number
  readonly failedCalls: number
}

export const noAccount: Account = {
  requests: 0,
  retries: 0,
  input: 0,
  cached: 0,
  written: 0,
  output: 0,
  reasoning: 0,
  nanos: 0,
  priced: 0,
  unpriced: 0,
  firstTokens: 0,
  firstTokenMs: 0,
  modelMs: 0,
  toolMs: 0,
  humanMs: 0,
  calls: 0,
  failedCalls: 0,
}

export const ACCOUNT_KEYS = Object.keys(noAccount) as readonly (keyof Account)[]

/** Both accounts together, the second `times` times. Written out, since a loop over the keys costs far more. */
export function sumOfAccounts(a: Account, b: Account, times: 1 | -1 = 1): Account {
  return {
    requests: a.requests + times * b.requests,
    retries: a.retries + times * b.retries,
    input: a.input + times * b.input,
    cached: a.cached + times * b.cached,
    written: a.written + times * b.written,
    output: a.output + times * b.output,
    reasoning: a.reasoning + times * b.reasoning,
    nanos: a.nanos + times * b.nanos,
    priced: a.priced + times * b.priced,
    unpriced: a.unpriced + times * b.unpriced,
    firstTokens: a.firstTokens + times * b.firstTokens,
    firstTokenMs: a.firstTokenMs + times * b.firstTokenMs,
    modelMs: a.modelMs + times * b.modelMs,
    toolMs: a.toolMs + times * b.toolMs,
    humanMs: a.humanMs + times * b.humanMs,
    calls: a.calls + times * b.calls,
    failedCalls: a.failedCalls + times * b.failedCalls,
  }
}

/** True if nothing was used. */
export function isEmptyAccount(account: Account): boolean {
  return ACCOUNT_KEYS.every(key => account[key] === 0)
}

/** Accounts by a name that may be shown; an empty name is of what has none. In order of first use. */
export type Accounts = ReadonlyMap<string, Account>

/** The account of a run, and of its parts; each turn and session has its own. */
export interface Ledger {
  readonly total: Account
  readonly states: Accounts
  readonly models: Accounts
  readonly tools: Accounts
  /** By index of the invocation. */
  readonly invocations: readonly Account[]
  /** What belongs to no session: waits for people before the first one spoke. */
  readonly unowned: Account
}

/** By what the ledger lists its accounts, in the order of their key. */
export const LEDGER_WAYS = ["state", "model", "tool", "invocation", "session", "turn"] as const
export type LedgerWay = (typeof LEDGER_WAYS)[number]

export const noLedger: Ledger = {
  total: noAccount,
  states: new Map(),
  models: new Map(),
  tools: new Map(),
  invocations: [],
  unowned: noAccount,
}

/** What the current reply of a session has been charged, in which state and to which model. */
export interface Bill {
  readonly state: string
  readonly model: string
  readonly account: Account
}

export const noBill: Bill = { state: "", model: "", account: noAccount }
