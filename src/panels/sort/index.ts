// The menu of how sessions are sorted and their cost is grouped.
import { LEDGER_WAYS, noAccount } from "../../run/model/ledger.ts"
import { ledgerTotal } from "../../run/select/ledger-rows.ts"
import { LEDGER_COLUMN_IDS, LEDGER_COLUMNS } from "../../ui/ledger-columns.ts"
import { readingOf } from "../../view/block-reading.ts"
import { LIVE_ORDERS, type LiveOrder } from "../../view/live-list.ts"
import { both, change, type Plan } from "../../view/plan-result.ts"
import { readSession } from "../../view/select/shown-session.ts"
import { listIn } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { changed, type ViewChange } from "../../view/view.ts"
import { menuOverlay } from "../common/list/list.ts"
import { bind, type MenuItem, type Panel } from "../common/panel.ts"
import { liveRows } from "../common/session-rows.ts"
import { alter, cursors } from "../common/views.ts"

const sort = bind(
  "sort/open",
  ["S"],
  "sort or group the list",
  "order cost newest tokens needs attention name time group by state model tool turn session",
)

export const sortPanel = {
  keys: {
    group: "Find",
    openers: [
      { from: ["view"], first: true, keys: [{ ...sort, hint: "group", when: isOfCost }] },
      { from: ["panes", "list", "view"], keys: [sort] },
    ],
  },
  updates: {
    "sort/open": state => {
      const cursor = Math.max(
        0,
        choices(state).findIndex(one => one.isChosen),
      )
      return change({ overlays: [...state.view.overlays, { type: "sort", cursor }] })
    },
  },
  overlays: {
    sort: menuOverlay({ title: () => "SORT", items: state => choices(state).map(one => item(state, one)) }),
  },
} satisfies Panel

function isOfCost({ view }: State): boolean {
  return listIn(view)?.type === "ledger"
}

interface Choice {
  readonly title: string
  readonly isChosen: boolean
  readonly does: () => Plan
}

function item(state: State, { title, isChosen, does }: Choice): MenuItem {
  const closed = change({ overlays: state.view.overlays.slice(0, -1) })
  return { title, aside: isChosen ? "now" : "", why: null, chosen: () => both(closed, does()) }
}

function choices(state: State): readonly Choice[] {
  const { run, view } = state
  const isCost = isOfCost(state)
  const orders = (Object.keys(LIVE_ORDERS) as LiveOrder[]).map(order => ({
    title: `sessions: ${LIVE_ORDERS[order]}`,
    isChosen: !isCost && view.list.order === order,
    does: () => sorted(state, order),
  }))
  const groups = LEDGER_WAYS.map(by => ({
    title: `cost by ${by}`,
    isChosen: isCost && cursors.of(view).ledgerBy === by,
    does: () => change({ ...cursors.put(view, { ledgerBy: by, ledgerRow: 0 }), ...(isCost ? {} : opened(view)) }),
  }))
  const { ledgerBy: by, ledgerSort } = cursors.of(view)
  const total = ledgerTotal(run, { by, session: readSession(state), sort: null }) ?? noAccount
  const known = LEDGER_COLUMN_IDS.filter(id => LEDGER_COLUMNS[id].words(total) !== null)
  const sorts = known.map(sort => ({
    title: `sort by ${LEDGER_COLUMNS[sort].title}`,
    isChosen: ledgerSort === sort,
    does: () => alter(view, { ledgerSort: ledgerSort === sort ? null : sort, ledgerRow: 0 }),
  }))
  return isCost ? [...groups, ...sorts, ...orders] : [...orders, ...groups]
}

/** About how many rows a list shows: with more sessions, finished ones come last. */
const ROOM = 20

/** Puts the cursor on the first row, so that the new order is seen from its start. */
function sorted(state: State, order: LiveOrder): Plan {
  const view = changed(state.view, { list: { order } })
  const [selected = null] = liveRows({ ...state, view }, ROOM).rows
  return change({
    list: { order, selected, pinned: selected !== null },
    reader: { text: readingOf(view.reader.text, null) },
  })
}

/** The view of what the run cost takes the place of the sessions. */
function opened({ overlays }: State["view"]): ViewChange {
  const others = overlays.filter(({ type }) => type !== "sort" && type !== "waterfall")
  return { overlays: [...others, { type: "ledger" }], focus: "live" }
}
