// Reads the session directory of a run, for the screen, exports and bug reports.
import type { Captured } from "../../../packages/wire/src/capture.ts"
import type { SourceLine } from "../../../packages/wire/src/files/line-splitter.ts"
import { stringifySafe } from "../../../packages/wire/src/json.ts"
import { sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { listArtifacts } from "../../session-dir/artifacts.ts"
import { CaptureReader, readCapture } from "../../session-dir/capture-file.ts"
import { readEdn } from "../../session-dir/edn.ts"
import type { FileTail } from "../../session-dir/file-tail.ts"
import { SessionDirectory } from "../../session-dir/session-directory.ts"
import { sizeWords } from "../../ui/text-width.ts"
import type { Action } from "../../view/action.ts"
import { AGENT_LOG, type DirectoryRead, LOG_UNITS } from "../../view/directory-files.ts"
import type { Store } from "../../view/store.ts"

/** The session directory of a run. It is empty until it is opened, and if it can't be. */
export class RunDirectory {
  #directory: SessionDirectory | null = null
  #inspection: DirectoryInspection | null = null
  #isClosed = false

  constructor(private readonly store: Store) {}

  /** Opens the directory at `path`, and reports the outcome to the store; null if it can't be opened. */
  async open(path: string): Promise<SessionDirectory | null> {
    const { error = null, value: directory = null } = await SessionDirectory.open(path)
    if (this.#isClosed) return null
    this.#directory = directory
    if (directory !== null) this.#inspection = new DirectoryInspection(directory, this.store.dispatch)
    this.store.dispatch({ type: "directory", directory: { path: directory?.path ?? path, error } })
    return directory
  }

  read(request: DirectoryRead): void {
    this.#inspection?.read(request)
  }

  /** A file as text; null if it can't be read or has more than `bytes`. */
  async text(name: string, bytes: number): Promise<string | null> {
    const { value = null } = (await this.#directory?.read(name, 0, bytes)) ?? {}
    return value === null || value.end < value.size ? null : value.text
  }

  /** The capture that an `io/ref` names, or why there is none. Never rejects. */
  async capture(ref: string): Promise<Captured> {
    const directory = this.#directory
    return directory === null ? { why: "no session directory" } : readCapture(directory, ref)
  }

  /** The path of a file; null if it can't be opened. */
  async find(name: string): Promise<string | null> {
    return (await this.#directory?.stat(name))?.value?.path ?? null
  }

  close(): void {
    this.#isClosed = true
    this.#inspection?.stop()
  }
}

/** The most bytes of a file that are shown. */
const MAX_BYTES = 4 * 1024 * 1024
/** How often artifacts are listed while their list is shown, and how often their ages are refreshed, ms. */
const LIST_MS = 2000
const AGE_MS = 30_000

/** Reads the directory for the screen. Results come later, as actions. */
export class DirectoryInspection {
  readonly #captures: CaptureReader
  #tail: FileTail | null = null
  #timer: ReturnType<typeof setInterval> | undefined
  #isListing = false
  /** The file asked for last: one that is read more slowly comes too late. */
  #asked = ""
  #listed = ""

  constructor(
    private readonly directory: SessionDirectory,
    private readonly dispatch: (action: Action) => void,
  ) {
    this.#captures = new CaptureReader(directory, (ref, captured) => dispatch({ type: "captured", ref, captured }))
  }

  read(request: DirectoryRead): void {
    if (request.read === "captures") this.#captures.read(request.refs)
    else if (request.read === "artifacts") this.#watchArtifacts(request.on)
    else if (request.read === "log") this.#followLog(request.on)
    else void this.#open(request.name)
  }

  stop(): void {
    this.#watchArtifacts(false)
    this.#tail?.stop()
  }

  #watchArtifacts(on: boolean): void {
    clearInterval(this.#timer)
    this.#listed = ""
    if (!on) return
    this.#timer = setInterval(() => void this.#list(), LIST_MS)
    this.#timer.unref()
    void this.#list()
  }

  /** Reports the artifacts if they have changed, or if their ages are out of date. */
  async #list(): Promise<void> {
    if (this.#isListing) return
    this.#isListing = true
    const { value = null, error = null } = await listArtifacts(this.directory)
    this.#isListing = false
    const listed = JSON.stringify([value, error, Math.floor(Date.now() / AGE_MS)])
    if (listed === this.#listed) return
    this.#listed = listed
    const { artifacts = null, hasMore: hasMoreArtifacts = false } = value ?? {}
    const change = { artifacts, hasMoreArtifacts, artifactsAt: Date.now(), artifactsWhy: error }
    this.dispatch({ type: "files", change })
  }

  async #open(name: string): Promise<void> {
    this.#asked = name
    const title = sanitizeLine(name.replace(/^artifacts\//, ""))
    const { value: piece, error = null } = await this.directory.read(name, 0, MAX_BYTES)
    const isBinary = piece?.text.slice(0, 8192).includes("\0") === true
    const text = piece === undefined || isBinary ? null : sanitize(await readable(name, piece.text))
    const why = isBinary ? `${title} is binary (${sizeWords(piece.size)}). o opens it` : error
    const isCut = piece !== undefined && piece.end < piece.size
    if (this.#asked === name) this.dispatch({ type: "files", change: { open: { name, title, text, why, isCut } } })
  }

  #followLog(on: boolean): void {
    this.#tail?.stop()
    this.#tail = null
    this.dispatch({ type: "files", change: { log: null, logWhy: null } })
    if (!on) return
    const sink = {
      lines: ({ lines }: { readonly lines: readonly SourceLine[] }) =>
        this.dispatch({ type: "logged", lines: lines.map(shown) }),
      restart: () => this.dispatch({ type: "files", change: { log: null } }),
      failed: (why: string) => this.dispatch({ type: "files", change: { logWhy: why } }),
    }
    this.#tail = this.directory.follow(AGENT_LOG, sink, { lastBytes: LOG_UNITS })
  }
}

/** EDN as indented JSON, since the agent writes it on one line; any other text as it is. */
async function readable(name: string, text: string): Promise<string> {
  const { value } = name.endsWith(".edn") ? await readEdn(text) : {}
  return value === undefined ? text : stringifySafe(value, 2)
}

function shown(line: SourceLine): string {
  return sanitizeLine(typeof line === "string" ? line : `${line.head}…`)
}
