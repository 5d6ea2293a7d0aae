// Tests which tool of the machine gets a text for the clipboard, and which failures are told.
import { expect, spyOn, test } from "bun:test"
import { copyLocally } from "../../../src/app/handlers/local-clipboard.ts"
import { withVariables } from "../../cli/called.ts"

const BOTH = { WAYLAND_DISPLAY: "w", DISPLAY: ":0" }

test.each([
  ["Wayland's", BOTH, "wl-copy xclip xsel", 0, "wl-copy", "wl-copy"],
  ["of X, where Wayland's isn't there", BOTH, "xclip xsel", 0, "xclip -selection clipboard", "xclip"],
  ["the other one of X", { DISPLAY: ":0" }, "wl-copy xsel", 0, "xsel --clipboard --input", "xsel"],
  ["none that fails", BOTH, "wl-copy xclip", 1, "wl-copy", null],
  ["none without a desktop", {}, "wl-copy xclip xsel", 0, null, null],
  ["none over ssh", { ...BOTH, SSH_CONNECTION: "1" }, "wl-copy", 0, null, null],
] as const)("a text is given to the tool %s", async (_, env, tools, code, command, told) => {
  using _variables = withVariables({ WAYLAND_DISPLAY: "", DISPLAY: "", SSH_CONNECTION: "", ...env })
  using _which = spyOn(Bun, "which").mockImplementation(name => (tools.split(" ").includes(name) ? name : null))
  const { spawn } = Bun
  using spawned = spyOn(Bun, "spawn").mockImplementation(((_: unknown, options: object) =>
    spawn(["sh", "-c", `[ "$(cat)" = text ] && exit ${code}; exit 9`], options)) as never)
  expect(await copyLocally("text")).toBe(told)
  expect(spawned.mock.calls.map(([words]) => (words as unknown as string[]).join(" "))).toEqual(
    command === null ? [] : [command],
  )
})
