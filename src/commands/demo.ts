// Starts the scripted agent on the recording that comes with the package.
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Agent, startAgent } from "../agent/agent.ts"
import { temporaryLog } from "../agent/inbound.ts"

/** An agent with a debugger attached, which plays the demo run once somebody watches. Its log goes with the process. */
export function demoAgent(): Promise<Agent> {
  const recording = fileURLToPath(new URL("../../fixtures/frames/demo.jsonl", import.meta.url))
  const { directory, path } = temporaryLog()
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
  return startAgent({ recording, logPath: path, debug: true, hold: true })
}
