// Tests how the ledger is told: what is known as money, what is not as a dash, and all of it in `fold`.
import { expect, test } from "bun:test"
import { noAccount } from "../../../src/run/model/ledger.ts"
import { meanFirstToken, moneyWords } from "../../../src/run/select/usage.ts"

const account = (keys: object) => ({ ...noAccount, priced: 1, ...keys })

test("money is shown to the cent, amounts below a dollar further, and a plus says that some of it is unknown", () => {
  const sums = [305_320_000, 3_100_000, 1_234_560_000_000, 0, 20_000].map(nanos => moneyWords(account({ nanos })))
  expect(sums).toEqual(["$0.3053", "$0.0031", "$1,234.56", "$0.00", "<$0.0001"])
  expect(moneyWords(account({ nanos: 305_320_000, unpriced: 1 }))).toBe("$0.3053+")
  expect(moneyWords(account({ nanos: 3_100_000 }), 2)).toBe("<$0.01")
  expect(moneyWords(account({ nanos: 3_100_000, unpriced: 1 }), 2)).toBe("<$0.01+")
  expect(moneyWords(account({ nanos: 5_000_000 }), 2)).toBe("$0.01")
})

test("money of which nothing is known is none, and so is that of nothing; a first token may come at once", () => {
  expect([meanFirstToken(account({ firstTokens: 2 })), meanFirstToken(noAccount)]).toEqual([0, null])
  expect([account({ priced: 0, unpriced: 3 }), noAccount].map(one => moneyWords(one))).toEqual([null, null])
})
