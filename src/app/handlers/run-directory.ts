// Opens the session directory of a run: what the inspector reads there, and what the line lost of a live run.

import type { Captured } from "../../protocol/capture.ts"
import type { Link } from "../../protocol/link.ts"
import { readCaptured } from "../../session-dir/read-captured.ts"
import { SessionDirectory } from "../../session-dir/session-directory.ts"
import type { TimelinePlayer } from "../../timeline/player.ts"
import type { Spool } from "../../timeline/spool.ts"
import type { DirectoryRead } from "../../view/directory-files.ts"
import type { Store } from "../../view/store.ts"
import { GapFiller, gapFillerHost } from "../gap-filler.ts"
import { DirectoryInspection } from "./inspect-directory.ts"

/** A run's directory. Before it was opened, and where it cannot be, it is as if there were none. */
export class RunDirectory {
  readonly #store: Store
  #directory: SessionDirectory | null = null
  #inspection: DirectoryInspection | null = null
  #filler: GapFiller | null = null

  constructor(store: Store) {
    this.#store = store
  }

  /** Opens it at `path`, null for none, and tells the store how that went. What was lost is filled in on `spool`. */
  async open(
    path: string | null,
    { player, spool, tell }: { player: TimelinePlayer; spool: Spool | null; tell: (text: string) => void },
  ): Promise<void> {
    if (path === null) return
    const store = this.#store
    const { error = null, value: directory = null } = await SessionDirectory.open(path)
    this.#directory = directory
    if (directory !== null) this.#inspection = new DirectoryInspection(directory, store.dispatch)
    store.dispatch({ type: "directory", directory: { path: directory?.path ?? path, error } })
    if (directory === null || spool === null) return
    this.#filler = new GapFiller(directory, gapFillerHost(store, spool, player, tell))
  }

  /** Looks into it for the inspector. */
  look(wish: DirectoryRead): void {
    this.#inspection?.look(wish)
  }

  /** A file of it as text, null where there is none that may be read, or it has more bytes than that. */
  async text(name: string, bytes: number): Promise<string | null> {
    const { value = null } = (await this.#directory?.read(name, 0, bytes)) ?? {}
    return value === null || value.end < value.size ? null : value.text
  }

  /** What an `io/ref` names, whole, or why there is none. Never rejects. */
  async capture(ref: string): Promise<Captured> {
    const directory = this.#directory
    return directory === null ? { why: "no session directory" } : readCaptured(directory, ref)
  }

  /** Where a file of it lies; null where there is none that may be opened. */
  async find(name: string): Promise<string | null> {
    return (await this.#directory?.stat(name))?.value?.path ?? null
  }

  /** More frames were folded. */
  folded(): void {
    this.#filler?.folded()
  }

  link(link: Link): void {
    this.#filler?.link(link)
  }

  stop(): void {
    this.#filler?.stop()
    this.#inspection?.stop()
  }
}
