// Parses the arguments of commands that have options of their own.
import { parseArgs } from "node:util"
import { InputError } from "../../packages/wire/src/files/recording-path.ts"
import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { nearestWord } from "../query/nearest-word.ts"
import { printError } from "../ui/standard-streams.ts"
import type { OptionTable } from "./option.ts"

/**
 * The options in `args`, and its positionals; null for all, if none are given beside a time, or `mayBeAll`. Throws an
 * InputError that names the wrong argument.
 */
export function parseSubjects<const T extends OptionTable>(
  args: readonly string[],
  options: T,
  expected: string,
  mayBeAll = false,
) {
  const { values, positionals } = parsed(args, options)
  const isAll = positionals.length === 0 && (mayBeAll || "since" in values)
  if (positionals.includes("") || (positionals.length === 0 && !isAll)) throw new InputError(`expected ${expected}`)
  return { values, subjects: isAll ? null : positionals }
}

function parsed<const T extends OptionTable>(args: readonly string[], options: T) {
  try {
    const read = parseArgs({ args: [...args], allowPositionals: true, options })
    for (const [name, value] of Object.entries<unknown>(read.values))
      if (typeof value === "string") options[name]?.check?.(`--${name}`, value)
    return read
  } catch (error) {
    throw new InputError(
      error instanceof InputError ? error.message : errorLine(optionError(error, Object.keys(options))),
    )
  }
}

/** The runtime's error about an option in our words, with the option that was meant; any other error as it is. */
export function optionError(error: unknown, known: readonly string[]): unknown {
  const text = error instanceof Error ? error.message : ""
  const [, valueless, how] = /^Option '(?:-\w, )?(--[\w-]+).* argument (missing|is ambiguous)/.exec(text) ?? []
  if (valueless !== undefined)
    return new Error(
      `${valueless} needs a value${how === "missing" ? "" : `; write one that begins with - as ${valueless}=-1`}`,
    )
  const [, unknown] = /^Unknown option '(-[\w-]+)'/.exec(text) ?? []
  if (unknown === undefined) return error
  const word = unknown.replace(/^-+/, "")
  const nearest = nearestWord(word, known)
  return new Error(`unknown option ${unknown}; ${nearest === word ? "see --help" : `did you mean --${nearest}?`}`)
}

/** The first line of an error's message, safe to print, without the runtime's advice on arguments like `-- "-x"`. */
export function errorLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n")
  return sanitizeLine(line.replace(/\. To specify a positional argument.*$/, ""))
}

/** Prints why a command failed, as one line on stderr; returns its exit code. */
export function complain(command: string, why: string, code = 2): number {
  printError(sanitize(`opentui-sidecar ${command}: ${why}\n`))
  return code
}

export const COMMAND_NAMES: readonly string[] = [
  ...["attach", "replay", "run", "demo", "sessions", "fold", "export", "compare", "check", "search", "ledger"],
  ...["acp-tee", "hook", "agent", "config", "completion", "help"],
]

/** What to say of a word that is no command. */
export function unknownCommand(name: string): string {
  const nearest = nearestWord(name, COMMAND_NAMES)
  return `unknown command ${name}; ${nearest === name ? "see --help" : `did you mean ${nearest}?`}`
}
