// Tests colours and redrawing.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { fixture } from "../fixtures.ts"
import { openSidecar, spawned } from "./sidecar.ts"

const env = { OPENTUI_REPLAY: fixture("demo") }

test("the colours of the screen suit a light background if the terminal has one", async () => {
  // The test terminal answers OSC 10 and 11 with the colours set here.
  const terminal = [
    "sh",
    "-c",
    `printf '\\033]10;rgb:11/11/11\\007\\033]11;rgb:fa/fa/fa\\007'; exec "$@"`,
    "sh",
    ...spawned,
  ]
  await using sidecar = await openSidecar({ env, cmd: terminal })
  await sidecar.waitFor("end of recording")
  // The brightest text of the light theme, #14181f, and from there on never that of the dark one, #eef1f6: a picture
  // before the terminal's answer may be dark.
  const light = "\x1b[38;2;20;24;31m"
  await sidecar.waitFor(() => sidecar.raw.includes(light))
  await sidecar.press("\x0c").waitFor("end of recording")
  expect(sidecar.raw.slice(sidecar.raw.indexOf(light))).not.toContain("\x1b[38;2;238;241;246m")
})

test("the screen is drawn anew by Ctrl-L, over another program's output", async () => {
  const another = `(until [ -e "$HOME/go" ]; do sleep 0.02; done; printf '\\033[9;20Hsomebody else was here') & exec "$@"`
  await using sidecar = await openSidecar({ env, cmd: ["sh", "-c", another, "sh", ...spawned] })
  // A frame reaches the terminal from top to bottom, so it is complete once the log's last row is there.
  const before = await sidecar.waitFor(
    rows => /end of recording/.test(rows[0] ?? "") && /chart +done/.test(rows.join("\n")),
  )
  await Bun.write(join(sidecar.home, "go"), "")
  await sidecar.waitFor("somebody else was here")
  const anew = await sidecar.press("\x0c").waitFor(rows => Bun.deepEquals(rows, before))
  expect(anew.join("\n")).not.toContain("somebody else was here")
})
