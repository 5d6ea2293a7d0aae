// Reads the session directory of a run, for the screen, exports and bug reports.
import type { Captured } from "../../../packages/wire/src/capture.ts"
import { stringifySafe } from "../../../packages/wire/src/json.ts"
import { sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { listArtifacts } from "../../session-dir/artifacts.ts"
import { CaptureReader, readCapture } from "../../session-dir/capture-file.ts"
import { readEdn } from "../../session-dir/edn.ts"
import { SessionDirectory } from "../../session-dir/session-directory.ts"
import { sizeWords } from "../../ui/text-width.ts"
import type { Action } from "../../view/action.ts"
import { AGENT_LOG, type DirectoryRead } from "../../view/directory-files.ts"
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

  async text(name: string, bytes: number): Promise<string | null> {
    const { value = null } = (await this.#directory?.read(name, 0, bytes)) ?? {}
    return value === null || value.end < value.size ? null : value.text
  }

  /** The capture that an `io/ref` names, or why there is none. Never rejects. */
  async capture(ref: string): Promise<Captured> {
    const directory = this.#directory
    return directory === null ? { why: "no session directory" } : readCapture(directory, ref)
  }

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
/** The end of the agent's log that is shown, bytes, and how often a file that is shown is looked at, ms. */
const LOG_BYTES = 262_144
const LOOK_MS = 500
/** How often artifacts are listed while their list is shown, and how often their ages are refreshed, ms. */
const LIST_MS = 2000
const AGE_MS = 30_000

/** Reads the directory for the screen. Results come later, as actions. */
export class DirectoryInspection {
  readonly #captures: CaptureReader
  #timer: ReturnType<typeof setInterval> | undefined
  #isListing = false
  #fileTimer: ReturnType<typeof setInterval> | undefined
  /** The file asked for last, and its state when it was read. A slower read of another file or state is dropped. */
  #asked = ""
  #stamp = ""
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
    else this.#show(request.name)
  }

  stop(): void {
    this.#watchArtifacts(false)
    this.#show(null)
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

  #show(name: string | null): void {
    clearInterval(this.#fileTimer)
    this.#asked = name ?? ""
    this.#stamp = ""
    if (name === null) return
    this.#fileTimer = setInterval(() => void this.#open(name), LOOK_MS)
    this.#fileTimer.unref()
    void this.#open(name)
  }

  /** Reads a file if it has changed since it was read. */
  async #open(name: string): Promise<void> {
    const { value: found, error: missing = "" } = await this.directory.stat(name)
    const stamp = `${name} ${found?.size} ${found?.changedAt} ${missing}`
    if (this.#asked !== name || this.#stamp === stamp) return
    this.#stamp = stamp
    const title = sanitizeLine(name.replace(/^artifacts\//, ""))
    const isLog = name === AGENT_LOG
    const from = isLog ? Math.max(0, (found?.size ?? 0) - LOG_BYTES) : 0
    const { value: piece, error = null } = await this.directory.read(name, from, MAX_BYTES)
    const isBinary = !isLog && piece?.text.slice(0, 8192).includes("\0") === true
    const whole = from > 0 ? piece?.text.slice(piece.text.indexOf("\n") + 1) : piece?.text
    const text = whole === undefined || isBinary ? null : sanitize(await readable(name, whole))
    const why = isBinary ? `${title} is binary (${sizeWords(piece.size)}). o opens it` : error
    const isCut = piece !== undefined && piece.end < piece.size
    if (this.#stamp === stamp) this.dispatch({ type: "files", change: { open: { name, title, text, why, isCut } } })
  }
}

/** EDN as indented JSON, since the agent writes it on one line; any other text as it is. */
async function readable(name: string, text: string): Promise<string> {
  const { value } = name.endsWith(".edn") ? await readEdn(text) : {}
  return value === undefined ? text : stringifySafe(value, 2)
}
