// Copies a text with the clipboard tool of this machine, which, unlike a terminal, says whether it did.
import { childEnvironment } from "../../transport/child-environment.ts"

/** Ms after which a tool that still runs is given up. */
const TOOL_MS = 2_000

type Environment = ReturnType<typeof childEnvironment>

/** The tools of each desktop, the usual tool first. */
const TOOLS: readonly (readonly [isThere: (env: Environment) => unknown, command: readonly string[]])[] = [
  [() => process.platform === "darwin", ["pbcopy"]],
  [env => env.WAYLAND_DISPLAY, ["wl-copy"]],
  [env => env.DISPLAY, ["xclip", "-selection", "clipboard"]],
  [env => env.DISPLAY, ["xsel", "--clipboard", "--input"]],
]

/**
 * Gives a text to the first tool that is there. Returns the tool's name; null if there is none, it failed, or the
 * program runs over ssh, where this machine's clipboard is not the person's.
 */
export async function copyLocally(text: string): Promise<string | null> {
  const env = childEnvironment()
  if (env.SSH_CONNECTION) return null
  const [, command] = TOOLS.find(([isThere, [name = ""]]) => isThere(env) && Bun.which(name) !== null) ?? []
  if (command === undefined) return null
  const options = { env, stdin: Buffer.from(text), stdout: "ignore", stderr: "ignore", timeout: TOOL_MS } as const
  const code = await Bun.spawn([...command], options).exited
  return code === 0 ? (command[0] ?? null) : null
}
