// Starts the scripted agent on the recording that comes with the package.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Agent, startAgent } from "../agent/agent.ts"
import { temporaryLog } from "../agent/inbound.ts"

/** An agent with a debugger attached, which plays the demo run once somebody watches. What it writes goes with the process. */
export async function demoAgent(): Promise<{ readonly agent: Agent; readonly sessionDir: string }> {
  const recording = fileURLToPath(new URL("../../fixtures/frames/demo.jsonl", import.meta.url))
  const { directory, path } = temporaryLog()
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
  const sessionDir = join(directory, "session")
  return { agent: await startAgent({ recording, logPath: path, sessionDir, debug: true, hold: true }), sessionDir }
}
