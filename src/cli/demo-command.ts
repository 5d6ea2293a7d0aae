// Starts the scripted agent on the demo recording.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryLog } from "../agent/inbound-log.ts"
import { type Agent, startAgent } from "../scripted-agent/agent.ts"
import { root } from "../transport/package-files.ts"

/** An agent with a debugger that plays the demo once a client attaches. Its files are removed at exit. */
export async function demoAgent(): Promise<{ readonly agent: Agent; readonly sessionDir: string }> {
  const { directory, path } = temporaryLog()
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
  // A file inside the compiled executable can be read, but not opened by path.
  const recording = join(directory, "demo.jsonl")
  await Bun.write(recording, await Bun.file(`${root}fixtures/frames/demo.jsonl`).text())
  const sessionDir = join(directory, "session")
  return { agent: await startAgent({ recording, logPath: path, sessionDir, debug: true, hold: true }), sessionDir }
}
