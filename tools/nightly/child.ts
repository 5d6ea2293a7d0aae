// Runs the command as a person does, and measures the memory and the time that it took.
import { join } from "node:path"
import type { Ran } from "../../test/cli/ran.ts"
import { root } from "../../test/fixtures.ts"
import { cleanEnvironment } from "../../test/pty/terminal.ts"

/** MB of resident memory that no command may exceed, whatever it reads. */
export const MOST_CHILD_MB = 1500

/** Ms between two looks. */
const LOOK_MS = 50

export interface Measured {
  readonly ran: Ran
  /** The most resident memory that it had, MB. */
  readonly mb: number
  readonly seconds: number
}

/** Runs `opentui-sidecar` with these arguments in a clean environment, without a terminal. */
export async function limited(args: readonly string[], cwd: string): Promise<Measured> {
  const began = performance.now()
  const child = Bun.spawn([join(root, "bin/opentui-sidecar"), ...args], {
    cwd,
    env: cleanEnvironment(cwd),
    stdio: ["ignore", "pipe", "pipe"],
  })
  let kb = 0
  const watching = setInterval(async () => {
    kb = Math.max(kb, await mostResident(child.pid))
  }, LOOK_MS)
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  clearInterval(watching)
  return {
    ran: { code, out, err },
    mb: Math.round(kb / 1024),
    seconds: Math.round((performance.now() - began) / 100) / 10,
  }
}

/** KB of resident memory at most so far; what a child is said to have used at its end counts what its parent had when it began. */
export async function mostResident(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => "")
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0)
}
