// Tests how the host's configuration is read.
import { expect, test } from "bun:test"
import { readSettings } from "../../src/server/settings.ts"

test("the settings take a time limit and a grace period from the configuration, never a negative one", () => {
  const times = (config: Record<string, unknown>) => {
    const { timeoutSec, graceSec } = readSettings(config, "/a")
    return { timeoutSec, graceSec }
  }
  expect(times({})).toEqual({ timeoutSec: 0, graceSec: 15 })
  expect(times({ timeoutSec: 60, graceSec: 4 })).toEqual({ timeoutSec: 60, graceSec: 4 })
  expect(times({ timeoutSec: -1, graceSec: -1 })).toEqual({ timeoutSec: 0, graceSec: 0 })
})
