// Hosts one run that does not end by itself. Started as a process, to be ended by a signal.
// `ending-host.ts CHART HOW`: HOW is what it does at a signal, "exits" after a moment or "nothing" of its own. One that
// "reloaded" does nothing either, and has a second copy of the adapter.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { execute } from "../src/server/index.ts"
import { openHost } from "./host.ts"

const SERVER_END = join(import.meta.dir, "../src/server/server-end.ts")
const [chart = "", how = ""] = process.argv.slice(2)
const host = openHost()
const source = join(host.cwd, "skill")
mkdirSync(source)
const exit = (signal: string): void => void setTimeout(() => process.exit(signal === "SIGINT" ? 3 : 4), 300)
if (how === "exits") for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, exit)
if (how === "reloaded") {
  const copy: typeof import("../src/server/server-end.ts") = await import(`${SERVER_END}?copy`)
  copy.endWithServer({ drop: () => undefined })
}
const key = "paperclipai/paperclip/paperclip"
const ctx = host.context(chart, { config: { paperclipRuntimeSkills: [{ key, runtimeName: "skill", source }] } })
process.stdout.write(`${join(host.cwd, ".escapement", `paperclip-${ctx.runId}`)}\n`)
await execute(ctx)
