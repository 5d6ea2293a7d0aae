// The composition root: opens a surface and a run, shows the run and starts it.
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { describeFileError, InputError } from "../../packages/wire/src/files/recording-path.ts"
import { sanitize, sanitizeFault } from "../../packages/wire/src/sanitize.ts"
import {
  type HomeOptions,
  type Options,
  ownDirectory,
  readNamedOptions,
  type WatchOptions,
  withTermFallback,
} from "../cli/options.ts"
import { guestName } from "../guest/guest-source.ts"
import type { Surface } from "../screen/surface.ts"
import { removeStaleSpools, spoolDirectory } from "../timeline/spool.ts"
import { systemClock } from "../transport/clock.ts"
import { printError } from "../ui/standard-streams.ts"
import { keyboard, loadSurface } from "./load-surface.ts"
import { openSource, StartError } from "./open-source.ts"
import { RunSession } from "./run-session.ts"
import { spawnerGoneMessage, watchSpawner, watchTerminal } from "./spawner.ts"

/** The exit code of a program whose terminal is gone, as after SIGHUP. */
const HUNG_UP = 129
/** The exit code if a command can't be started, as of a shell. */
const NOT_STARTED = 127
const NO_ANSWER = 3

/** Where a run is shown: a fault must end that run before it ends the process. */
let shown: Surface | null = null

/** Shows a run, live or recorded, until the person leaves or the agent that started us ends. */
async function watch(options: Omit<WatchOptions, "command">, isOwnAgent = false): Promise<void> {
  const { source, screen, spawner, sessionDir, record, timeoutMs } = options
  const keys = source.type === "run" ? keyboard(screen.plain) : process.stdin
  const openSurface = await loadSurface(screen.plain || keys === null)
  // Opened before the terminal is taken, so that a guest's command which can't be started is reported to the shell.
  const asks = source.type === "replay" && source.parser !== null && !screen.readOnly && !screen.plain
  const desk = asks ? await (await import("../hook/hook-desk.ts")).HookDesk.open(screen.stateDir) : null
  const opened = await openSource(source, screen, undefined, desk)
  if (screen.plain)
    process.stdout.once("error", fault => {
      if (errorCode(fault) !== "EPIPE") endWith(fault)
    })
  const surface = await withTermFallback(screen.colors, () =>
    openSurface({ ...screen, ...systemClock, keys, isSpawned: spawner !== null }),
  )
  shown = surface
  const isAttached = spawner === null && !isOwnAgent && source.type === "live"
  const run = new RunSession({ opened, screen, sessionDir, record, surface, isAttached })
  surface.show(run)
  if (spawner !== null) watchSpawner(spawner.pid, () => surface.leave(0, sanitize(spawnerGoneMessage(spawner))))
  watchTerminal(() => surface.leave(HUNG_UP))
  if (timeoutMs !== null) run.leaveUnlessAnswered(timeoutMs, NO_ANSWER)
  // Draws the first picture before the run is read, because reading blocks the event loop for longer.
  await new Promise(turn => setImmediate(turn))
  await run.start()
}

/** Shows the runs below a directory; without a screen prints them, unless there is an agent to attach to. */
async function watchHome(options: HomeOptions): Promise<void> {
  const { screen, url, attaches, piped, asJson } = options
  if (screen.plain || asJson) {
    const { answers } = await import("../transport/look.ts")
    if (!asJson && !piped && attaches && (await answers(url)))
      return act(options.open({ type: "agent", url, directory: null }))
    const { sessionsCommand } = await import("../cli/sessions-command.ts")
    const { keptRuns } = await import("./kept-runs.ts")
    process.exitCode = await sessionsCommand(options, screen.prices, keptRuns(screen.stateDir))
    return
  }
  const [openSurface, { HomeSession }] = await Promise.all([loadSurface(false), import("./home-session.ts")])
  const how = { ...screen, ...systemClock, keys: process.stdin, isSpawned: false }
  const surface = await withTermFallback(screen.colors, () => openSurface(how))
  watchTerminal(() => surface.leave(HUNG_UP))
  await new HomeSession(options, surface).start()
}

/** Runs the command given by the words and the environment. */
export function main(words: readonly string[]): Promise<void> {
  // The runtime would print an uncaught fault unsanitized, and keep running. A screen handles faults itself.
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, endWith)
  removeStaleSpools(spoolDirectory(ownDirectory()))
  return readNamedOptions(words).then(actUnlessMistaken).catch(endWith)
}

/** Refuses mistaken keys in the config file, unless an agent started us. */
async function actUnlessMistaken(options: Options): Promise<void> {
  const isSpawned = options.command === "watch" && options.spawner !== null
  if ("screen" in options && options.screen.config.keys.size > 0 && !isSpawned) {
    const { configuredKeys } = await import("./configured-keys.ts")
    const [why] = configuredKeys(options.screen.config).mistakes
    if (why !== undefined) return act({ command: "wrong", why })
  }
  return act(options)
}

/** Ends the process and reports the fault, after the terminal was given back. A second fault ends it at once. */
function endWith(fault: unknown): void {
  const code = fault instanceof StartError ? NOT_STARTED : 1
  const isOutput = fault instanceof Error && "syscall" in fault && fault.syscall === "write"
  const isInput = fault instanceof InputError
  const words = isInput ? fault.message : isOutput ? describeFileError(fault, "can't be written") : sanitizeFault(fault)
  const surface = shown
  shown = null
  if (surface !== null) {
    surface.leave(code, sanitize(words))
    return
  }
  process.once("exit", () => printError(sanitize(`opentui-sidecar: ${words}\n`)))
  process.exit(code)
}

/** Passes on the messages of an editor and its agent. The exit code of a command that can't be started is a shell's. */
async function tee({ agent, records, keeps }: Extract<Options, { command: "tee" }>): Promise<number> {
  if (records) {
    const [{ recordTraffic }, kept] = await Promise.all([import("../guest/tee-recorder.ts"), import("./kept-runs.ts")])
    await recordTraffic(guestName(agent), process.stdin, kept.keptLines(ownDirectory(), agent, keeps))
    return 0
  }
  try {
    return await (await import("../guest/acp-tee.ts")).acpTee(agent)
  } catch (error) {
    printError(sanitize(`opentui-sidecar acp-tee: ${describeFileError(error, "can't be started")}\n`))
    return NOT_STARTED
  }
}

async function act(options: Options): Promise<void> {
  if (options.command === "watch") {
    await watch(options)
  } else if (options.command === "demo") {
    const { source, sessionDir } = await (await import("./handlers/home-handlers.ts")).playedDemo()
    await watch({ ...options, source, spawner: null, sessionDir, timeoutMs: null }, true)
  } else if (options.command === "home") {
    await watchHome(options)
  } else if (options.command === "tee") {
    process.exitCode = await tee(options)
  } else if (options.command === "config") {
    process.exitCode = await (await import("./config-command.ts")).configCommand(options)
  } else {
    const { runCommand } = await import("../cli/run-command.ts")
    process.exitCode = await runCommand(options)
  }
}
