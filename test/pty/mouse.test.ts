// Tests what a screen that a person started asks of the terminal, and takes back: the mouse, and news of its colours.
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { expectAsItWas } from "./as-it-was.ts"
import { modes } from "./modes.ts"
import { openSidecar, spawned } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

const MOUSE = ["mouse-click", "mouse-drag"]
const mouseModes = (sidecar: Terminal) => modes(sidecar.raw).filter(mode => MOUSE.includes(mode))
const open = (...flags: readonly string[]) =>
  openSidecar({ cmd: [...spawned, "replay", fixture("debugger"), "--timing", "instant", ...flags] })

test("the mouse works from the start, a command gives it back to the terminal, and the end leaves it as it was", async () => {
  await using sidecar = await open()
  const { before } = sidecar
  await sidecar.waitFor("end of recording")
  expect(mouseModes(sidecar)).toEqual(MOUSE)
  // It is told when the terminal turns dark or light.
  await sidecar.waitFor(() => sidecar.raw.includes("\x1b[?2031h"))
  await sidecar.type(":mouse\r").waitFor("Mouse off")
  expect(mouseModes(sidecar)).toEqual([])
  await sidecar.type(":mouse\r").waitFor("Mouse on. Shift-drag selects text")
  expect(mouseModes(sidecar)).toEqual(MOUSE)
  expect(await sidecar.press("\x03").exited).toBe(0)
  expectAsItWas(sidecar, before)
})

test("--no-mouse leaves the mouse to the terminal", async () => {
  await using sidecar = await open("--no-mouse")
  await sidecar.waitFor("end of recording")
  expect(mouseModes(sidecar)).toEqual([])
})
