// Reading the log in a real terminal: jump, filter, search, open an entry and find in it.
import { expect, test } from "bun:test"
import { fixture, openSidecar } from "./sidecar.ts"

for (const [cols, rows] of [
  [120, 40],
  [80, 24],
] as const) {
  test(`a recording's log is filtered, searched and opened at ${cols}x${rows}`, async () => {
    const env = { OPENTUI_REPLAY: fixture("demo") }
    await using sidecar = await openSidecar({ cols, rows, env })
    await sidecar.waitFor("end of recording")
    await sidecar.waitFor("LOG  59")
    sidecar.type("f")
    await sidecar.waitFor("invokeid=judge* error")
    sidecar.type("tokens>x")
    await sidecar.waitFor("tokens needs a number")
    sidecar.type("\x7f100\r")
    await sidecar.waitFor(/LOG {2}\d+ of 59 · f tokens>100/)
    sidecar.type("/")
    await sidecar.waitFor("text, or a filter such as error")
    sidecar.type("Eleven minutes\r")
    await sidecar.waitFor('/ text~"Eleven minutes"')
    sidecar.type("\r")
    await sidecar.waitFor(/ENTRY .*llm\/response/)
    sidecar.type("/")
    await sidecar.waitFor("text to find")
    sidecar.type("usage\r")
    await sidecar.waitFor("/usage 1 of 1")
    sidecar.type("\x1b")
    await sidecar.waitFor(shown => !shown.some(row => row.includes("ENTRY")))
    sidecar.type("E")
    const rowsShown = await sidecar.waitFor("No earlier error")
    expect(rowsShown.join("\n")).toContain("f tokens>100")
  })
}
