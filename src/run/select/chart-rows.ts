import type { ChartDefinition } from "../../../packages/wire/src/chart-definition.ts"
import type { Run } from "../model/run.ts"
import type { SeenState } from "../model/visits.ts"

export interface ChartRow {
  readonly id: string
  readonly depth: number
  /** `state`, `parallel`, `final` and others; null without a definition. */
  readonly type: string | null
  readonly active: boolean
  readonly seen: SeenState | null
}

export interface ChartOutline {
  readonly rows: readonly ChartRow[]
  /** Where the states and their nesting are known from. */
  readonly from: "definition" | "phases" | "visited"
}

/** Types of elements that a run can be in. */
const STATES = ["state", "parallel", "final", "history"]
/** Maximum depth of the outline; a hostile definition may nest deeper. */
const DEPTH = 32

/** The outline of the chart: its definition's states, or without one those seen so far. */
export function chartRows(run: Run, definition: ChartDefinition | null): ChartOutline {
  const { visits, config } = run.chart
  const seen = new Map(visits.states.map(state => [state.id, state]))
  const row = (id: string, depth: number, type: string | null): ChartRow => {
    const known = seen.get(id)
    const wasVisited = known !== undefined && (known.visits > 0 || known.wasActive)
    return { id, depth, type, active: config.includes(id), seen: wasVisited ? known : null }
  }
  const unseen = config.filter(id => !seen.has(id))
  if (definition !== null) {
    const rows = definedRows(definition, row)
    const ids = new Set(rows.map(({ id }) => id))
    // States that the definition lacks, such as those of an invoked chart, were seen all the same.
    const others = [...seen.keys(), ...unseen].filter(id => !ids.has(id))
    return { rows: [...rows, ...others.map(id => row(id, 0, null))], from: "definition" }
  }
  const parents = new Map(visits.states.map(state => [state.id, state.parent]))
  const visited = visits.states.filter(state => state.visits > 0 || state.wasActive).length
  const nested = visits.states.some(state => state.parent !== null)
  const roots = [...visits.states.map(({ id }) => id), ...unseen].filter(id => !seen.has(parents.get(id) ?? ""))
  const rows = walk(
    // States that phases nested in a circle have no root.
    [...roots, ...seen.keys()],
    id => visits.states.flatMap(one => (one.parent === id ? [one.id] : [])),
    (id, depth) => row(id, depth, null),
  )
  return { rows, from: nested || visits.states.length > visited ? "phases" : "visited" }
}

type MakeRow = (id: string, depth: number, type: string | null) => ChartRow

function definedRows({ elements }: ChartDefinition, row: MakeRow): readonly ChartRow[] {
  const states = elements.filter(({ type }) => type === null || STATES.includes(type))
  const byId = new Map(states.map(state => [state.id, state]))
  const children = (id: string): readonly string[] => {
    const listed = (byId.get(id)?.children ?? []).filter(child => byId.has(child))
    const others = states.flatMap(state => (state.parent === id && !listed.includes(state.id) ? [state.id] : []))
    return [...listed, ...others]
  }
  const roots = states.flatMap(({ id, parent }) => (parent === null || !byId.has(parent) ? [id] : []))
  return walk(roots, children, (id, depth) => row(id, depth, byId.get(id)?.type ?? null))
}

/** Lists every state once, nested states below their parent. A cycle ends where it began. */
function walk(
  roots: readonly string[],
  children: (id: string) => readonly string[],
  row: (id: string, depth: number) => ChartRow,
): readonly ChartRow[] {
  const rows: ChartRow[] = []
  const done = new Set<string>()
  const visit = (id: string, depth: number): void => {
    if (done.has(id)) return
    done.add(id)
    rows.push(row(id, depth))
    if (depth < DEPTH) for (const child of children(id)) visit(child, depth + 1)
  }
  for (const root of roots) visit(root, 0)
  return rows
}
