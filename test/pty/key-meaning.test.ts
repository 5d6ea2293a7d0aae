// Tests in a terminal that a key means the same everywhere, closes what is in front, and says so where it means nothing.
import { describe, expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar } from "./sidecar.ts"
import { pressUntil, type Terminal } from "./terminal.ts"

/** The end of a recorded run. */
async function openDemo(size: { cols?: number; rows?: number } = {}): Promise<Terminal> {
  const sidecar = await openSidecar({ ...size, env: { OPENTUI_REPLAY: fixture("demo") } })
  await sidecar.waitFor("2,611/2,611")
  return sidecar
}

const gone = (text: string) => (rows: readonly string[]) => !rows.join("\n").includes(text)

describe("q", () => {
  test("closes what is in front, one thing after the other, and at last the recording", async () => {
    await using sidecar = await openDemo()
    for (const [keys, title] of [
      ["$", "COST"],
      ["L", "BOOKMARKS"],
      ["!", "WENT WRONG"],
      ["y", "COPY"],
      ["T", "TIME"],
    ] as const) {
      await sidecar.press(keys).waitFor(title)
      await sidecar.press("q").waitFor(gone(title))
    }
    // Within a second after the one that closed the last, it does nothing.
    sidecar.press("q")
    await sidecar.press("Q").waitFor("Q does nothing here")
    await expect(pressUntil(sidecar, "q", "what never comes")).rejects.toThrow("the program has ended")
    expect(await sidecar.exited).toBe(0)
  })

  test("ends no live run: it says what does", async () => {
    await using sidecar = await openLive([event("runner/started")], { agent: { debug: "paused" } })
    await sidecar.waitFor("PAUSED")
    await sidecar.press("q").waitFor("Ctrl-C twice ends the run")
    expect(sidecar.agent.inbound()).toEqual([])
  })
})

test("a key that means nothing says so and names the keys, wherever it is pressed", async () => {
  await using sidecar = await openDemo()
  for (const [open, title] of [
    ["", "SESSIONS"],
    ["\t", "LOG"],
    ["\t\r", "DATA"],
    ["$", "COST"],
    ["L", "BOOKMARKS"],
  ] as const) {
    await sidecar.press(open).waitFor(new RegExp(title))
    const rows = await sidecar.press("Q").waitFor("Q does nothing here · ? shows the keys")
    expect(rows.join("\n")).toMatch(new RegExp(title))
    if (!["SESSIONS", "LOG"].includes(title)) sidecar.press("q")
  }
})

test("/ finds in what has the focus: sessions in the list, words in the text, rows in the log", async () => {
  await using sidecar = await openDemo()
  await sidecar.type("/drafter\r").waitFor(/sort: as they came {3}\/ drafter/)
  sidecar.press("\x1b[27u\t")
  await sidecar.type("/harbour\r").waitFor(/\/harbour (not found|\d)/)
  sidecar.press("\x1b[27u\t")
  const rows = await sidecar.type("/harbour\r").waitFor(/LOG .*text~"harbour"/)
  expect(rows.join("\n")).toMatch(/▸.*[Hh]arbour/)
})
