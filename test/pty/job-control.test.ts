// Tests what Ctrl-Z, `fg`, `bg` and `kill` of a shell do to the screen.
import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { event, prompt } from "../agent/ui.ts"
import { until } from "../until.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { modes } from "./modes.ts"
import { shells } from "./shells.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

/** A run that a closed gate keeps alive. */
const recording = [event("runner/started", { "session-id": "s", "chart-id": "c" }), event("runner/tick")]
const question = prompt("asked#1", "text", { prompt: "Well?" })
const paused = { debug: "paused" } as const
const env = { PS1: "shell> ", ENV: "" }

const [bash] = shells
/** Ends the stopped job, and says its exit code. */
const killed = "p=$(jobs -p); kill %1; while test -d /proc/$p; do sleep .01; done\r"

/** Resolves once the shell has said it `often` that its job stopped, and prompts. */
function stopped(sidecar: Terminal, often: number): Promise<readonly string[]> {
  return sidecar.waitFor(
    rows => rows.filter(row => /Stopped/.test(row)).length === often && /shell>\s*$/.test(rows.join("\n")),
  )
}

/** Resolves with a whole picture, after the terminal's answers, which decide the keyboard: a shell would echo them. */
function drawn(sidecar: Terminal): Promise<unknown> {
  return until(() => /kitty-keyboard(?!.*synchronized)/.test(modes(sidecar.raw).join(" ")))
}

/** The terminal's settings as the shell in it tells them, by way of a file with this name. */
async function settingsIn(sidecar: Terminal, name: string): Promise<string> {
  const path = join(sidecar.home, name)
  sidecar.type(`stty -g > "$HOME/.${name}" && mv "$HOME/.${name}" "$HOME/${name}"\r`)
  await sidecar.waitFor(() => existsSync(path))
  return await Bun.file(path).text()
}

for (const shell of shells) {
  test(`Ctrl-Z under ${shell[0]} restores the terminal, fg takes it again, and the end restores it`, async () => {
    await using sidecar = await openLive(recording, { agent: paused, cmd: shell, env })
    await sidecar.waitFor("shell>")
    const settings = await settingsIn(sidecar, "before")
    const before = sidecar.flags
    await sidecar.type(`${spawned.join(" ")}\r`).waitFor("PAUSED")
    await drawn(sidecar)
    expectTaken(sidecar, before)
    const taken = { modes: modes(sidecar.raw), flags: sidecar.flags }

    await stopped(sidecar.press("\x1a"), 1)
    expectAsItWas(sidecar, before)
    expect(await settingsIn(sidecar, "stopped")).toBe(settings)
    // The screen takes the size that the terminal has by then.
    await sidecar.resize(80, 24)
    const rows = await sidecar.type("fg\r").waitFor(shown => /continue +Tab next/.test(shown[23] ?? ""))
    expect(Math.max(...rows.map(row => row.length))).toBeLessThanOrEqual(80)
    await drawn(sidecar)
    expect({ modes: modes(sidecar.raw), flags: sidecar.flags }).toEqual(taken)
    await sidecar.press("s").hears({ op: "step" })

    await stopped(sidecar.press("\x1a"), 2)
    const length = sidecar.raw.length
    // Bash continues the job that it signals; with the other, only `fg` does.
    await sidecar.type(shell === bash ? killed : "kill -TERM %1; fg; echo code $?\r").waitFor(/(code|Exit) 143/)
    if (shell === bash) expect(sidecar.raw.slice(length)).not.toMatch(/\x1b(?!\[\?2004)/)
    expect(await settingsIn(sidecar, "after")).toBe(settings)
    expectAsItWas(sidecar, before)
  })
}

test("Ctrl-Z without a shell does nothing", async () => {
  await using sidecar = await openLive(recording, { agent: paused })
  await sidecar.waitFor("PAUSED")
  await drawn(sidecar)
  await sidecar.press("\x1a").waitFor(() => sidecar.raw.split("\x1b[?1049h").length === 3)
  await sidecar.waitFor("PAUSED")
  expect(await sidecar.press("s").hears({ op: "step" })).toMatchObject({ kind: "control" })
})

test("a stopped screen goes on in the background without a byte, and fg brings it back", async () => {
  await using sidecar = await openLive(recording, { agent: paused, cmd: bash ?? [], env })
  await sidecar.waitFor("shell>")
  await sidecar.type(`${spawned.join(" ")}\r`).waitFor("PAUSED")
  await drawn(sidecar)
  await stopped(sidecar.press("\x1a"), 1)
  const length = sidecar.raw.length
  sidecar.type("bg\r")
  sidecar.agent.emit(question)
  await sidecar.type("echo so$((40+2))\r").waitFor("so42")
  expect(sidecar.raw.slice(length)).not.toMatch(/\x1b(?!\[\?2004)|Stopped/)
  await sidecar.type("fg\r").waitFor("Well?")
})

test("a screen that was stopped without a warning, and ends in the background, leaves the shell's settings", async () => {
  await using sidecar = await openLive(recording, { agent: paused, cmd: bash ?? [], env })
  await sidecar.waitFor("shell>")
  await sidecar.type(`sh -c 'echo $$ > "$HOME/pid"; exec ${spawned.join(" ")}'\r`).waitFor("PAUSED")
  await drawn(sidecar)
  process.kill(Number(await Bun.file(join(sidecar.home, "pid")).text()), "SIGSTOP")
  await sidecar.waitFor("Stopped")
  const settings = await settingsIn(sidecar.type("stty intr ^X\r"), "before")
  await sidecar.type(killed).waitFor("Exit 143")
  expect(await settingsIn(sidecar, "after")).toBe(settings)
})

test("Ctrl-Z says above the shell's line that the command runs on, and fg shows what it did meanwhile", async () => {
  await using sidecar = await openSidecar({ cmd: bash ?? [], env })
  await sidecar.waitFor("shell>")
  const command = "touch begun; until test -e go; do sleep .05; done; echo went on; sleep 60"
  sidecar.type(`cd; ${[...spawned, "run", "--", "sh", "-c", `'${command}'`].join(" ")}\r`)
  await sidecar.waitFor(() => existsSync(join(sidecar.home, "begun")))
  await sidecar.waitFor("Ctrl-C")
  await drawn(sidecar)
  await stopped(sidecar.press("\x1a"), 1)
  const rows = await sidecar.screen()
  const said = rows.indexOf("opentui-sidecar: suspended; the command runs on")
  expect(said).toBeGreaterThan(-1)
  expect(said).toBeLessThan(rows.findIndex(row => row.includes("Stopped")))
  await sidecar.type("touch go; fg\r").waitFor("went on")
})
