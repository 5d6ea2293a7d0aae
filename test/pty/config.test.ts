// Tests the config file's theme and keys on the screen.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { fixture } from "../fixtures.ts"
import { scratch } from "../scratch.ts"
import { openSidecar } from "./sidecar.ts"

test("a person's theme colours the screen, and chosen keys work and are named in the footer, the list and messages", async () => {
  using home = scratch()
  const config = join(home.path, "opentui-sidecar")
  await Bun.write(join(config, "config.toml"), 'theme = "paper"\n[keys]\nhelp-toggle = "H"\nlog-times = "Ctrl-T"\n')
  await Bun.write(join(config, "themes/paper.toml"), 'base = "light"\n[truecolor]\nbright = "#010203"\n')
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo"), XDG_CONFIG_HOME: home.path } })
  await sidecar.waitFor("end of recording")
  expect(sidecar.raw).toContain("\x1b[38;2;1;2;3m")
  // The light theme's normal text, #3f4652; the bright text of the dark one, #eef1f6, never.
  expect(sidecar.raw).toContain("\x1b[38;2;63;70;82m")
  expect(sidecar.raw).not.toContain("\x1b[38;2;238;241;246m")

  await sidecar.waitFor("H keys")
  await sidecar.press("Q").waitFor("Q does nothing here · H shows the keys")
  await sidecar.press("?").waitFor("? does nothing here")
  const rows = await sidecar.press("H").waitFor("commands, all keys")
  expect(rows.find(row => row.includes("commands, all keys"))).toMatch(/ : H +commands, all keys/)
  await sidecar.type("show times").waitFor(/Ctrl-T +show times since the start/)
})

test("a person's sixteen colours are written as every terminal knows them", async () => {
  using home = scratch()
  const config = join(home.path, "opentui-sidecar")
  await Bun.write(join(config, "config.toml"), 'theme = "paper"\n')
  await Bun.write(join(config, "themes/paper.toml"), 'base = "light"\n[16]\nbright = 7\ndim = 8\n')
  const env = { OPENTUI_REPLAY: fixture("demo"), XDG_CONFIG_HOME: home.path, OPENTUI_COLORS: "16" }
  await using sidecar = await openSidecar({ env })
  await sidecar.waitFor("end of recording")
  for (const colour of [37, 90]) expect(sidecar.raw).toContain(`\x1b[${colour}m`)
})
