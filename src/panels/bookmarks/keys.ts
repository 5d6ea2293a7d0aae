// The keys that set bookmarks and go to them, and those of their list.
import type { State } from "../../view/state.ts"
import { close, help } from "../common/keys.ts"
import type { Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

const any = ({ view }: State) => view.bookmarks.length > 0

const STEP = {
  group: "Find",
  title: "next and previous bookmark; in a replay or the past it is shown",
  words: "jump mark later earlier",
} as const

const openers: readonly Opener[] = [
  {
    from: ["panes", "entry"],
    keys: [
      {
        id: "bookmark",
        keys: ["M"],
        group: "Find",
        title: "mark the row of the log, or the one that is open, with a note",
        words: "bookmark annotate remember comment",
        intent: () => ({ type: "bookmarks/mark" }),
      },
      { ...STEP, id: "next-bookmark", keys: ["'"], intent: () => ({ type: "bookmarks/step", step: 1 }) },
      { ...STEP, id: "last-bookmark", keys: ['"'], intent: () => ({ type: "bookmarks/step", step: -1 }) },
    ],
  },
  {
    from: ["panes", "bookmarks"],
    keys: [
      {
        id: "bookmarks",
        keys: ["L"],
        group: "Find",
        title: "the list of bookmarks, and back",
        words: "marks notes show",
        intent: () => ({ type: "bookmarks/toggle" }),
      },
    ],
  },
]

const scope: OwnScope = {
  id: "bookmarks",
  kind: "list",
  others: "count",
  keys: [
    {
      id: "bookmark-go",
      keys: ["enter"],
      group: "Find",
      title: "in that list: go to the bookmark",
      words: "jump open mark",
      hint: "go there",
      when: any,
      intent: () => ({ type: "bookmarks/go" }),
    },
    {
      id: "bookmark-delete",
      keys: ["d"],
      group: "Find",
      title: "in that list: delete the bookmark",
      words: "remove mark",
      hint: "delete",
      when: any,
      intent: () => ({ type: "bookmarks/delete" }),
    },
    close,
    help,
  ],
}

export const bookmarkKeys: PanelKeys = { openers, scopes: [scope] }
