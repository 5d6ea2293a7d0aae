// Tests which configuration the host's form makes.
import { describe, expect, test } from "bun:test"
import { buildConfig } from "../../src/ui/index.ts"
import { FORM } from "../host.ts"

describe("buildConfig", () => {
  test("of an empty form has no time limit and a grace of 15 s", () => {
    expect(buildConfig(FORM)).toEqual({ timeoutSec: 0, graceSec: 15 })
  })
  test("of a filled form has the host's fields, ours, and the environment", () => {
    const adapterSchemaValues = { chart: "plan.edn", workDir: "/w", timeoutSec: 60, other: "x", input: "" }
    const more = {
      cwd: "/a",
      command: "esc",
      model: "smart",
      promptTemplate: "Do",
      extraArgs: "--debug",
      envVars: "A=1",
    }
    expect(buildConfig({ ...FORM, ...more, adapterSchemaValues })).toEqual({
      ...{ cwd: "/a", command: "esc", model: "smart", promptTemplate: "Do", extraArgs: "--debug" },
      ...{ chart: "plan.edn", workDir: "/w", timeoutSec: 60, graceSec: 15, env: { A: { type: "plain", value: "1" } } },
    })
  })
})
