// Tests the palette in a terminal: it opens, finds what is typed, and Enter does it.
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { openSidecar } from "./sidecar.ts"

for (const [cols, rows] of [
  [120, 40],
  [80, 24],
] as const) {
  test(`an action, a session and a moment are found and gone to at ${cols}x${rows}`, async () => {
    await using sidecar = await openSidecar({ cols, rows, env: { OPENTUI_REPLAY: fixture("demo") } })
    await sidecar.waitFor("end of recording")
    sidecar.type(":")
    await sidecar.waitFor("GO TO OR DO")
    sidecar.type("expo")
    const found = await sidecar.waitFor(/export the run or session.* x /)
    expect(found.join("\n")).toContain(": expo")
    sidecar.type("\r")
    await sidecar.waitFor("EXPORT")
    sidecar.type("\x10")
    await sidecar.waitFor("GO TO OR DO")
    sidecar.type("\x1b")
    await sidecar.waitFor(shown => !shown.some(row => row.includes("GO TO OR DO")))
    sidecar.type("\x1b")
    await sidecar.waitFor(shown => !shown.some(row => row.includes("EXPORT")))
    sidecar.type("\x10")
    await sidecar.waitFor("GO TO OR DO")
    sidecar.type("#810")
    await sidecar.waitFor("go to #810")
    sidecar.type("\r")
    await sidecar.waitFor("810/2,069")
  })
}
