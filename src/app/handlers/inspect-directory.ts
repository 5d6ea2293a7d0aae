// Looks at the session directory for the inspector, and tells the store what it found.
import { sanitize, sanitizeLine } from "../../protocol/sanitize.ts"
import { listArtifacts } from "../../session-dir/artifacts.ts"
import { CaptureReader } from "../../session-dir/capture-file.ts"
import type { FileTail } from "../../session-dir/file-tail.ts"
import type { SessionDirectory } from "../../session-dir/session-directory.ts"
import type { SourceLine } from "../../transport/line-splitter.ts"
import type { Action } from "../../view/action.ts"
import { AGENT_LOG, type DirectoryRead, LOG_UNITS } from "../../view/directory-files.ts"

/** Bytes of a file that are shown. */
const MOST_BYTES = 4 * 1024 * 1024

/** How often artifacts are listed while their list is shown, and how old their ages may get, ms. */
const LIST_MS = 2000
const AGE_MS = 30_000

/** The inspector's eyes on one session directory. What it is asked for comes later, as actions. */
export class DirectoryInspection {
  readonly #directory: SessionDirectory
  readonly #tell: (action: Action) => void
  readonly #captures: CaptureReader
  #tail: FileTail | null = null
  #timer: ReturnType<typeof setInterval> | undefined
  #isListing = false
  #listed = ""

  constructor(directory: SessionDirectory, tell: (action: Action) => void) {
    this.#directory = directory
    this.#tell = tell
    this.#captures = new CaptureReader(directory, (ref, captured) => tell({ type: "captured", ref, captured }))
  }

  look(wish: DirectoryRead): void {
    switch (wish.read) {
      case "captures":
        this.#captures.read(wish.refs)
        return
      case "artifacts":
        this.#watch(wish.on)
        return
      case "file":
        void this.#open(wish.name, wish.title)
        return
      case "log":
        this.#follow(wish.on)
        return
    }
  }

  stop(): void {
    this.#watch(false)
    this.#tail?.stop()
  }

  #watch(on: boolean): void {
    clearInterval(this.#timer)
    this.#listed = ""
    if (!on) return
    this.#timer = setInterval(() => void this.#list(), LIST_MS)
    this.#timer.unref()
    void this.#list()
  }

  /** Tells of the artifacts where they are others than before, or were told so long ago that their age is another. */
  async #list(): Promise<void> {
    if (this.#isListing) return
    this.#isListing = true
    const { value = null, error = null } = await listArtifacts(this.#directory)
    this.#isListing = false
    const listed = JSON.stringify([value, error, Math.floor(Date.now() / AGE_MS)])
    if (listed === this.#listed) return
    this.#listed = listed
    this.#tell({ type: "files", change: { artifacts: value, artifactsAt: Date.now(), artifactsWhy: error } })
  }

  async #open(name: string, title: string): Promise<void> {
    const { value: piece, error = null } = await this.#directory.read(name, 0, MOST_BYTES)
    const isBinary = piece?.text.slice(0, 8192).includes("\0") === true
    const text = piece === undefined || isBinary ? null : sanitize(piece.text)
    const why = isBinary ? `${title}: not a text` : error
    const isCut = piece !== undefined && piece.end < piece.size
    this.#tell({ type: "files", change: { open: { name, title, text, why, isCut } } })
  }

  #follow(on: boolean): void {
    this.#tail?.stop()
    this.#tail = null
    this.#tell({ type: "files", change: { log: null, logWhy: null } })
    if (!on) return
    const tell = (lines: readonly SourceLine[]) => this.#tell({ type: "logged", lines: lines.map(shown) })
    this.#tail = this.#directory.follow(
      AGENT_LOG,
      {
        lines: ({ lines }) => tell(lines),
        restart: () => this.#tell({ type: "files", change: { log: null } }),
        failed: why => this.#tell({ type: "files", change: { logWhy: why } }),
      },
      { lastBytes: LOG_UNITS },
    )
  }
}

function shown(line: SourceLine): string {
  return sanitizeLine(typeof line === "string" ? line : `${line.head}…`)
}
