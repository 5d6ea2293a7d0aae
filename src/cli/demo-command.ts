// Starts the scripted agent on the recording that comes with the package.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryLog } from "../agent/inbound.ts"
import { type Agent, startAgent } from "../scripted-agent/agent.ts"
import { root } from "../transport/package-files.ts"

/** An agent with a debugger attached, which plays the demo run once somebody watches. What it writes goes with the process. */
export async function demoAgent(): Promise<{ readonly agent: Agent; readonly sessionDir: string }> {
  const { directory, path } = temporaryLog()
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
  // What an executable holds can be read whole, and not be opened as a file.
  const recording = join(directory, "demo.jsonl")
  await Bun.write(recording, await Bun.file(`${root}fixtures/frames/demo.jsonl`).text())
  const sessionDir = join(directory, "session")
  return { agent: await startAgent({ recording, logPath: path, sessionDir, debug: true, hold: true }), sessionDir }
}
