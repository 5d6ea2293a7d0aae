// Runs a part of the nightly run, and reports its progress and each failure at once.
export type Part = (told: {
  /** Said aloud now and then. */
  readonly progress: (words: string) => void
  /** Said aloud at once, and counted. */
  readonly wrong: (words: string) => void
}) => Promise<void>

/** One line to whoever reads. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Resident memory of this process, MB. */
export const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1e6)
