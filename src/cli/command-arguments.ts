// Parses the arguments of commands that have options of their own.
import { type ParseArgsConfig, parseArgs } from "node:util"
import { sanitize, sanitizeLine } from "../protocol/sanitize.ts"
import { printError } from "../ui/standard-streams.ts"

type Flags = NonNullable<ParseArgsConfig["options"]>

/** The options and positionals in `args`, or one line that names the wrong argument. */
export function parseArguments<const T extends Flags>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    return errorLine(error)
  }
}

/** The first line of an error's message, safe to print. */
export function errorLine(error: unknown): string {
  return sanitizeLine(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error))
}

export function unexpected(argument: string): string {
  return `unexpected argument: ${sanitizeLine(argument)}`
}

/** Prints why a command failed, as one line on stderr; returns its exit code. */
export function complain(command: string, why: string, code = 2): number {
  printError(sanitize(`opentui-sidecar ${command}: ${why}\n`))
  return code
}
