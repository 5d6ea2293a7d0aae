// Tests the sidecar in GNU screen.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fixture } from "../fixtures.ts"
import { openLive, spawned } from "./sidecar.ts"

let sockets = ""
beforeAll(async () => {
  sockets = await mkdtemp(join(tmpdir(), "sidecar-screen-"))
  await chmod(sockets, 0o700)
})
// The session outlives its terminal if a test fails.
afterAll(async () => {
  Bun.spawnSync(["sh", "-c", "screen -X quit"], { env: { ...process.env, SCREENDIR: sockets } })
  await rm(sockets, { recursive: true, force: true })
})

test.skipIf(Bun.which("screen") === null)(
  "in screen a run is shown, answered and copied to the terminal around it, and the end gives the shell back",
  async () => {
    await using sidecar = await openLive(fixture("prompts"), {
      cmd: ["screen", "-U", "-c", "/dev/null", ...spawned],
      env: { SCREENDIR: sockets, TERM: "xterm-256color", LANG: "C.UTF-8" },
    })
    await sidecar.waitFor("Which name goes on the cup?")
    sidecar.type("Żółw 亀\r")
    expect(await sidecar.hears({ kind: "answer" })).toMatchObject({ "prompt-id": "ask-name#1", value: "Żółw 亀" })
    await sidecar.waitFor("What size?")
    await sidecar.press("\x1bh").waitFor("a answer")
    await sidecar.press("\t\ty\r").waitFor("if your terminal allows it")
    await sidecar.waitFor(() => /\x1b\]52;c;[\w+/=]+\x07/.test(sidecar.raw))
    expect(await sidecar.press("\x03\x03").exited).toBe(0)
    expect(sidecar.raw).not.toContain("tmux;")
  },
)
