// The agent's chart as it defines it (docs/contract.md section 7).

/** The statechart: its own id, and every element beneath it. Ids may be shown, as those of a config may. */
export interface ChartDefinition {
  readonly root: string | null
  readonly elements: readonly ChartElement[]
}

export interface ChartElement {
  readonly id: string
  readonly parent: string | null
  readonly children: readonly string[]
  /** `state`, `parallel`, `final`, `transition` and others; null where the agent does not say. */
  readonly type: string | null
}
