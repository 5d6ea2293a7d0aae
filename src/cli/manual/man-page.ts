// Writes the man page from the table of commands.
import { GENERAL_OPTIONS, type OptionTable } from "../option-table.ts"
import { COMMANDS, EXIT_CODES } from "./commands.ts"
import { optionAbout, optionWords } from "./help.ts"

const PROGRAM = "opentui-sidecar"

/** The page in the language of man (roff). */
export function manPage(version: string): string {
  return [
    `.TH OPENTUI\\-SIDECAR 1 "" "${PROGRAM} ${version}"`,
    `.SH NAME\n${escaped(PROGRAM)} \\- a terminal screen for LLM agents`,
    ".SH SYNOPSIS",
    ...COMMANDS.map(
      ({ name, takes }) => `.B ${escaped([PROGRAM, name].filter(Boolean).join(" "))}\n${text(takes)}\n.br`,
    ),
    ".SH COMMANDS",
    ...COMMANDS.flatMap(({ name, takes, does, more = "", options, examples }) => [
      `.SS ${escaped([PROGRAM, name, takes].filter(Boolean).join(" "))}`,
      text(`${does[0]?.toUpperCase()}${does.slice(1)}.`),
      text(more),
      ...optionLines(options),
      ...examples.map(([line, purpose]) => `.PP\n${text(purpose)}:\n.nf\n    ${escaped(`${PROGRAM} ${line}`)}\n.fi`),
    ]),
    ".SH OPTIONS",
    ...optionLines(GENERAL_OPTIONS),
    ".SH EXIT STATUS",
    ...EXIT_CODES.map(([code, meaning]) => `.TP\n.B ${escaped(code)}\n${text(meaning)}`),
    "",
  ].join("\n")
}

function optionLines(options: OptionTable): readonly string[] {
  return Object.entries(options).map(
    ([name, option]) => `.TP\n.B ${escaped(optionWords(name, option))}\n${text(optionAbout(option))}`,
  )
}

/** A line of text; a period or quote at its beginning would be a request. */
function text(line: string): string {
  return /^[.']/.test(line) ? `\\&${escaped(line)}` : escaped(line)
}

function escaped(line: string): string {
  return line.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("…", "...")
}
