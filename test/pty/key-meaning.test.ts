// Tests in a terminal that a key means the same everywhere, closes what is in front, and says so where it means nothing.
import { describe, expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"
import { pressUntil, type Terminal } from "./terminal.ts"

/** The end of a recorded run. */
async function openDemo(size: { cols?: number; rows?: number } = {}): Promise<Terminal> {
  const sidecar = await openSidecar({ ...size, env: { OPENTUI_REPLAY: fixture("demo") } })
  await sidecar.waitFor("2,611/2,611")
  return sidecar
}

const gone = (text: string) => (rows: readonly string[]) => !rows.join("\n").includes(text)

test("L lists the bookmarks of a replay, and :loop alone loops it", async () => {
  await using sidecar = await openDemo()
  sidecar.press("M")
  await sidecar.waitFor("a note (optional)")
  sidecar.type("the end\r")
  await sidecar.waitFor("[the end]")
  sidecar.press("L")
  const rows = await sidecar.waitFor("BOOKMARKS")
  expect(rows.join("\n")).not.toContain(" loop ")
  sidecar.press("q")
  await sidecar.waitFor(gone("BOOKMARKS"))
  sidecar.type(":loop\r")
  await sidecar.waitFor("Loop on")
})

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
      sidecar.press(keys)
      await sidecar.waitFor(title)
      sidecar.press("q")
      await sidecar.waitFor(gone(title))
    }
    // Within a second after the one that closed the last, it does nothing.
    sidecar.press("q")
    sidecar.press("Q")
    await sidecar.waitFor("Q does nothing here")
    await expect(pressUntil(sidecar, "q", "what never comes")).rejects.toThrow("the program has ended")
    expect(await sidecar.exited).toBe(0)
  })

  test("ends no live run: it says what does", async () => {
    await using sidecar = await openLive([event("runner/started")], { agent: { debug: "paused" } })
    await sidecar.waitFor("PAUSED")
    sidecar.press("q")
    await sidecar.waitFor("Ctrl-C twice ends the run")
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
    sidecar.press(open)
    await sidecar.waitFor(new RegExp(title))
    sidecar.press("Q")
    const rows = await sidecar.waitFor("Q does nothing here · ? shows the keys")
    expect(rows.join("\n")).toMatch(new RegExp(title))
    if (!["SESSIONS", "LOG"].includes(title)) sidecar.press("q")
  }
})

describe("?", () => {
  test("lists first the keys of what is in front, uses the width, and filters while letters come", async () => {
    await using sidecar = await openDemo({ cols: 120, rows: 40 })
    sidecar.press("L")
    await sidecar.waitFor("BOOKMARKS")
    sidecar.press("?")
    const rows = await sidecar.waitFor("KEYS")
    const first = rows.slice(rows.findIndex(row => row.includes("KEYS"))).join("\n")
    expect(first.indexOf("delete the bookmark")).toBeLessThan(first.indexOf("next pane") >>> 0)
    sidecar.type("/quit")
    const found = await sidecar.waitFor(/▸.*quit/)
    expect(found.join("\n")).not.toContain("delete the bookmark")
    sidecar.press("\x1b[27u")
    await sidecar.waitFor(gone("KEYS"))
    await sidecar.waitFor("BOOKMARKS")
  })

  test("and F1 show keys also while a question is asked, and nothing is answered", async () => {
    const asks = (id: string, type: string) =>
      JSON.stringify({
        kind: "prompt",
        "prompt-id": id,
        invokeid: id,
        type,
        opts: { prompt: `${id}?`, options: ["A"] },
      })
    await using sidecar = await openLive([asks("judge", "select"), asks("poet", "text")])
    for (const [question, key] of [
      ["judge?", "?"],
      ["poet?", "\x1bOP"],
    ] as const) {
      await sidecar.waitFor(new RegExp(`─ .* asks[\\s\\S]*${question.replace("?", "\\?")}`))
      sidecar.press(key)
      expect((await sidecar.waitFor("KEYS")).join("\n")).toMatch(/Enter +answer/)
      sidecar.press("\x1b[27u")
      await sidecar.waitFor(gone("KEYS"))
      expect(sidecar.agent.inbound()).toHaveLength(question === "judge?" ? 0 : 1)
      sidecar.press("\r")
      await sidecar.hears({ "prompt-id": question.slice(0, -1) })
    }
  })
})

describe("the palette", () => {
  test("knows :quit, :export, :help, :q and what a newcomer types, and says the key", async () => {
    await using sidecar = await openDemo()
    for (const [typed, row] of [
      ["quit", /▸ › quit.* Ctrl-C/],
      ["q", /▸ .*(quit|close)/],
      ["help", /▸ .*keys.* \?/],
      ["export", /▸ .*export.* x /],
      ["copy the reply", /▸ .*copy.* y /],
      ["next error", /▸ .*next.*error.* e /],
      ["loop", /▸ .*loop/],
    ] as const) {
      sidecar.press("\x10")
      await sidecar.waitFor("COMMANDS")
      sidecar.type(typed)
      expect((await sidecar.waitFor(row)).join("\n")).toContain(`: ${typed}`)
      sidecar.press("\x1b[27u")
      await sidecar.waitFor(gone("COMMANDS"))
    }
  })

  test("keeps a line that matches nothing with the reason, and has what was chosen last at its top", async () => {
    await using sidecar = await openDemo()
    sidecar.type(":zzqx\r")
    await sidecar.waitFor(/: zzqx[\s\S]*Nothing is called "zzqx"/)
    sidecar.press("\x1b[27u")
    await sidecar.waitFor(gone("COMMANDS"))
    sidecar.type(":bookmarks\r")
    await sidecar.waitFor("BOOKMARKS")
    sidecar.press("q")
    await sidecar.waitFor(gone("BOOKMARKS"))
    sidecar.type(":")
    expect((await sidecar.waitFor(/▸ .*bookmarks/)).filter(row => row.includes("▸ "))).toHaveLength(1)
  })
})

test("/ finds in what has the focus: sessions in the list, words in the text, rows in the log", async () => {
  await using sidecar = await openDemo()
  sidecar.type("/drafter\r")
  await sidecar.waitFor(/sort: as they came {3}\/ drafter/)
  sidecar.press("\x1b[27u\t")
  sidecar.type("/harbour\r")
  await sidecar.waitFor(/\/harbour (not found|\d)/)
  sidecar.press("\x1b[27u\t")
  sidecar.type("/harbour\r")
  const rows = await sidecar.waitFor(/LOG .*text~"harbour"/)
  expect(rows.join("\n")).toMatch(/▸.*[Hh]arbour/)
})

test("f filters the log alone: sessions and the text beside them stay", async () => {
  await using sidecar = await openSidecar({ cmd: [...spawned, "replay", fixture("demo"), "--at", "#826"] })
  const before = await sidecar.waitFor("drafter 1/4")
  const top = (rows: readonly string[]) =>
    rows.slice(
      1,
      rows.findIndex(row => row.includes("LOG")),
    )
  sidecar.press("f")
  await sidecar.waitFor("Enter alone: errors")
  sidecar.type("invokeid=drafter* error\r")
  const rows = await sidecar.waitFor(/LOG {2}\d+ of \d+/)
  expect(top(rows)).toEqual(top(before))
})

test("S sorts the live pane, and a filter shows only what runs or failed", async () => {
  await using sidecar = await openSidecar({ cmd: [...spawned, "replay", fixture("demo"), "--at", "#826"] })
  await sidecar.waitFor("S sort: as they came")
  sidecar.press("Sj\r")
  await sidecar.waitFor(gone("S sort: as they came"))
  sidecar.type("/failed\r")
  const failed = await sidecar.waitFor(/sort: .* {3}\/ failed/)
  expect(failed.filter(row => /│ ▌? *[✓●] /.test(row))).toEqual([])
})
