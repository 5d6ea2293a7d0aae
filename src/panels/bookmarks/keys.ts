// The keys that set bookmarks and go to them, and those of their list.
import type { State } from "../../view/state.ts"
import { close, help } from "../common/keys.ts"
import type { Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

const any = ({ view }: State) => view.bookmarks.length > 0

const STEP = {
  title: "next and previous bookmark; in a replay or the past it is shown",
  words: "jump mark later earlier",
} as const

const openers: readonly Opener[] = [
  {
    from: ["panes", "entry"],
    keys: [
      {
        id: "bookmarks/mark",
        keys: ["M"],
        title: "mark the row of the log, or the one that is open, with a note",
        words: "bookmark annotate remember comment",
      },
      { ...STEP, id: "bookmarks/next", keys: ["'"], intent: () => ({ type: "bookmarks/step", step: 1 }) },
      { ...STEP, id: "bookmarks/previous", keys: ['"'], intent: () => ({ type: "bookmarks/step", step: -1 }) },
    ],
  },
  {
    from: ["panes", "bookmarks"],
    keys: [
      { id: "bookmarks/toggle", keys: ["L"], title: "the list of bookmarks, and back", words: "marks notes show" },
    ],
  },
]

const scope: OwnScope = {
  id: "bookmarks",
  kind: "list",
  keys: [
    {
      id: "bookmarks/go",
      keys: ["enter"],
      title: "in that list: go to the bookmark",
      words: "jump open mark",
      hint: "go there",
      when: any,
    },
    {
      id: "bookmarks/delete",
      keys: ["d"],
      title: "in that list: delete the bookmark",
      words: "remove mark",
      hint: "delete",
      when: any,
    },
    close,
    help,
  ],
}

export const bookmarkKeys: PanelKeys = { group: "Find", openers, scopes: [scope] }
