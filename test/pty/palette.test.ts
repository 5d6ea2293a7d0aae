// Tests the palette in a terminal: it opens, finds what is typed, and Enter does it.
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar } from "./sidecar.ts"

for (const [cols, rows] of [
  [120, 40],
  [80, 24],
] as const) {
  test(`an action, a session and a moment are found and gone to at ${cols}x${rows}`, async () => {
    await using sidecar = await openSidecar({ cols, rows, env: { OPENTUI_REPLAY: fixture("demo") } })
    await sidecar.waitFor("end of recording")
    sidecar.type(":")
    await sidecar.waitFor("COMMANDS")
    sidecar.type("expo")
    const found = await sidecar.waitFor(": expo")
    expect(found.join("\n")).toMatch(/export the run or session.* x /)
    sidecar.type("\r")
    await sidecar.waitFor("EXPORT")
    sidecar.type("\x10")
    await sidecar.waitFor("COMMANDS")
    sidecar.type("\x1b")
    await sidecar.waitFor(shown => !shown.some(row => row.includes("COMMANDS")))
    sidecar.type("\x1b")
    await sidecar.waitFor(shown => !shown.some(row => row.includes("EXPORT")))
    sidecar.type("\x10")
    await sidecar.waitFor("COMMANDS")
    sidecar.type("#810")
    await sidecar.waitFor("go to #810")
    sidecar.type("\r")
    await sidecar.waitFor("810/2,611")
  })
}

test("at 40x10 it takes the screen, says what was meant, completes it, and says where it works", async () => {
  await using sidecar = await openSidecar({ cols: 40, rows: 10, env: { OPENTUI_REPLAY: fixture("demo") } })
  await sidecar.waitFor(/\/2,611/)
  sidecar.type(":")
  await sidecar.waitFor("COMMANDS")
  sidecar.type("zoomm")
  const shown = await sidecar.waitFor(/Nothing is called "zoomm"[\s\S]*zoom\?/)
  expect(shown.every(row => row.length <= 40)).toBe(true)
  sidecar.type("\t")
  await sidecar.waitFor(/: zoom +│[\s\S]*zoom in/)
  sidecar.type("\r")
  await sidecar.waitFor("in the waterfall")
})

test("? lists first the keys that work where one is", async () => {
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo") } })
  await sidecar.waitFor("end of recording")
  sidecar.type("T")
  await sidecar.waitFor("TIME")
  sidecar.type("?")
  const shown = (await sidecar.waitFor("KEYS")).join("\n")
  expect(shown).toMatch(/KEYS {2}that work here · \? all keys[\s\S]*Move +j k +move/)
  sidecar.type("/whole run")
  await sidecar.waitFor(/▸ +z +fold all, none or only done calls; in the time view, the whole run/)
})

test("the run is ended from the palette only once it was asked whether that is meant", async () => {
  await using sidecar = await openLive(fixture("demo"), { agent: { hold: true, speed: 1 } })
  await sidecar.waitFor("SESSIONS")
  sidecar.type(":end the run\r")
  await sidecar.waitFor("End the run? Enter ends it · Esc")
  sidecar.type("\x1b")
  await sidecar.waitFor(rows => !rows.join("\n").includes("Enter ends it"))
  expect(sidecar.agent.inbound()).toEqual([])
  sidecar.type("\r")
  await sidecar.waitFor("End the run?")
  sidecar.type("\r")
  expect(await sidecar.hears({ op: "ui-quit" })).toBeDefined()
  expect(await sidecar.exited).toBe(0)
})
