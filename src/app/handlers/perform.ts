// Does what a plan asked of the world. Nothing is decided here.
import { encode } from "../../protocol/encode.ts"
import type { Filter } from "../../query/filter/filter.ts"
import type { Moment } from "../../query/moment.ts"
import type { Bookmark } from "../../view/bookmark.ts"
import type { DirectoryRead } from "../../view/directory-files.ts"
import type { Effect } from "../../view/effect.ts"
import type { SearchScope } from "../../view/search-results.ts"

/** The hands: each effect has one. */
export interface Hands {
  /** Hands a line to the agent; false where the line is down. */
  send(line: string): boolean
  redraw(): void
  suspend(): void
  /** Writes a bundle for those who mend the program, and tells where it is. */
  bug(): void
  /** Begins to record, or ends it, and tells which. */
  record(): void
  /** Opens the answer to the prompt with this key in an editor, and tells what came of it. */
  edit(key: number, text: string): void
  /** Shows a moment of the run. */
  seek(moment: Moment): void
  /** Looks for where a condition comes true, and shows it. */
  search(filter: Filter, step: 1 | -1): void
  /** Asks the agent for its chart, and tells what it said. */
  define(): void
  copy(what: string, text: string): void
  /** Puts a text on the plain terminal until a key is pressed. */
  plain(text: string): void
  export(format: "md" | "html" | "jsonl", session: number | null): void
  /** Looks into the session directory, and tells what it finds. */
  look(wish: DirectoryRead): void
  /** Opens a file of the session directory in another program. */
  show(name: string): void
  /** Looks for a text in the whole run, or in all runs beside it, and tells what it finds. */
  hunt(text: string, scope: SearchScope): void
  bell(): void
  /** Names the window; null gives it its own name back. */
  title(text: string | null): void
  notify(text: string): void
  /** Keeps the bookmarks of this run in its file. */
  keep(bookmarks: readonly Bookmark[]): void
  /** Has more of the log looked through, soon, with the frames of these lines. */
  sift(lines: readonly number[]): void
  /** Reads back the frames of these lines, and tells them. */
  recall(lines: readonly number[]): void
  /** Reads back what these sessions said, and tells it. */
  reread(sessions: readonly number[]): void
  /** Looks at the clock again at this time, epoch ms. */
  wake(at: number): void
  exit(code: number): void
}

export function perform(effects: readonly Effect[], hands: Hands): void {
  for (const effect of effects) {
    switch (effect.type) {
      case "send":
        hands.send(encode(effect.command))
        break
      case "redraw":
        hands.redraw()
        break
      case "suspend":
        hands.suspend()
        break
      case "bug":
        hands.bug()
        break
      case "record":
        hands.record()
        break
      case "edit":
        hands.edit(effect.key, effect.text)
        break
      case "seek":
        hands.seek(effect.moment)
        break
      case "search":
        hands.search(effect.filter, effect.step)
        break
      case "definition":
        hands.define()
        break
      case "look":
        hands.look(effect.wish)
        break
      case "show":
        hands.show(effect.name)
        break
      case "copy":
        hands.copy(effect.what, effect.text)
        break
      case "plain":
        hands.plain(effect.text)
        break
      case "export":
        hands.export(effect.format, effect.session)
        break
      case "hunt":
        hands.hunt(effect.text, effect.scope)
        break
      case "bell":
        hands.bell()
        break
      case "title":
        hands.title(effect.text)
        break
      case "notify":
        hands.notify(effect.text)
        break
      case "keep":
        hands.keep(effect.bookmarks)
        break
      case "sift":
        hands.sift(effect.lines)
        break
      case "recall":
        hands.recall(effect.lines)
        break
      case "reread":
        hands.reread(effect.sessions)
        break
      case "wake":
        hands.wake(effect.at)
        break
      case "exit":
        hands.exit(effect.code)
        break
      default:
        effect satisfies never
    }
  }
}
