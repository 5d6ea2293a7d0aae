// Tests that the person's own editor and pager get the terminal while the run goes on, and give it back.
import { expect, test } from "bun:test"
import { chmod } from "node:fs/promises"
import { join } from "node:path"
import { event, prompt } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"
import { modes } from "./modes.ts"
import { type Live, openLive } from "./sidecar.ts"

const scratch = fileScratch()

const asks = prompt("q#1", "text", { prompt: "Which haiku?" }, "judge")
const recording = [event("runner/started", { "session-id": "s", "chart-id": "c" }), asks]

/** A sidecar whose editor is a shell script; its path has a space, so it must be quoted. */
async function withEditor(script: string): Promise<Live> {
  const path = join(scratch, `ed ${Bun.hash(script)}`)
  await Bun.write(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o700)
  return openLive(recording, { env: { VISUAL: `'${path}' -n`, EDITOR: "false" } })
}

test("Ctrl-X Ctrl-E opens the answer in the editor, which has the keys until the text comes back as the draft", async () => {
  await using sidecar = await withEditor('printf "EDITING "; read line; printf "%s\\n" "$line" >> "$2"')
  await sidecar.waitFor(/─ .* asks[\s\S]*Which haiku\?/)
  await sidecar.type("half ").waitFor("│ half")
  await sidecar.press("\x18\x05").waitFor("EDITING")
  expect(modes(sidecar.raw)).toEqual([])
  sidecar.agent.emit(event("llm/start", { invokeid: "poet", "session-id": "p1" }))
  await sidecar.type("of it ?Qé🎉\r").waitFor("half of it ?Qé🎉")
  expect(modes(sidecar.raw)).toContain("alternate-screen")
  await sidecar.type("!").waitFor("half of it ?Qé🎉!")
  await sidecar.waitFor("poet")
  sidecar.press("\r")
  expect(await sidecar.hears({ kind: "answer" })).toMatchObject({ "prompt-id": "q#1", value: "half of it ?Qé🎉!" })
  const kept = [...new Bun.Glob("**/*").scanSync({ cwd: join(sidecar.home, "state"), dot: true })]
  expect(kept.filter(path => !path.includes("/spool/"))).toEqual([])
})

test("Ctrl-C in the editor is the editor's: it ends neither the screen nor the run", async () => {
  await using sidecar = await withEditor('trap "echo CAUGHT" INT; printf "EDITING "; until read line; do :; done')
  await sidecar.waitFor(/─ .* asks[\s\S]*Which haiku\?/)
  sidecar.type("mine")
  await sidecar.press("\x18\x05").waitFor("EDITING")
  await sidecar.press("\x03").waitFor("CAUGHT")
  await sidecar.press("\r").waitFor("│ mine")
  expect(await sidecar.press("\r").hears({ kind: "answer" })).toMatchObject({ value: "mine" })
})

const poet = { invokeid: "poet", "session-id": "p1" }
const said = (text: string) => [
  event("runner/started", { "session-id": "s", "chart-id": "c" }),
  event("llm/start", poet),
  event("llm/response", { ...poet, content: [{ type: "text", text }] }),
]

test.skipIf(Bun.which("less") === null)(
  "o shows a session's whole text in less, which has the keys, and the screen comes back whole",
  async () => {
    const text = Array.from({ length: 5000 }, (_, i) => `verse ${i}`).join("\n")
    const env = { LESS: "", TERM: "xterm-256color" }
    await using sidecar = await openLive(said(`a\x1b[2Jb\n${text}`), { held: false, env })
    await sidecar.waitFor("verse 4999")
    expect(await sidecar.press("o").waitFor(rows => rows.at(-1) === ":")).toContain("a␛[2Jb")
    await sidecar.press("/verse 4321\r").waitFor("verse 4321")
    sidecar.press("q")
    await sidecar.waitFor(rows => / ▌✓ poet /.test(rows[1] ?? "") && rows.join("\n").includes("▎ verse 4999"))
    expect(modes(sidecar.raw)).toContain("alternate-screen")
    await sidecar.press("?").waitFor("─ KEYS")
  },
)

test("o says which pager failed, though that has not read the text", async () => {
  await using sidecar = await openLive(said("x".repeat(3_000_000)), { env: { PAGER: "sh -c 'exit 7'" } })
  await sidecar.waitFor("xxx")
  const rows = await sidecar.press("o").waitFor(/sh failed with exit code 7/)
  expect(rows.join("\n")).toContain(" ▌✓ poet ")
})
