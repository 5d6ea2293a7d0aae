// Writes the completions for bash, zsh and fish from the table of commands.
import type { Option } from "../option.ts"
import { GENERAL_OPTIONS } from "../option-table.ts"
import { choice } from "../option-value.ts"
import { COMMANDS, type CommandEntry, SHELLS } from "./commands.ts"

const PROGRAM = "opentui-sidecar"

/** The script that the shell of this name loads to complete our command line. Throws an InputError that names those. */
export function completion(shell = "(none)"): string {
  return { bash, zsh, fish }[choice("shell", shell, SHELLS)]()
}

const NAMED = COMMANDS.filter(({ name }) => name !== "")
const NAMES = NAMED.map(({ name }) => name)

function startOptions(): readonly (readonly [string, Option])[] {
  const start = COMMANDS.find(({ name }) => name === "")
  return [...Object.entries(start?.options ?? {}), ...Object.entries(GENERAL_OPTIONS)]
}

function bash(): string {
  const words = (options: readonly (readonly [string, Option])[]) => options.map(([name]) => `--${name}`).join(" ")
  return `# Completes ${PROGRAM} in bash.
_opentui_sidecar() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words
  COMPREPLY=()
  case "\${COMP_WORDS[1]} $previous" in
${bashValues().join("\n")}
  esac
  case \${COMP_WORDS[1]} in
${NAMED.map(command => `    ${command.name}) words="${words(Object.entries(command.options))}${bashWords(command)}" ;;`).join("\n")}
    *) words="${words(startOptions())}" ;;
  esac
  if [[ $COMP_CWORD -eq 1 && $current != -* ]]; then words="${NAMES.join(" ")}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current != -* && $COMP_CWORD -gt 1 ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _opentui_sidecar ${PROGRAM}
`
}

function bashWords({ name, words = [] }: CommandEntry): string {
  return [...words, ...(name === "help" ? NAMES : [])].map(word => ` ${word}`).join("")
}

function bashValues(): readonly string[] {
  const all = COMMANDS.flatMap(({ name: command, options }) =>
    Object.entries(options).flatMap(([name, option]: readonly [string, Option]) =>
      option.type === "string" ? [{ command, name, value: bashValue(option) }] : [],
    ),
  )
  const lines = all.map(({ command, name, value }) => {
    const isShared = all.every(other => other.name !== name || other.value === value)
    return `    ${isShared ? '*" ' : `"${command} `}--${name}") ${value}; return ;;`
  })
  return [...new Set(lines)]
}

function bashValue({ values, isPath }: Option): string {
  if (values !== undefined) return `COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$current"))`
  return isPath === true ? 'COMPREPLY=($(compgen -f -- "$current"))' : ":"
}

function zsh(): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const option = ([name, { about, values, takes, isPath, type }]: readonly [string, Option]) => {
    const text = about.replaceAll(/[[\]:\\]/g, "\\$&")
    const value = values === undefined ? (isPath === true ? "_files" : " ") : `(${values.join(" ")})`
    return quoted(`--${name}[${text}]${type === "boolean" ? "" : `:${takes ?? name}:${value}`}`)
  }
  const described = NAMED.map(({ name, does }) => quoted(`${name}:${does.replaceAll(":", "\\:")}`)).join(" ")
  const rest = ({ name, words }: CommandEntry) =>
    name === "help" ? `'1:command:(${NAMES.join(" ")})'` : words ? `'1:word:(${words.join(" ")})'` : "'*:file:_files'"
  return `#compdef ${PROGRAM}
_opentui_sidecar() {
  local -a commands=(${described})
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  local command=$words[2]
  if [[ $command != -* ]]; then
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${NAMED.map(command => `    ${command.name}) _arguments ${[...Object.entries(command.options).map(option), rest(command)].join(" ")} ;;`).join("\n")}
    *) _arguments ${startOptions().map(option).join(" ")} ;;
  esac
}
if [[ $funcstack[1] == _opentui_sidecar ]]; then _opentui_sidecar "$@"; else compdef _opentui_sidecar ${PROGRAM}; fi
`
}

function fish(): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
  const line = (when: string, [name, { about, values, type, isPath }]: readonly [string, Option]) => {
    const value = type === "boolean" ? "" : values ? ` -x -a ${quoted(values.join(" "))}` : isPath ? " -r -F" : " -x"
    return `complete -c ${PROGRAM} -n ${quoted(when)} -l ${name}${value} -d ${quoted(about)}`
  }
  const seen = (name: string) => `__fish_seen_subcommand_from ${name}`
  return [
    `# Completes ${PROGRAM} in fish.`,
    ...NAMED.map(
      ({ name, does }) => `complete -c ${PROGRAM} -n __fish_use_subcommand -f -a ${name} -d ${quoted(does)}`,
    ),
    ...startOptions().map(option => line("__fish_use_subcommand", option)),
    ...NAMED.flatMap(({ name, options }) => Object.entries(options).map(option => line(seen(name), option))),
    ...NAMED.flatMap(({ name, words }) => {
      const choices = name === "help" ? NAMES : words
      return choices ? [`complete -c ${PROGRAM} -n ${quoted(seen(name))} -f -a ${quoted(choices.join(" "))}`] : []
    }),
    "",
  ].join("\n")
}
