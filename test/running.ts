// Checks whether a process still runs.

/** False for a process that is gone, and for one that is dead and only not yet reaped (where /proc can tell). */
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
