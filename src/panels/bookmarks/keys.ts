// The keys that set bookmarks and go to them, and those of their list.
import type { State } from "../../view/state.ts"
import { close, help } from "../common/keys.ts"
import type { Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

const isFilled = ({ view }: State) => view.bookmarks.length > 0

const STEP = { title: "next or previous bookmark", words: "jump mark later earlier" } as const

const openers: readonly Opener[] = [
  {
    from: ["panes", "entry"],
    keys: [
      {
        id: "bookmarks/mark",
        keys: ["M"],
        title: "bookmark the row, with a note if you like",
        words: "bookmark annotate remember comment",
      },
      { ...STEP, id: "bookmarks/next", keys: ["'"], intent: () => ({ type: "bookmarks/step", step: 1 }) },
      { ...STEP, id: "bookmarks/previous", keys: ['"'], intent: () => ({ type: "bookmarks/step", step: -1 }) },
    ],
  },
  {
    from: ["panes", "bookmarks"],
    keys: [{ id: "bookmarks/toggle", keys: ["L"], title: "show or hide bookmarks", words: "marks notes show" }],
  },
]

const scope: OwnScope = {
  id: "bookmarks",
  kind: "list",
  keys: [
    {
      id: "bookmarks/go",
      keys: ["enter"],
      title: "go to the bookmark",
      words: "jump open mark",
      hint: "go there",
      when: isFilled,
    },
    {
      id: "bookmarks/delete",
      keys: ["d"],
      title: "delete the bookmark",
      words: "remove mark",
      hint: "delete",
      when: isFilled,
    },
    close,
    help,
  ],
}

export const bookmarkKeys: PanelKeys = { group: "Find", openers, scopes: [scope] }
