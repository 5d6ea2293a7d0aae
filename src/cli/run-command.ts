// Runs the commands that need no screen, and returns their exit codes.
import { homedir } from "node:os"
import { join } from "node:path"

import { InputError } from "../../packages/wire/src/files/recording-path.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { printError } from "../ui/standard-streams.ts"
import { complain, parseSubjects, unknownCommand } from "./command-arguments.ts"
import { exportOutput, standardOutput } from "./command-output.ts"
import { type Environment, HOOK_OPTIONS } from "./option-table.ts"
import type { Options } from "./options.ts"
import { stateDirectory } from "./screen-options.ts"

type ScreenlessOptions = Exclude<Options, { command: "watch" | "demo" | "home" | "config" | "tee" }>

/** The exit code: 2 if the input can't be used, which is then said on stderr. */
export async function runCommand(options: ScreenlessOptions): Promise<number> {
  try {
    return await run(options)
  } catch (error) {
    if (error instanceof InputError) return complain(options.command, error.message)
    throw error
  }
}

async function run(options: ScreenlessOptions): Promise<number> {
  if ("args" in options) return await (await COMMANDS[options.command]())(options.args, options.env)
  switch (options.command) {
    case "wrong":
      printError(sanitize(`opentui-sidecar: ${options.why}\n`))
      return 2
    case "help": {
      const { helpText } = await import("./manual/help.ts")
      const text = helpText(options.about)
      if (text === null) throw new InputError(unknownCommand(options.about ?? ""))
      return await print(text)
    }
    case "completion": {
      const { completion } = await import("./manual/completion.ts")
      return await print(completion(options.shell))
    }
    case "version":
      return await print(`${await version()}\n`)
    case "doctor":
      return (await import("./doctor-command.ts")).doctorCommand(options.screen, options.terminal)
  }
}

type OwnCommand = Extract<ScreenlessOptions, { readonly args: unknown }>["command"]
type Command = (args: readonly string[], env: Environment) => Promise<number>

/** The commands with options of their own, each loaded only when it runs. */
const COMMANDS: { readonly [name in OwnCommand]: () => Promise<Command> } = {
  agent: async () => (await import("./agent-command.ts")).agentCommand,
  check: async () => (await import("./check/check-command.ts")).checkCommand,
  compare: async () => (await import("./compare-command.ts")).compareCommand,
  export: async () => (await import("./export-command.ts")).exportCommand,
  fold: async () => (await import("./fold-command.ts")).foldCommand,
  hook: async () => hookCommand,
  ledger: async () => (await import("./ledger-command.ts")).ledgerCommand,
  search: async () => (await import("./search-command.ts")).searchCommand,
}

/** Runs the hook for Claude Code, or prints its settings. Returns 0: any other code would be an answer. */
async function hookCommand(args: readonly string[], env: Environment): Promise<number> {
  const { print: prints } = parseSubjects(args, HOOK_OPTIONS, "no argument", true).values
  const { hookDecision, hookSettings } = await import("../hook/hook-client.ts")
  if (prints === true) return await print(hookSettings("opentui-sidecar hook"))
  const claude = env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude")
  const place = { stateDir: stateDirectory(env), claude, pid: env.CLAUDE_PID ?? "" }
  await exportOutput().write(await hookDecision(await Bun.stdin.text(), place).catch(() => ""))
  return 0
}

async function version(): Promise<string> {
  const { default: description } = await import("../../package.json")
  return description.version
}

async function print(text: string): Promise<number> {
  await standardOutput().write(sanitize(text))
  return 0
}
