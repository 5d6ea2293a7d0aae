// Lets a person name the session of an agent CLI by its id where a command takes a recording.
import { existsSync } from "node:fs"
import type { Environment } from "./option-table.ts"

/** The first argument of each command that may be a recording. */
const FIRST: ReadonlyMap<string | undefined, number> = new Map([
  ...["replay", "fold", "export", "compare", "check", "ledger"].map(name => [name, 1] as const),
  ["search", 2],
])

/** The arguments with the path of a session in the place of its id, or of `latest`. A file of that name comes first. */
export async function withSessionPaths(args: readonly string[], env: Environment): Promise<readonly string[]> {
  const first = FIRST.get(args[0])
  if (first === undefined) return args
  // Loaded only for a word that names no file.
  const stores = () => import("../stores/list-sessions.ts")
  const named = args.map(async (word, place) => {
    if (place < first || word.startsWith("-") || existsSync(word)) return word
    return (await (await stores()).sessionFile(word, env)) ?? word
  })
  return Promise.all(named)
}
