// Checks whether a process still runs.
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
