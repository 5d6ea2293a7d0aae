// Goes to the terminal in which the session of an agent CLI runs, or tells how to resume a session that runs nowhere.
import { homedir } from "node:os"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { type FoundFile, readSession, type StoreEnvironment, sessionFiles } from "../../stores/list-sessions.ts"
import { terminalOf } from "../../stores/process-state.ts"

/** tmux answers within this time, ms. */
const TMUX_MS = 2000

/**
 * Shows the tmux pane of the session in this file, or copies the command that resumes it if it does not run. Returns
 * the outcome as a sentence. Never rejects.
 */
export async function goToTerminal(
  path: string,
  env: StoreEnvironment,
  copy: (text: string) => boolean,
  home = homedir(),
): Promise<string> {
  const file = (await sessionFiles(env, home)).find(one => one.path === path)
  const session = file === undefined ? null : await readSession(file)
  if (file === undefined || session === null) return "The session is gone"
  const { store } = file
  const pid = await store.process?.(store.root(env, home), session.id)
  if (pid === undefined) return `${file.store.cli} doesn't tell where its sessions run`
  if (pid !== null) return await showProcess(pid, env)
  const command = resumeCommand(file, session.id, session.directory)
  if (command === null) return `${store.cli} has no command to go on with it`
  return copy(command) ? `Copied: ${sanitizeLine(command)}` : `Go on with it by: ${sanitizeLine(command)}`
}

async function showProcess(pid: number, env: StoreEnvironment): Promise<string> {
  const terminal = await terminalOf(pid)
  if (terminal === null) return `It runs without a terminal, as process ${pid}`
  const panes = await tmux("list-panes", "-a", "-F", "#{pane_tty} #{pane_id} #{session_name}:#{window_index}")
  const [, pane, place = ""] =
    panes
      ?.split("\n")
      .map(line => line.split(" "))
      .find(([tty]) => tty === terminal) ?? []
  if (pane === undefined) return `It runs in another terminal, ${terminal}`
  const isInside = Boolean(env.TMUX) && (await tmux("switch-client", "-t", pane)) !== null
  return isInside ? `Went to ${sanitizeLine(place)}` : `It runs in tmux, in ${sanitizeLine(place)} (${terminal})`
}

/** The output of tmux; null where it isn't installed. */
async function tmux(...args: readonly string[]): Promise<string | null> {
  try {
    const child = Bun.spawn(["tmux", ...args], { stdio: ["ignore", "pipe", "ignore"], timeout: TMUX_MS })
    const said = await new Response(child.stdout).text()
    return (await child.exited) === 0 ? said : null
  } catch {
    return null
  }
}

function resumeCommand({ store }: FoundFile, id: string, directory: string | null): string | null {
  const command = store.resume?.(id)
  if (command === undefined) return null
  const words = command.map(quoted).join(" ")
  return directory === null ? words : `cd ${quoted(directory)} && ${words}`
}

/** As one word of a shell. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
