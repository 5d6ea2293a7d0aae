// Tests the log in a terminal: jumping, filtering, searching and reading an entry.
import { expect, test } from "bun:test"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fixture } from "../fixtures.ts"
import { untilShown } from "../until.ts"
import { openSidecar } from "./sidecar.ts"

for (const [cols, rows] of [
  [120, 40],
  [80, 24],
] as const) {
  test(`a recording's log is filtered, searched and opened at ${cols}x${rows}`, async () => {
    const env = { OPENTUI_REPLAY: fixture("demo") }
    await using sidecar = await openSidecar({ cols, rows, env })
    await sidecar.waitFor("end of recording")
    sidecar.type("f")
    await sidecar.waitFor("Enter alone: errors")
    sidecar.type("tokens>x")
    await sidecar.waitFor("expected a number")
    sidecar.type("\x7f100\r")
    await sidecar.waitFor(/LOG {2}\d+ of 68 · f tokens>100/)
    sidecar.type("/")
    await sidecar.waitFor("text, or a filter such as error")
    sidecar.type("Eleven minutes\r")
    await sidecar.waitFor('/ text~"Eleven minutes"')
    sidecar.type("\r")
    await sidecar.waitFor(/─ \S+.* · llm\/response/)
    sidecar.type("/")
    await sidecar.waitFor("text to find")
    sidecar.type("usage\r")
    await sidecar.waitFor("/usage 1 o")
    sidecar.type("\x1b")
    await sidecar.waitFor(shown => !shown.some(row => row.includes("DATA")))
    // A jump goes to rows that the filter shows, so that the cursor is seen on them.
    sidecar.type("E")
    const rowsShown = await sidecar.waitFor("No earlier error")
    expect(rowsShown.join("\n")).toContain("f tokens>100")
  })
}

for (const [cols, rows] of [
  [120, 40],
  [40, 10],
] as const) {
  test(`a jump and a search in a recording seek to the row, and later rows stay below it, at ${cols}x${rows}`, async () => {
    await using sidecar = await openSidecar({ cols, rows, env: { OPENTUI_REPLAY: fixture("demo") } })
    await sidecar.waitFor("2,611/2,611")
    sidecar.type("E")
    const shown = (await sidecar.waitFor(/ PAST [\s\S]* 26 later [\s\S]*▌.*tool error/)).join("\n")
    expect(shown).toMatch(/▌.*✗ tool error.*\n.*reviewer +start/)
    expect(shown).not.toContain("following")
    sidecar.type("N")
    await sidecar.waitFor("No search yet")
    sidecar.type("g/cut\r")
    await sidecar.waitFor(/ later [\s\S]*▌/)
    sidecar.type("\x1b[F")
    await sidecar.waitFor(screen => !screen.join("\n").includes(" later "))
  })
}

test("the title says what the times count from", async () => {
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo") } })
  await sidecar.waitFor("end of recording")
  sidecar.press(":show times since the start\r")
  await sidecar.waitFor("LOG  68 · by the clock")
  sidecar.press(":show times since the start\r")
  const shown = await sidecar.waitFor("LOG  68 · since the row before")
  expect(shown.join("\n")).toContain("Time since the previous row")
})

test("a bookmark of a recording is kept for the next start", async () => {
  const home = await mkdtemp(join(tmpdir(), "marks-"))
  const env = { OPENTUI_REPLAY: fixture("demo"), XDG_STATE_HOME: home }
  try {
    for (const again of [false, true]) {
      await using sidecar = await openSidecar({ env })
      await sidecar.waitFor("end of recording")
      await sidecar.waitFor("LOG  68")
      if (again) sidecar.type('"')
      else {
        sidecar.type("M")
        await sidecar.waitFor("a note (optional)")
        sidecar.type("the end\r")
      }
      await sidecar.waitFor("[the end]")
      const directory = join(home, "opentui-sidecar", "bookmarks")
      const files = await untilShown({ screen: () => readdir(directory).catch(() => []) }, /\.json$/m)
      expect(files).toHaveLength(1)
    }
  } finally {
    await rm(home, { recursive: true })
  }
})
