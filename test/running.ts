// Checks whether a process still runs, and how much memory it has taken.
import { readFileSync } from "node:fs"

/** False for a process that is gone, and for a zombie (if /proc is available). */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = await Bun.file(`/proc/${pid}/stat`)
    .text()
    .catch(() => "")
  return !/\) Z /.test(stat)
}

/**
 * The resident memory of a running process at most so far, MB. Its resource usage would be no use: that begins with
 * what the process of this test takes.
 */
export const mostMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1000
