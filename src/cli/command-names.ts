// Names the commands, for a word that is none of them.
import { nearestWord } from "../query/nearest-word.ts"

export const COMMAND_NAMES: readonly string[] = [
  ...["attach", "replay", "run", "demo", "sessions", "fold", "export", "compare", "check", "search", "ledger"],
  ...["acp-tee", "hook", "agent", "config", "completion", "man", "help"],
]

/** What to say of a word that is no command. */
export function unknownCommand(name: string): string {
  const nearest = nearestWord(name, COMMAND_NAMES)
  return `unknown command ${name}; ${nearest === name ? "see --help" : `did you mean ${nearest}?`}`
}
