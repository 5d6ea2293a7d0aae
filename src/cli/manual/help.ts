// Writes the help of the program and of each command.
import { wrap } from "../../ui/line.ts"
import type { Option, OptionTable } from "../option.ts"
import { GENERAL_OPTIONS } from "../option-table.ts"
import { COMMANDS, type CommandEntry, commandNamed, EXIT_CODES } from "./commands.ts"

const PROGRAM = "opentui-sidecar"
/** Columns of the widest name that is followed by its explanation on the same line. */
const NAME = 36
const COLUMNS = 100

/** The overview, or the help of the command with that name; null if there is none. */
export function helpText(name: string | null): string | null {
  if (name === null) return overview()
  const command = commandNamed(name)
  return command === undefined || command.name === "" ? null : commandHelp(command)
}

/** An option as it is written: `-o, --output FILE`. */
export function optionWords(name: string, { short, takes, values }: Option): string {
  const value = [...(values ?? []), ...(takes === undefined ? [] : [takes])].join("|")
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === "" ? "" : ` ${value}`}`
}

function overview(): string {
  const start = commandNamed("")
  return [
    `${PROGRAM}: a terminal screen for LLM agents\n`,
    ...COMMANDS.map(({ name, takes, does }) => row([PROGRAM, name, takes].filter(Boolean).join(" "), does)),
    "\nOptions:",
    ...optionRows(GENERAL_OPTIONS),
    ...optionRows(start?.options ?? {}),
    "\nVariables of the agent: OPENTUI_WS_URL, OPENTUI_WS_PORT, OPENTUI_WS_TOKEN, OPENTUI_REPLAY\n",
    "Exit codes:",
    ...EXIT_CODES.map(([code, meaning]) => row(`  ${code}`, meaning)),
    `\n${PROGRAM} help COMMAND shows the options of a command, with examples.`,
    "On the screen, ? shows the keys.\n",
  ].join("\n")
}

function commandHelp({ name, takes, does, more = "", options, examples }: CommandEntry): string {
  const rows = optionRows(options)
  return [
    `${PROGRAM} ${name} ${takes}`.trimEnd(),
    `  ${does[0]?.toUpperCase()}${does.slice(1)}.`,
    ...(more === "" ? [] : wrap(more, COLUMNS - 2).map(line => `  ${line}`)),
    ...(rows.length === 0 ? [] : ["\nOptions:", ...rows]),
    "\nExamples:",
    ...examples.map(([line, purpose]) => `  ${PROGRAM} ${line}\n      ${purpose}`),
    "",
  ].join("\n")
}

function optionRows(options: OptionTable): readonly string[] {
  return Object.entries(options).map(([name, option]) => {
    const { about, variable } = option
    return row(`  ${optionWords(name, option)}`, variable === undefined ? about : `${about} (${variable})`)
  })
}

function row(name: string, about: string): string {
  const indent = " ".repeat(NAME)
  const [first = "", ...rest] = wrap(about, COLUMNS - NAME)
  const begin = name.length < NAME ? `${name.padEnd(NAME)}${first}` : `${name}\n${indent}${first}`
  return [begin, ...rest.map(line => `${indent}${line}`)].join("\n")
}
