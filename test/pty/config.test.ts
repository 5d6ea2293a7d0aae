// Tests the config file's theme and keys on the screen.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { fixture } from "../fixtures.ts"
import { scratch } from "../scratch.ts"
import { openSidecar } from "./sidecar.ts"
import type { Terminal, TerminalOptions } from "./terminal.ts"

/** Checks a recording on the screen, spawned by an agent, with these files below the config directory. */
async function configured(
  files: { readonly [name: string]: string },
  check: (sidecar: Terminal) => Promise<void>,
  env: TerminalOptions["env"] = {},
): Promise<void> {
  using home = scratch()
  for (const [name, text] of Object.entries(files)) await Bun.write(join(home.path, "opentui-sidecar", name), text)
  const all = { OPENTUI_REPLAY: fixture("demo"), XDG_CONFIG_HOME: home.path, ...env }
  await using sidecar = await openSidecar({ env: all })
  await sidecar.waitFor("end of recording")
  await check(sidecar)
}

const paper = 'base = "light"\n[truecolor]\nbright = "#010203"\n[16]\nbright = 7\ndim = 8\n'
const themed = { "config.toml": 'theme = "paper"\n', "themes/paper.toml": paper }

test("a person's theme colours the screen, and what it leaves out is as in its base", () =>
  configured(themed, async ({ raw }) => {
    expect(raw).toContain("\x1b[38;2;1;2;3m")
    // The light theme's normal text, #3f4652; the bright text of the dark one, #eef1f6, never.
    expect(raw).toContain("\x1b[38;2;63;70;82m")
    expect(raw).not.toContain("\x1b[38;2;238;241;246m")
  }))

test("a person's sixteen colours are written as every terminal knows them", () => {
  const check = async ({ raw }: Terminal): Promise<void> => {
    expect(raw).toContain("\x1b[37m")
    expect(raw).toContain("\x1b[90m")
  }
  return configured(themed, check, { OPENTUI_COLORS: "16" })
})

test("chosen keys work, and the footer, the list of keys and messages name them", () =>
  configured({ "config.toml": '[keys]\nhelp-toggle = "H"\nlog-times = "Ctrl-T"\n' }, async sidecar => {
    await sidecar.waitFor("H keys")
    await sidecar.press("Q").waitFor("Q does nothing here · H shows the keys")
    await sidecar.press("?").waitFor("? does nothing here")
    const rows = await sidecar.press("H").waitFor("commands, all keys")
    expect(rows.find(row => row.includes("commands, all keys"))).toMatch(/ : H +commands, all keys/)
    await sidecar.type("show times").waitFor(/Ctrl-T +show times since the start/)
  }))
