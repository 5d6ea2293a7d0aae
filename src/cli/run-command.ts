// Runs the commands that need no screen, and returns their exit codes.
import { sanitize } from "../protocol/sanitize.ts"
import { InputError } from "../transport/recording-path.ts"
import { printError } from "../ui/standard-streams.ts"
import { complain } from "./command-arguments.ts"
import { standardOutput } from "./command-output.ts"
import { help } from "./help.ts"
import type { Options } from "./options.ts"

type ScreenlessOptions = Exclude<Options, { command: "watch" | "demo" | "home" }>

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
    case "help":
      await standardOutput().write(sanitize(help))
      return 0
    case "version": {
      const { default: description } = await import("../../package.json")
      await standardOutput().write(sanitize(`${description.version}\n`))
      return 0
    }
    case "doctor":
      return (await import("./doctor-command.ts")).doctorCommand(options.screen, options.terminal)
    case "fold":
      return (await import("./fold-command.ts")).foldCommand(options.path, options.at, options.parser)
    case "export":
      return (await import("./export-command.ts")).exportCommand(options.args)
    case "compare":
      return (await import("./compare-command.ts")).compareCommand(options.args)
    case "search":
      return (await import("./search-command.ts")).searchCommand(options.args)
    case "agent":
      return (await import("./agent-command.ts")).agentCommand(options.args)
  }
}
