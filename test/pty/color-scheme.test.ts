// Tests that a killed screen leaves no mode on that the agent which started it does not restore.
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"

const SCHEME = "\x1b[?2031h"

test.each(["truecolor", "16"])(
  "a screen that an agent started asks for no reports of the scheme, in %s",
  async colors => {
    const agent = { debug: "paused" as const, hold: true }
    await using sidecar = await openLive(fixture("debugger"), { agent, env: { OPENTUI_COLORS: colors } })
    await sidecar.waitFor("PAUSED")
    expect(sidecar.raw).toContain("\x1b[?1049h")
    expect(sidecar.raw).not.toContain(SCHEME)
  },
)

test("a screen that a person started is told when the terminal turns dark or light", async () => {
  await using sidecar = await openSidecar({ cmd: [...spawned, "replay", fixture("debugger")] })
  await sidecar.waitFor(() => sidecar.raw.includes("\x1b[?1049h"))
  await sidecar.waitFor(() => sidecar.raw.includes(SCHEME))
  expect(sidecar.raw).toContain(SCHEME)
})
