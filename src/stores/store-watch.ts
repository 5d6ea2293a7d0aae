// Keeps the session files of all stores as they come, grow and go: told by the system, with a slow look behind it.
import { type FSWatcher, watch } from "node:fs"
import { join } from "node:path"
import { storedFile } from "./file-ends.ts"
import {
  type FoundFile,
  filesOf,
  runningSessions,
  STORES,
  type StoreEnvironment,
  sessionFiles,
} from "./list-sessions.ts"
import type { RunningSessions, SessionStore } from "./stored-session.ts"

/** Changes within this time are told together, ms. */
const TOGETHER_MS = 200
/** Time between two looks at the processes, and at all files, ms; and how many times longer each is than it took. */
const PROCESSES_MS = 2000
const FILES_MS = 30_000
const REST = 200
/** How many times longer than a copy of a database the time between two is. */
const COPY_REST = 100

/** The session's file for what Claude Code and Kimi Code write of its subagents. */
const sessionPath = (name: string): string =>
  name.replace(/\/subagents\/.*$/, ".jsonl").replace(/\/agents\/[^/]+\/wire\.jsonl$/, "/agents/main/wire.jsonl")

/** Looks until it is stopped. Nothing throws or rejects, and nothing is written. */
export class StoreWatch {
  #files = new Map<string, FoundFile>()
  #running: ReadonlyMap<SessionStore, RunningSessions> = new Map()
  readonly #watchers = new Map<string, FSWatcher>()
  /** The files that changed, with their stores; null: processes did. */
  readonly #changed = new Map<string, SessionStore | null>()
  #timer: Timer | null = null
  #tick: Timer | null = null
  /** Until a store that is one database is listed again, which takes a copy. */
  #relist: Timer | null = null
  #relistDueAt = 0
  #filesDueAt = 0
  #stopped = false

  constructor(
    private readonly env: StoreEnvironment,
    private readonly home: string,
    /** Called when a file or the state of a process has changed. */
    private readonly told: () => void,
  ) {
    void this.#look()
  }

  /** Latest change first. */
  get files(): readonly FoundFile[] {
    return [...this.#files.values()].sort((a, b) => b.changedAt - a.changedAt)
  }

  get running(): ReadonlyMap<SessionStore, RunningSessions> {
    return this.#running
  }

  stop(): void {
    this.#stopped = true
    for (const timer of [this.#timer, this.#tick, this.#relist]) if (timer !== null) clearTimeout(timer)
    for (const watcher of this.#watchers.values()) watcher.close()
  }

  async #look(): Promise<void> {
    const began = performance.now()
    // Watched first: what comes while all files are looked at is told too.
    for (const store of STORES) {
      this.#watch(store, store.folder)
      if (store.processes !== undefined) this.#watch(store, store.processes)
    }
    const looksAtAll = began >= this.#filesDueAt
    if (looksAtAll) {
      const files = await sessionFiles(this.env, this.home)
      this.#files = new Map(files.map(file => [file.path, file]))
    }
    await this.#readProcesses()
    if (this.#stopped) return
    const now = performance.now()
    if (looksAtAll) this.#filesDueAt = now + Math.max(FILES_MS, REST * (now - began))
    if (looksAtAll) this.told()
    const rest = looksAtAll ? PROCESSES_MS : Math.max(PROCESSES_MS, REST * (now - began))
    this.#tick = setTimeout(() => void this.#look(), rest)
    this.#tick.unref()
  }

  async #readProcesses(): Promise<void> {
    const before = this.#running
    this.#running = await runningSessions(this.env, this.home)
    const isSame = [...this.#running].every(([store, told]) => {
      const known = before.get(store)
      return known?.size === told.size && [...told].every(([id, state]) => known.get(id) === state)
    })
    if (!isSame && !this.#stopped) this.told()
  }

  /** A folder that is not there, or one too many to watch, is tried again at the next look. */
  #watch(store: SessionStore, folder: string): void {
    const path = join(store.root(this.env, this.home), folder)
    if (this.#watchers.has(path)) return
    const isOfFiles = folder === store.folder
    try {
      const forget = (): void => {
        watcher.close()
        this.#watchers.delete(path)
      }
      const watcher = watch(path, { recursive: store.list === undefined, persistent: false }, (_, name) => {
        // Without a name the folder itself has gone.
        if (name) this.#note(isOfFiles ? store : null, path, sessionPath(name))
        else forget()
      })
      watcher.on("error", forget)
      this.#watchers.set(path, watcher)
      // What was written before it was watched.
      this.#filesDueAt = 0
    } catch {
      // Looked at all the same.
    }
  }

  #note(store: SessionStore | null, folder: string, name: string): void {
    if (store !== null && !store.files.test(name)) return
    if (store?.list !== undefined) {
      const rest = Math.max(TOGETHER_MS, this.#relistDueAt - performance.now())
      this.#relist ??= setTimeout(() => void this.#listAgain(store), rest)
      this.#relist.unref()
      return
    }
    this.#changed.set(join(folder, name), store)
    this.#timer ??= setTimeout(() => void this.#take(), TOGETHER_MS)
    this.#timer.unref()
  }

  async #listAgain(store: SessionStore): Promise<void> {
    const began = performance.now()
    // What changes from here on is listed the next time.
    this.#relist = null
    const files = await filesOf(store, this.env, this.home)
    const now = performance.now()
    this.#relistDueAt = now + COPY_REST * (now - began)
    for (const [path, file] of this.#files) if (file.store === store) this.#files.delete(path)
    for (const file of files) this.#files.set(file.path, file)
    if (!this.#stopped) this.told()
  }

  async #take(): Promise<void> {
    const changed = [...this.#changed]
    this.#changed.clear()
    this.#timer = null
    for (const [path, store] of changed) {
      if (store === null) continue
      const file = await storedFile(path)
      if (file === null) this.#files.delete(path)
      else this.#files.set(path, { ...file, store })
    }
    if (changed.some(([, store]) => store === null)) await this.#readProcesses()
    if (!this.#stopped) this.told()
  }
}
