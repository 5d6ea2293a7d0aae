// Puts the runs of the home screen in order: what needs a person, what runs, then the others by day.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { derived } from "../../run/model/derived.ts"
import { type CliState, type Home, type HomeFacts, type HomeRun, type HomeView, KEPT, type RunTarget } from "../home.ts"

/** A run whose recording changed within this time is alive, ms. */
const ALIVE_MS = 60_000
const DAY_MS = 86_400_000
/** The agent stamps what it writes and what it sends one after the other (docs/contract.md section 2), ms. */
const SLACK_MS = 1000

/** How a run is doing; `gone`: it has no end, and there is no activity. */
export type RunMark = "asks" | "running" | "failed" | "done" | "stopped" | "gone" | "idle" | "unread" | "unreadable"

export interface HomeRow {
  readonly key: string
  readonly title: string
  /** Null for an agent whose run has no directory here. */
  readonly run: HomeRun | null
  /** Null as long as nothing was read. */
  readonly facts: HomeFacts | null
  readonly mark: RunMark
  readonly url: string | null
}

/** A row, or the heading of those that ask, that run, or that changed last on a day: counted from 1970, local time. */
export type HomeItem =
  | { readonly type: "row"; readonly row: HomeRow }
  | { readonly type: "asking" | "running" }
  | { readonly type: "day"; readonly day: number }

export type HomeList = Readonly<ReturnType<typeof ordered>>

/** The last order, and since when it holds: it is read far more often than it changes. */
const kept = derived<{ since: number; list: HomeList | null }>()

/** The list of home at `now`, epoch ms; `zone` is the local offset from UTC, ms. */
export function homeList(home: Home, view: HomeView, zone: number, now: number): HomeList {
  const known = kept([home, view.filter], () => ({ since: now, list: null }))
  if (known.list !== null && now >= known.since && now < known.list.until) return known.list
  known.since = now
  known.list = ordered(home, view, zone, now)
  return known.list
}

/** The row under the cursor; undefined in an empty list. */
export function homeRow(list: HomeList, { selected }: HomeView): HomeRow | undefined {
  // The key of the directory's own run is empty.
  return list.rows[selected === null ? 0 : (list.places.get(selected)?.row ?? 0)]
}

/** The day of a moment in the local zone, counted from 1970. */
export function dayOf(ts: number, zone: number): number {
  return Math.floor((ts + zone) / DAY_MS)
}

/** The target of Enter on a row: its agent if that answers or has told of it, else its recording. */
export function targetOf({ run, url }: HomeRow): RunTarget {
  if (url !== null) return { type: "agent", url, directory: run?.directory ?? null }
  return run?.talk === undefined ? { type: "recording", path: run?.directory ?? "" } : { type: "talk", ...run.talk }
}

function ordered(home: Home, { filter }: HomeView, zone: number, now: number) {
  const all = allRows(home, now)
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = words.length === 0 ? all : all.filter(row => matches(row, words))
  const today = dayOf(now, zone)
  const isToday = ({ run }: HomeRow) => run !== null && dayOf(run.changedAt, zone) === today
  const { items, rows } = byNeed(shown, zone)
  const places = new Map<string, { row: number; item: number }>()
  let item = 0
  for (const [row, { key }] of rows.entries()) {
    while (items[item]?.type !== "row") item++
    places.set(key, { row, item: item++ })
  }
  const alive = all.flatMap(({ run }) =>
    run !== null && run.cli === undefined && isAlive(run, now) ? [run.changedAt + ALIVE_MS] : [],
  )
  return {
    items,
    rows,
    /** The place of each row among the rows and among the items, by its key. */
    places,
    /** The runs there are, filtered or not; how many of them run or ask, ask, and failed today. */
    all: all.length,
    running: all.filter(isWorking).length,
    asking: all.filter(({ mark }) => mark === "asks").length,
    failedToday: all.filter(row => row.mark === "failed" && isToday(row)).length,
    /** Whether any of them is a session of an agent CLI, and whether the cost of any is known. */
    hasSessions: all.some(({ run }) => run?.cli !== undefined),
    hasCosts: all.some(({ facts }) => facts !== null && facts.cost !== null),
    /** When this order changes although nothing comes, epoch ms. */
    until: alive.reduce((least, at) => Math.min(least, at), (today + 1) * DAY_MS - zone),
  }
}

function allRows(home: Home, now: number): readonly HomeRow[] {
  const { runs, facts, agent } = home
  const own = agent.answers ? runOfAgent(home) : null
  const rows = (runs ?? []).map((run): HomeRow => {
    const found = facts.get(run.name)
    const url = run.name === own ? agent.url : null
    const mark = markOf(found, url !== null || isAlive(run, now))
    return { key: run.name, title: titleOf(run, found), run, facts: found ?? null, mark, url }
  })
  if (!agent.answers || own !== null) return rows
  const { url, facts: seen } = agent
  const title = `agent at ${sanitizeLine(URL.canParse(url) ? new URL(url).host : url)}`
  const mark = seen === null ? "running" : markOf(seen, true)
  return [{ key: url, title, run: null, facts: seen, mark, url }, ...rows]
}

/** The name of the run that the agent plays: the one whose recording tells the same until the same time. */
function runOfAgent({ runs, facts, agent }: Home): string | null {
  const seen = agent.facts
  if (seen?.lastTs == null || seen.firstTs === null) return null
  let [best, least]: [string | null, number] = [null, Number.POSITIVE_INFINITY]
  for (const { name } of runs ?? []) {
    const one = facts.get(name)
    if (one?.lastTs == null || one.firstTs === null || one.chart !== seen.chart) continue
    const isOverlapping = one.firstTs <= seen.lastTs + SLACK_MS && seen.firstTs <= one.lastTs + SLACK_MS
    const apart = Math.abs(one.lastTs - seen.lastTs)
    if (isOverlapping && apart < least) [best, least] = [name, apart]
  }
  return best
}

function isAlive({ changedAt }: HomeRun, now: number): boolean {
  return now - changedAt < ALIVE_MS
}

/** Only a run without an end can be alive or gone. */
function markOf(facts: HomeFacts | null | undefined, alive: boolean): RunMark {
  if (facts === undefined) return "unread"
  if (facts === null) return "unreadable"
  if (facts.session !== undefined) return SESSION_MARKS[facts.session.state]
  if (facts.end !== null) return facts.end
  if (!alive) return "gone"
  return facts.asks === null ? "running" : "asks"
}

const SESSION_MARKS: { readonly [state in CliState]: RunMark } = {
  waiting: "asks",
  working: "running",
  idle: "idle",
  quiet: "idle",
  ended: "done",
  failed: "failed",
  killed: "stopped",
}

function isWorking({ mark }: HomeRow): boolean {
  return mark === "asks" || mark === "running"
}

function titleOf({ name, directory, cli }: HomeRun, facts: HomeFacts | null | undefined): string {
  if (cli !== undefined) {
    const { place = "", branch = "" } = facts?.session ?? {}
    return [place, branch].filter(Boolean).join(" ") || cli
  }
  // A kept run is named after its command; its row says when it began.
  const command = name.startsWith(KEPT) ? /T[\d.-]+Z-\d+-(.+)$/.exec(name)?.[1] : undefined
  return sanitizeLine(command ?? (name || (directory.split("/").findLast(part => part !== "") ?? directory)))
}

/** True if each word occurs in the title, the facts or the mark of the run. */
function matches({ key, title, facts, mark, run }: HomeRow, words: readonly string[]): boolean {
  const known = [sanitizeLine(key), title, mark, facts?.chart, facts?.state, facts?.asks, facts?.last, facts?.error]
  const { session, kept } = facts ?? {}
  const told = [kept?.prompt, kept?.place, run?.cli, session?.id, session?.state, session?.title, session?.model]
  const text = [...known, ...told].join(" ").toLowerCase()
  return words.every(word => text.includes(word))
}

function byNeed(shown: readonly HomeRow[], zone: number): { items: HomeItem[]; rows: HomeRow[] } {
  const asking = shown.filter(({ mark }) => mark === "asks")
  const running = shown.filter(({ mark }) => mark === "running")
  // An agent whose run is over still answers.
  const others = shown.filter(row => !isWorking(row))
  const rows = [...asking, ...running, ...others]
  const items: HomeItem[] = []
  let last: number | null = null
  for (const row of rows) {
    if (row === asking[0]) items.push({ type: "asking" })
    if (row === running[0]) items.push({ type: "running" })
    if (!isWorking(row)) {
      const day = row.run === null ? null : dayOf(row.run.changedAt, zone)
      if (day !== null && day !== last) items.push({ type: "day", day })
      last = day ?? last
    }
    items.push({ type: "row", row })
  }
  return { items, rows }
}
