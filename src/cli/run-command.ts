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
      const { completion, shellNamed } = await import("./manual/completion.ts")
      return await print(completion(shellNamed(options.shell)))
    }
    case "version":
      return await print(`${await version()}\n`)
    case "doctor":
      return (await import("./doctor-command.ts")).doctorCommand(options.screen, options.terminal)
    case "fold":
      return (await import("./fold-command.ts")).foldCommand(options.args, options.env)
    case "export":
      return (await import("./export-command.ts")).exportCommand(options.args, options.env)
    case "compare":
      return (await import("./compare/compare-command.ts")).compareCommand(options.args, options.env)
    case "check":
      return (await import("./check/check-command.ts")).checkCommand(options.args, options.env)
    case "ledger":
      return (await import("./ledger-command.ts")).ledgerCommand(options.args, options.env)
    case "search":
      return (await import("./search-command.ts")).searchCommand(options.args, options.env)
    case "hook":
      return await hook(parseSubjects(options.args, HOOK_OPTIONS, "no argument", true).values.print, options.env)
    case "agent":
      return (await import("./agent-command.ts")).agentCommand(options.args)
  }
}

/** Runs the hook for Claude Code, or prints its settings. Returns 0: any other code would be an answer. */
async function hook(prints: boolean | undefined, env: Environment): Promise<number> {
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
