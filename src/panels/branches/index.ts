// The tree of branches, each with its outcome beside that of its parent.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { frameNumber, type Run } from "../../run/model/run.ts"
import {
  type BranchRow,
  branchedTurns,
  branchName,
  branchPointWords,
  branchRows,
} from "../../run/select/branch-tree.ts"
import { reasonOf, sessionTime, usageOf } from "../../run/select/figures.ts"
import { type Line, line, type RenderContext, type Span, span, wholeParts } from "../../ui/line.ts"
import { clip, count, duration, offset, pad } from "../../ui/text-width.ts"
import { both, change, inFront, itemUnder, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { targetOf } from "../../view/select/shown-session.ts"
import { withoutPages } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { close, down, up } from "../common/keys.ts"
import { listLines, listOverlay } from "../common/list/list.ts"
import { latestReading } from "../common/open-entry.ts"
import { bind, type KeyBinding, type Panel, type Place } from "../common/panel.ts"
import { jump, seek } from "../common/seek.ts"

const keys: readonly KeyBinding[] = [
  bind("branches/go", ["enter"], "go to the start of the branch", "seek jump rerun", { hint: "go there" }),
  bind("branches/diff", ["="], "compare the branch with its parent", "difference", { hint: "compare with parent" }),
  close,
  down,
  up,
]

export const branchesPanel = {
  keys: { group: "Time" },
  updates: {
    "branches/go": state => {
      const row = rowUnder(state)
      if (row === undefined) return nothing
      const { start, session } = row
      const selected = session === null ? {} : { list: { selected: targetOf(state.present, session), pinned: true } }
      const shown = change({ overlays: withoutPages(state.view).slice(0, -1), ...selected })
      return start === null ? shown : jump(state, both(shown, seek({ type: "frame", frame: start.frame })))
    },
    "branches/diff": (state, _, { now }) => {
      const row = rowUnder(state)
      if (row === undefined) return nothing
      const turns = branchedTurns(state.present, row)
      if (turns === null)
        return notice("Can't find both sessions. The compare command shows them side by side", "info", now)
      const [before, after] = turns
      if (sessionIndex(state.run, after.session) === null) return notice("Not started yet at this point", "info", now)
      return change({ overlays: [...state.view.overlays, { type: "turn-diff", before, after, top: 0 }] })
    },
  },
  commands: {
    branches: {
      title: "show the branches of re-runs",
      words: "tree rerun compare",
      run: (state, _, now) => openBranches(state, now),
    },
  },
  overlays: {
    branches: listOverlay({
      keys,
      title: state => `BRANCHES  ${count(state.present.facts.branches.length)}`,
      length: state => branchRows(state.present).length,
      heading: branchHeading,
      lines: branchLines,
      reads({ run, present, view }, cursor) {
        const session = branchRows(present)[cursor]?.session ?? null
        return session === null || run.sessions[session] === undefined
          ? null
          : { text: latestReading(run, view.reader.text, session) }
      },
    }),
  },
} satisfies Panel

function openBranches(state: State, now: number): Plan {
  if (state.present.facts.branches.length === 0) return notice("No branches yet", "info", now)
  return change({ overlays: inFront(state, { type: "branches", cursor: 0 }) })
}

function rowUnder(state: State): BranchRow | undefined {
  return itemUnder(state, "branches", branchRows(state.present))
}

/** Columns of the figures: turns, time, output tokens, and how it stands. Where they have no room they are left out. */
const FIGURES = [6, 9, 9, 22] as const
const HEADINGS = ["turns", "time", "out", "  result"] as const
const NAME = 36

function branchHeading(_: State, { columns }: Place): readonly Line[] {
  const heads = HEADINGS.slice(0, figuresFor(columns)).map((text, i) => cell(text, i))
  return [line(span(`  ${pad("branch", nameColumns(columns))}${heads.join("")}`, "dim"))]
}

function branchLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { columns, render } = place
  const run = state.present
  const name = nameColumns(columns)
  return listLines(branchRows(run), cursor, place, row => [
    ...nameSpans(state, run, row, name, render),
    span(figuresOf(run, row, render).slice(0, figuresFor(columns)).map(cell).join("")),
  ])
}

function nameColumns(columns: number): number {
  const figures = FIGURES.slice(0, figuresFor(columns))
  return Math.max(8, columns - 2 - figures.reduce((sum, one) => sum + one, 0))
}

function figuresFor(columns: number): number {
  let left = columns - 2 - NAME
  let figures = 0
  for (const size of FIGURES) {
    left -= size
    if (left < 0) break
    figures++
  }
  return figures
}

function cell(text: string, index: number): string {
  const size = FIGURES[index] ?? 0
  return index === FIGURES.length - 1 ? pad(text, size) : pad(text, size, "right")
}

/** Its name as deep as it lies, the turn that it runs again, and the frame from which on it is there. */
function nameSpans(state: State, run: Run, row: BranchRow, columns: number, context: RenderContext): readonly Span[] {
  const { start, depth } = row
  if (start === null)
    return [span(pad(branchName(run, row), columns, "left", context.glyphs.ellipsis), "bright", { bold: true })]
  const point = branchPointWords(start.branch)
  const time = start.ts === null || run.firstTs === null ? "" : offset(start.ts - run.firstTs)
  const words = `${"  ".repeat(Math.min(depth - 1, 8))}${context.glyphs.branch} ${branchName(run, row)}`
  const shown = clip(words, columns, context.glyphs.ellipsis)
  const room = Math.max(0, columns - shown.length)
  const about = wholeParts([point, `#${count(start.frame)}`, time], "  ", room - 2)
  const isLater = start.frame > frameNumber(state.run)
  return [span(shown, isLater ? "dim" : "bright"), span(pad(`  ${about}`, room), "dim")]
}

function figuresOf(run: Run, { session: index }: BranchRow, context: RenderContext): readonly string[] {
  const session = index === null ? undefined : run.sessions[index]
  const stream = index === null ? undefined : run.turnBuffers[index]
  if (session === undefined || stream === undefined) return []
  const time = sessionTime(session, stream, null)
  const out = usageOf(session, stream).output
  const reason = reasonOf(session)
  const { dash, status } = context.glyphs
  return [
    count(session.turns),
    time === null ? dash : duration(time),
    out === null ? dash : count(out),
    `  ${status[stream.turn.status]} ${reason ?? stream.turn.status}`,
  ]
}
