// Keeps the bookmarks of a run in its file, and reads those that were kept of it before.
import type { ReceivedFrame } from "../../transport/message.ts"
import { sessionDirectoryOf } from "../../transport/recording-path.ts"
import type { Bookmark } from "../../view/bookmark.ts"
import type { RunContext } from "../run-context.ts"
import { BookmarkFile } from "./bookmark-file.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export class Bookmarks {
  readonly handlers: HandlersOf<"bookmarks/write"> = {
    "bookmarks/write": ({ bookmarks }) => void this.#file.write(bookmarks),
  }
  readonly #context: RunContext
  /** The recording that is replayed; null for a live run. */
  readonly #recording: string | null
  readonly #file: BookmarkFile

  constructor(context: RunContext, directory: string, recording: string | null) {
    this.#context = context
    this.#recording = recording
    this.#file = new BookmarkFile(directory, why => context.tell(`Bookmarks are not kept: ${why}`))
  }

  /** Reads the bookmarks as soon as the run can be named: by its session id, or by the first line of its recording. */
  folded(frames: readonly ReceivedFrame[]): void {
    const { store, ask } = this.#context
    const { sessionId } = store.get().run.chart
    const known = (list: readonly Bookmark[]): void => ask({ type: "bookmarks/known", list })
    this.#file.name(this.#recording === null ? sessionId : (frames[0]?.text ?? null), known)
    // A recording has the bookmarks of its live run too, but the rows of a transcript are numbered differently.
    if (this.#recording !== null && sessionDirectoryOf(this.#recording) === null) this.#file.also(sessionId, known)
  }
}
