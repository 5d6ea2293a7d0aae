// Tries many schedules, several at a time, since most of the time is spent waiting.
import { tryOut } from "./trial.ts"

const AT_ONCE = 24

/** The complaints, each with the seed that repeats it; `tried` is told those of a schedule as soon as it is over. */
export async function tryMany(seeds: readonly number[], tried = (_complaints: readonly string[]): void => undefined) {
  const left = [...seeds]
  const complaints: string[] = []
  const work = async (): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const own = (await tryOut(seed)).map(complaint => `seed ${seed}: ${complaint}`)
      complaints.push(...own)
      tried(own)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return complaints
}
