// Tests plain mode as a program of its own: what a pipe gets of a recording that is played, and how it ends.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../../fixtures.ts"
import { spawned } from "../../pty/sidecar.ts"
import { cleanEnvironment } from "../../pty/terminal.ts"
import { fileScratch } from "../../scratch.ts"
import { opened } from "../open-screens.ts"

const home = fileScratch()

async function saved(lines: readonly string[]): Promise<string> {
  const path = join(home, `${Bun.hash(lines.join("\n"))}.jsonl`)
  await Bun.write(path, lines.map(line => `${line}\n`).join(""))
  return path
}

async function tell(lines: readonly string[], ...flags: string[]): Promise<{ out: string; code: number }> {
  const path = await saved(lines)
  const cmd = [...spawned, "replay", path, ...flags]
  const child = Bun.spawn(cmd, { cwd: root, env: cleanEnvironment(home), stdio: ["ignore", "pipe", "pipe"] })
  opened(() => child.kill())
  const [out, code] = await Promise.all([child.stdout.text(), child.exited])
  return { out: out.replaceAll(path, "RECORDING"), code }
}

const said = (seq: number, name: string, data: object): string =>
  JSON.stringify({ kind: "event", seq, ts: 1_000 + seq * 100, event: name, data })

const poet = { invokeid: "poet", "session-id": "s1", model: "m" }

const played = [
  said(0, "runner/started", { "chart-id": ":haiku/chart" }),
  said(1, "llm/start", poet),
  said(2, "llm/response", { ...poet, content: [{ type: "text", text: "Snow" }], "stop-reason": "end_turn" }),
  said(3, "runner/done", { status: "done" }),
]
const rows = [
  ...["+00:00.000 chart: started :haiku/chart", "+00:00.100 poet: start m", "+00:00.200 poet: said end_turn"],
  ...["  Snow", "+00:00.300 chart: done"],
]

test("a recording ends quietly with 0 once nobody reads it, in a pipe and in the middle of a long run", async () => {
  const long = Array.from({ length: 5000 }, (_, i) => said(i + 4, "llm/user-message", { ...poet, text: `row ${i}` }))
  const path = await saved([...played, ...long])
  for (const timing of ["instant", "paced"]) {
    const shell = '"$@" </dev/null | head -n 3; exit $PIPESTATUS'
    const child = Bun.spawn(["bash", "-c", shell, "sh", ...spawned, "replay", path, "--plain", "--timing", timing], {
      ...{ cwd: root, env: cleanEnvironment(home), stdio: ["ignore", "pipe", "pipe"] },
    })
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect([out.trimEnd().split("\n").length, err, await child.exited]).toEqual([3, "", 0])
  }
})

test("a recording is printed in its times, up to --at, and up to where --pause-at pauses, and is left", async () => {
  const ended = { out: ["recording: RECORDING", ...rows, "recording: ended", ""].join("\n"), code: 0 }
  expect(await tell(played, "--timing", "wallclock")).toEqual(ended)
  const upTo = async (...flags: string[]) => (await tell(played, ...flags)).out.split("\n").slice(1, -2)
  expect(await upTo("--at", "1")).toEqual(rows.slice(0, 2))
  const paused = "sidecar: Breakpoint event=llm/response: paused at frame 3"
  expect(await upTo("--timing", "paced", "--pause-at", "event=llm/response")).toEqual([...rows.slice(0, 4), paused])
})
