// Prints the runs below a directory as text: `sessions [ROOT]` into a pipe, and home without a screen.
import { sanitize, sanitizeLine } from "../protocol/sanitize.ts"
import type { Prices } from "../run/model/prices.ts"
import type { TailFacts } from "../run/select/tail-facts.ts"
import { findRuns } from "../search/find-runs.ts"
import { readTail } from "../search/run-tail.ts"
import { count, duration, pad, timeOfDay, width } from "../ui/text-width.ts"
import { freshHomeView } from "../view/home.ts"
import { type HomeRow, homeList } from "../view/select/home-rows.ts"
import { complain as complainFor } from "./command-arguments.ts"
import { standardOutput } from "./command-output.ts"
import { zone } from "./option-value.ts"

/** The exit code: 0, or 2 if there is nothing to list. */
export async function sessionsCommand(root: string, prices: Prices): Promise<number> {
  const found = await findRuns(root)
  const complain = (why: string): number => complainFor("sessions", `${sanitizeLine(root)}: ${why}`)
  if ("error" in found) return complain(found.error)
  const { runs, closed } = found
  for (const why of closed) complain(why)
  if (runs.length === 0) return complain("no runs found")
  const facts = new Map<string, TailFacts | null>()
  for (const { name, directory } of runs) facts.set(name, await readTail(directory, prices))
  const agent = { url: "", answers: false, facts: null }
  const home = { root, runs, closed, facts, agent, clis: [] }
  const { rows } = homeList(home, freshHomeView, zone(), Date.now())
  await standardOutput().write(sanitize(`${linesOf(rows).join("\n")}\n`))
  return 0
}

/** The words that stand for the marks of the screen. */
const WORDS: { readonly [mark in HomeRow["mark"]]: string } = {
  asks: "needs you",
  running: "running",
  failed: "failed",
  done: "done",
  stopped: "stopped",
  gone: "no activity",
  unread: "",
  unreadable: "unreadable",
}

/** The widest that the names of charts and runs are aligned. */
const WIDEST = 40

function linesOf(rows: readonly HomeRow[]): readonly string[] {
  const isPriced = rows.some(({ facts }) => facts !== null && facts.cost !== null)
  const cells = rows.map(({ mark, run, facts, title }) => {
    const { firstTs = null, lastTs = null } = facts ?? {}
    const took = firstTs === null || lastTs === null ? "" : duration(lastTs - firstTs)
    const tokens = facts === null || facts.tokens === 0 ? "" : count(facts.tokens) + (facts.isWhole ? "" : "+")
    const when = run === null ? "" : dateAndTime(run.changedAt, zone())
    const cost = facts === null || !isPriced ? "" : (facts.cost ?? "–")
    return [WORDS[mark], when, took, tokens, cost, facts?.chart ?? "", title, facts?.last ?? ""]
  })
  const widest = (column: number): number => Math.min(WIDEST, Math.max(...cells.map(row => width(row[column] ?? ""))))
  const widths = cells[0]?.map((_, column) => widest(column)) ?? []
  const used = widths.flatMap((columns, i) => (columns === 0 ? [] : [i]))
  return cells.map(row =>
    used
      .map(i => aligned(row[i] ?? "", i, widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

/** Times and numbers stand at the right; the last cell keeps its own width. */
function aligned(cell: string, column: number, columns: number): string {
  if (column === 7 || width(cell) > columns) return cell
  return pad(cell, columns, column >= 2 && column <= 4 ? "right" : "left")
}

/** 2026-03-14 09:05 in the local zone. */
function dateAndTime(ts: number, zone: number): string {
  return `${new Date(ts + zone).toISOString().slice(0, 10)} ${timeOfDay(ts, zone).slice(0, 5)}`
}
