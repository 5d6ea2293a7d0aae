// Tests the mouse on a terminal: its modes, its clicks and its wheel as a terminal sends them.
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { modes } from "./modes.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

const MOUSE = ["mouse-click", "mouse-drag"]
const mouseModes = (sidecar: Terminal) => modes(sidecar.raw).filter(mode => MOUSE.includes(mode))
const open = (...flags: readonly string[]) =>
  openSidecar({ cmd: [...spawned, "replay", fixture("debugger"), "--timing", "instant", ...flags] })

/** What a terminal sends of a button, counted from 1: 0 is the left one, 32 more is a drag, 64 and 65 are the wheel. */
const sgr = (button: number, x: number, y: number, end = "M") => `\x1b[<${button};${x};${y}${end}`
const click = (x: number, y: number) => sgr(0, x, y) + sgr(0, x, y, "m")

test("the mouse works from the start, a command gives it back to the terminal, and the end leaves it as it was", async () => {
  await using sidecar = await open()
  await sidecar.waitFor("end of recording")
  expect(mouseModes(sidecar)).toEqual(MOUSE)
  sidecar.type(":mouse\r")
  await sidecar.waitFor("Mouse off")
  expect(mouseModes(sidecar)).toEqual([])
  sidecar.type(":mouse\r")
  await sidecar.waitFor("Mouse on. Shift-drag selects text")
  expect(mouseModes(sidecar)).toEqual(MOUSE)
  sidecar.press("\x03")
  expect(await sidecar.exited).toBe(0)
  expect(modes(sidecar.raw)).toEqual([])
})

test("--no-mouse leaves the mouse to the terminal", async () => {
  await using sidecar = await open("--no-mouse")
  await sidecar.waitFor("end of recording")
  expect(mouseModes(sidecar)).toEqual([])
})

test("a click on a hint presses its key, and a drag says how text is selected", async () => {
  await using sidecar = await open()
  await sidecar.waitFor("end of recording")
  const rows = await sidecar.waitFor("? keys")
  sidecar.press(click((rows.at(-1)?.indexOf("? keys") ?? 0) + 1, rows.length))
  await sidecar.waitFor("KEYS")
  sidecar.press("\x1b")
  await sidecar.waitFor(shown => !shown.join("\n").includes("KEYS"))
  sidecar.press(sgr(0, 10, 6) + sgr(32, 14, 6) + sgr(32, 18, 7) + sgr(0, 18, 7, "m"))
  expect(await sidecar.waitFor("Shift-drag selects text")).toHaveLength(36)
})

test("the wheel moves the view of the log, and its cursor stays", async () => {
  await using sidecar = await open()
  const rows = await sidecar.waitFor("end of recording")
  const log = rows.findIndex(row => row.includes("LOG"))
  const last = rows.at(-4) ?? ""
  sidecar.press(sgr(64, 20, log + 3).repeat(2))
  const moved = await sidecar.waitFor(shown => !shown.includes(last))
  expect(moved[log]).toContain("scrolled")
  sidecar.press("j")
  expect((await sidecar.waitFor(shown => shown.includes(last)))[log]).toContain("at the end")
})

/** A click on the first character of this text, wherever the screen has it. */
async function clickOn(sidecar: Terminal, text: string): Promise<void> {
  const rows = await sidecar.waitFor(text)
  const y = rows.findIndex(row => row.includes(text))
  sidecar.press(click((rows[y]?.indexOf(text) ?? 0) + 1, y + 1))
}

test("a click selects a session, a second one opens it, and the time bar is clicked too", async () => {
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo") } })
  await sidecar.waitFor("2,611/2,611")
  await clickOn(sidecar, "planner  ")
  await sidecar.waitFor(/▌✓ planner/)
  await clickOn(sidecar, "planner  ")
  const rows = await sidecar.waitFor("─ 0 % ─")
  const y = rows.findIndex(row => row.startsWith(" paused 1× "))
  sidecar.press(click(Math.floor((rows[y]?.length ?? 0) / 3), y + 1))
  expect((await sidecar.waitFor(/ (?!2,611)[\d,]+\/2,611/))[0]).toContain("PAST")
})

test("in a question a click takes an option, and the wheel moves over forty of them", async () => {
  const options = Array.from({ length: 40 }, (_, i) => `option ${i + 1}.`)
  const opts = { prompt: "With what?", options }
  const asks = JSON.stringify({ kind: "prompt", "prompt-id": "cook#1", invokeid: "cook", type: "multi", opts })
  await using sidecar = await openLive([asks], { cols: 80, rows: 24 })
  const rows = await sidecar.waitFor("0 of 40 picked")
  expect(rows.join("\n")).not.toContain("option 20.")
  const y = rows.findIndex(row => row.includes("option 1."))
  sidecar.press(sgr(65, 20, y + 2).repeat(6))
  await sidecar.waitFor("option 20.")
  await clickOn(sidecar, "option 20.")
  await sidecar.waitFor(/▸.*option 20\./)
  await clickOn(sidecar, "option 20.")
  await sidecar.waitFor("1 of 40 picked")
  sidecar.press("\r")
  expect(await sidecar.hears({ kind: "answer" })).toMatchObject({ value: ["option 20."] })
})

test("a click folds a block of the transcript, and the wheel moves the list of sessions, not its cursor", async () => {
  await using sidecar = await openSidecar({
    cmd: [...spawned, "replay", fixture("parallel-60"), "--timing", "instant"],
    rows: 24,
  })
  await sidecar.waitFor("end of recording")
  // The selection followed the work, so where it stands depends on how the lines came.
  sidecar.press("Sj\r")
  await sidecar.waitFor("S sort: what needs you first")
  sidecar.press("g")
  const list = await sidecar.waitFor(/─ 1 of \d+ {3}S sort: what needs you first/)
  const cursor = list.findIndex(row => row.includes("▌"))
  sidecar.press(sgr(65, 20, cursor + 1).repeat(3))
  await sidecar.waitFor(rows => !rows.some(row => row.includes("▌")))
  sidecar.press("\r\r")
  const text = await sidecar.waitFor(rows => /▎ assistant/.test(rows.join("\n")) && !/─ SESSIONS/.test(rows.join("\n")))
  const heading = text.findIndex(row => row.includes("▎ assistant"))
  sidecar.press(click(6, heading + 1))
  expect((await sidecar.waitFor(/▸ assistant/))[heading]).toContain("▸ assistant")
})
