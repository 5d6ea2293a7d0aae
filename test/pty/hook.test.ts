// Tests in a terminal that a session's screen answers what the session's hook asks.
import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { cleanEnvironment, openTerminal } from "./terminal.ts"

const bin = join(root, "bin/opentui-sidecar")
const ID = "8f14e45f-ceea-467f-a8f2-3c5b1d9e7a10"

test("Enter on a session that waits shows its hook's question, and Enter allows it", async () => {
  await using terminal = await openTerminal({ cmd: ["bash", "-c", `read; exec ${bin}`], cols: 100, rows: 30 })
  const { home } = terminal
  const path = join(home, `.claude/projects/-p/${ID}.jsonl`)
  await mkdir(join(home, ".claude/projects/-p"), { recursive: true })
  const message = { role: "user", content: "Mend the lamp" }
  await writeFile(path, `${JSON.stringify({ type: "user", cwd: "/p", sessionId: ID, message })}\n`)
  await terminal.press("\r").waitFor(/RUNS {2}1[\s\S]*Mend the lamp/)
  const child = Bun.spawn([bin, "hook"], {
    env: cleanEnvironment(home),
    stdin: new Blob([
      JSON.stringify({
        ...{ hook_event_name: "PermissionRequest", permission_mode: "default", session_id: ID, transcript_path: path },
        ...{ tool_name: "Bash", tool_input: { command: "touch lamp" } },
      }),
    ]),
    stdout: "pipe",
  })
  try {
    await terminal.press("\r").waitFor(/─ claude asks [\s\S]*touch lamp[\s\S]*Allow/)
    const out = child.stdout.text()
    // The log keeps it; a notice goes with the next key.
    await terminal.press("\r").waitFor(/answer +Allow/)
    expect(JSON.parse(await out).hookSpecificOutput.decision).toMatchObject({ behavior: "allow" })
  } finally {
    child.kill("SIGKILL")
  }
})
