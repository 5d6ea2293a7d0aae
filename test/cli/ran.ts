// Runs the command, or another, as a process and returns its output and exit code.
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { cleanEnvironment } from "../pty/terminal.ts"

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a program to its end; nothing of the test's environment is seen. */
export async function run(cmd: readonly string[], cwd: string, env: Record<string, string>): Promise<Ran> {
  const child = Bun.spawn([...cmd], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

/** Runs `opentui-sidecar` in a clean environment, without a terminal. `before` is a command that starts it. */
export function sidecar(
  args: readonly string[],
  options: { readonly cwd: string; readonly before?: readonly string[]; readonly env?: Record<string, string> },
): Promise<Ran> {
  const { before = [], cwd, env } = options
  return run([...before, join(root, "bin/opentui-sidecar"), ...args], cwd, { ...cleanEnvironment(cwd), ...env })
}
