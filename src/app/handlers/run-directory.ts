// Reads the session directory of a run, for the inspector and for exports.
import type { Captured } from "../../protocol/capture.ts"
import { readCapture } from "../../session-dir/capture-file.ts"
import { SessionDirectory } from "../../session-dir/session-directory.ts"
import type { Store } from "../../view/store.ts"
import type { HandlersOf } from "./effect-handlers.ts"
import { DirectoryInspection } from "./inspect-directory.ts"

/** A run's directory. Until it is open, and where it cannot be opened, there is nothing in it. */
export class RunDirectory {
  readonly handlers: HandlersOf<"directory/read"> = {
    "directory/read": ({ request: wish }) => this.#inspection?.look(wish),
  }
  readonly #store: Store
  #directory: SessionDirectory | null = null
  #inspection: DirectoryInspection | null = null
  #isClosed = false

  constructor(store: Store) {
    this.#store = store
  }

  /** Opens it at `path`, and puts into the state how that went; null where it cannot be opened. */
  async open(path: string): Promise<SessionDirectory | null> {
    const { error = null, value: directory = null } = await SessionDirectory.open(path)
    if (this.#isClosed) return null
    this.#directory = directory
    if (directory !== null) this.#inspection = new DirectoryInspection(directory, this.#store.dispatch)
    this.#store.dispatch({ type: "directory", directory: { path: directory?.path ?? path, error } })
    return directory
  }

  /** A file of it as text, null where there is none that may be read, or it has more bytes than that. */
  async text(name: string, bytes: number): Promise<string | null> {
    const { value = null } = (await this.#directory?.read(name, 0, bytes)) ?? {}
    return value === null || value.end < value.size ? null : value.text
  }

  /** The capture that an `io/ref` names, or why there is none. Never rejects. */
  async capture(ref: string): Promise<Captured> {
    const directory = this.#directory
    return directory === null ? { why: "no session directory" } : readCapture(directory, ref)
  }

  /** The path of a file of it; null where there is none that may be opened. */
  async find(name: string): Promise<string | null> {
    return (await this.#directory?.stat(name))?.value?.path ?? null
  }

  close(): void {
    this.#isClosed = true
    this.#inspection?.stop()
  }
}
