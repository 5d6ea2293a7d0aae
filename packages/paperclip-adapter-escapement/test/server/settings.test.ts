// Tests how the host's configuration is read.
import { expect, test } from "bun:test"
import { readSettings } from "../../src/server/settings.ts"

test("the settings take a time limit and a grace period from the configuration, never a negative one", () => {
  const configs = [{}, { timeoutSec: 60, graceSec: 4 }, { timeoutSec: -1, graceSec: -1 }]
  const times = configs.map(config => readSettings(config, "/a")).map(one => `${one.timeoutSec} ${one.graceSec}`)
  expect(times).toEqual(["0 15", "60 4", "0 0"])
})
