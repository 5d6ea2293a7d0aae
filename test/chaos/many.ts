// Tries many schedules, some at a time: most of the time is spent waiting.
import { tryOut } from "./trial.ts"

const AT_ONCE = 24

/** The complaints, each with the seed that repeats it; `tried` is told after each. */
export async function tryMany(
  seeds: readonly number[],
  tried: (seed: number) => void = () => undefined,
): Promise<readonly string[]> {
  const left = [...seeds]
  const complaints: string[] = []
  const work = async (): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      for (const complaint of await tryOut(seed)) complaints.push(`seed ${seed}: ${complaint}`)
      tried(seed)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return complaints
}
