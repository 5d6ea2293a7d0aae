// Plays an agent that starts the screen itself, and ends it as Escapement does (docs/contract.md section 1).
import { join } from "node:path"
import { startScreen } from "../../src/agent/screen-process.ts"
import { startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { systemClock } from "../../src/transport/clock.ts"

/** From a quit to the signal that ends a screen which has not left by then, ms. */
const QUIT_MS = 1500

const home = process.env.HOME ?? ""
const agent = await startAgent({ recording: process.argv.slice(2), speed: 0, debug: "paused", as: "escapement" })
await Bun.write(join(home, "url"), agent.url)
const about = { url: agent.url, token: null, chart: "tournament", sessionId: "session/889d14f8", sessionDir: home }
const screen = startScreen(about, systemClock)
void agent.done.then(() => systemClock.after(QUIT_MS, screen.close))
const code = await screen.exited
await agent.stop()
process.exit(code === 0 ? 0 : 130)
