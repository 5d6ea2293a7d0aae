// Looks for a text in the files of this run, or of all runs beside it, and tells what it finds while it looks.
import { basename, dirname, join, resolve } from "node:path"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { findRuns } from "../../search/find-runs.ts"
import type { SearchHit } from "../../search/search-hit.ts"
import type { RunPlace } from "../../search/search-options.ts"
import { searchRun } from "../../search/search-run.ts"
import { describeFileError } from "../../transport/recording-path.ts"
import type { Action } from "../../view/action.ts"
import { type FoundText, MOST_FOUND, type SearchScope } from "../../view/search-results.ts"

/** What was found is told at most this often, ms. */
const TELL_MS = 100

export interface RunSearchOptions {
  /** Where the lines of this run are; null where they are in no file. */
  readonly recording: () => string | null
  /** Its session directory, null where it has none. */
  readonly directory: string | null
  readonly dispatch: (action: Action) => void
}

/** Searches one text at a time: a new one ends the one before. Nothing here throws or rejects. */
export class RunSearch {
  readonly #options: RunSearchOptions
  #abort = new AbortController()

  constructor(options: RunSearchOptions) {
    this.#options = options
  }

  hunt(text: string, scope: SearchScope): void {
    this.stop()
    this.#abort = new AbortController()
    void this.#run(text, scope, this.#abort.signal)
  }

  stop(): void {
    this.#abort.abort()
  }

  async #run(text: string, scope: SearchScope, signal: AbortSignal): Promise<void> {
    const hits: FoundText[] = []
    let why: string | null = null
    let toldAt = performance.now()
    const tell = (isOver: boolean): void => {
      if (signal.aborted) return
      toldAt = performance.now()
      this.#options.dispatch({ type: "hunted", change: { hits: [...hits], why, isOver } })
    }
    const complain = (words: string): void => {
      why = words
    }
    const options = { text, filter: null, zone: 0, complain, signal }
    const look = async (place: RunPlace, run: FoundText["run"]): Promise<void> => {
      try {
        for await (const hit of searchRun(place, options)) {
          if (hits.length >= MOST_FOUND || signal.aborted) return
          hits.push(foundOf(hit, run))
          if (performance.now() - toldAt >= TELL_MS) tell(false)
        }
      } catch (error) {
        complain(`${sanitizeLine(place.recording)}: ${describeFileError(error)}`)
      }
    }
    const { directory } = this.#options
    const recording = this.#options.recording()
    if (recording !== null) await look({ recording, directory }, null)
    else complain("The lines of this run are in no file")
    if (scope === "runs") {
      for (const run of await this.#others(complain)) {
        if (hits.length >= MOST_FOUND || signal.aborted) break
        await look(run, { title: sanitizeLine(run.name), directory: run.directory })
      }
    }
    tell(true)
  }

  /** The runs beside this one, those that changed last first. */
  async #others(complain: (why: string) => void): Promise<readonly (RunPlace & { name: string; directory: string })[]> {
    const own = this.#options.directory
    if (own === null) {
      complain("This run has no session directory: no other stands beside it")
      return []
    }
    const root = dirname(resolve(own))
    const found = await findRuns(root)
    if ("error" in found) {
      complain(`${sanitizeLine(root)}: ${found.error}`)
      return []
    }
    for (const why of found.closed) complain(why)
    return found.runs
      .filter(run => run.directory !== join(root, basename(resolve(own))))
      .toSorted((a, b) => b.changedAt - a.changedAt)
  }
}

function foundOf(
  { who, invokeid, sessionId, turn, what, file, line, excerpt, from, to }: SearchHit,
  run: FoundText["run"],
): FoundText {
  return { run, who, invokeid, sessionId, turn, what, file, line, excerpt, from, to }
}
