// Searches the files of this run, or of all runs beside it, for a text, and reports hits as they are found.
import { basename, dirname, join, resolve } from "node:path"
import { describeFileError } from "../../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { type Found, type FoundText, MOST_FOUND } from "../../panels/search/search-results.ts"
import type { RunPlace } from "../../search/search-hit.ts"
import type { SearchScope } from "../../view/effect.ts"

const REPORT_MS = 100

export interface RunSearchOptions {
  /** The file that contains the frames of this run; null if there is none. */
  readonly recording: () => string | null
  /** Its session directory; null if it has none. */
  readonly directory: string | null
  readonly report: (found: Found) => void
}

type NamedRun = RunPlace & { readonly name: string; readonly directory: string }

/** Runs one search at a time: a new search ends the last. Nothing throws or rejects. */
export class RunSearch {
  #abort = new AbortController()

  constructor(private readonly options: RunSearchOptions) {}

  search(text: string, scope: SearchScope): void {
    this.close()
    this.#abort = new AbortController()
    void this.#run(text, scope, this.#abort.signal)
  }

  close(): void {
    this.#abort.abort()
  }

  async #run(text: string, scope: SearchScope, signal: AbortSignal): Promise<void> {
    const { searchRun } = await import("../../search/search-run.ts")
    const hits: FoundText[] = []
    let why: string | null = null
    let share = 0
    let reportedAt = performance.now()
    const report = (isOver: boolean): void => {
      if (signal.aborted) return
      reportedAt = performance.now()
      this.options.report({ hits: [...hits], why, share, isOver })
    }
    const warn = (words: string): void => {
      why = words
    }
    const onShare = (now: number): void => {
      share = now
      if (performance.now() - reportedAt >= REPORT_MS) report(false)
    }
    const options = { text, filter: null, zone: 0, warn, signal, onShare }
    const searchIn = async (place: RunPlace, run: FoundText["run"]): Promise<void> => {
      try {
        for await (const hit of searchRun(place, options)) {
          if (hits.length >= MOST_FOUND || signal.aborted) return
          hits.push({ ...hit, run })
          if (performance.now() - reportedAt >= REPORT_MS) report(false)
        }
      } catch (error) {
        warn(`${sanitizeLine(place.recording)}: ${describeFileError(error)}`)
      }
    }
    const { directory } = this.options
    const recording = this.options.recording()
    if (recording !== null) await searchIn({ recording, directory }, null)
    else warn("This run's frames are not in a file")
    if (scope === "runs") {
      for (const run of await this.#others(warn)) {
        if (hits.length >= MOST_FOUND || signal.aborted) break
        await searchIn(run, { title: sanitizeLine(run.name), directory: run.directory })
      }
    }
    report(true)
  }

  /** The runs in the same directory as this run: most recently changed first, huge runs last. */
  async #others(warn: (why: string) => void): Promise<readonly NamedRun[]> {
    const own = this.options.directory
    if (own === null) {
      warn("No session directory, so there are no other runs to search")
      return []
    }
    const { findRuns, searchOrder } = await import("../../search/find-runs.ts")
    const root = dirname(resolve(own))
    const found = await findRuns(root)
    if ("error" in found) {
      warn(`${sanitizeLine(root)}: ${found.error}`)
      return []
    }
    for (const why of found.closed) warn(why)
    return searchOrder(found.runs).filter(run => run.directory !== join(root, basename(resolve(own))))
  }
}
