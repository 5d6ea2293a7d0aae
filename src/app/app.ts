// The composition root: opens what a run is shown on, opens the run, shows it and starts it.
import { type Options, readOptions, withTermFallback } from "../cli/options.ts"
import { agentGoneMessage, end, endOnFault } from "./exit-messages.ts"
import { keyboard } from "./keyboard.ts"
import { loadSurface } from "./load-surface.ts"
import { openSource } from "./open-source.ts"
import { watchParent } from "./parent.ts"
import { RunSession } from "./run-session.ts"

type WatchOptions = Omit<Extract<Options, { readonly command: "watch" }>, "command">

/** Shows a run, live or recorded, until the person leaves or the agent that started us dies. */
async function watch({ source, screen, spawner, sessionDir, record }: WatchOptions): Promise<void> {
  const keys = source.type === "run" ? keyboard(screen.plain) : process.stdin
  const openSurface = await loadSurface(screen.plain || keys === null)
  // Before the terminal is taken, since a guest's command that cannot be started is reported to the shell.
  const opened = await openSource(source, screen.stateDir)
  const surface = await withTermFallback(screen.colors, () => openSurface({ ...screen, keys, now: Date.now }))
  const run = new RunSession({ opened, screen, sessionDir, record, surface, keys })
  surface.show(run)
  if (spawner !== null) watchParent(spawner.pid, () => surface.leave(0, agentGoneMessage(spawner)))
  await run.start()
}

/** Runs the command that the words and the environment ask for. */
export function main(words: readonly string[]): Promise<void> {
  endOnFault()
  return act(readOptions(words)).catch(end)
}

async function act(options: Options): Promise<void> {
  if (options.command === "watch") {
    await watch(options)
  } else if (options.command === "demo") {
    const { demoAgent } = await import("../cli/demo-command.ts")
    const { agent, sessionDir } = await demoAgent()
    const source = { type: "live", url: agent.url, token: null } as const
    await watch({ ...options, source, spawner: null, sessionDir })
  } else if (options.command === "sessions") {
    const { sessionsCommand } = await import("../cli/sessions-command.ts")
    const chosen = await sessionsCommand(options.root)
    if (typeof chosen === "string") await act(options.open(chosen))
    else process.exitCode = chosen
  } else {
    const { runCommand } = await import("../cli/run-command.ts")
    process.exitCode = await runCommand(options)
  }
}
