// Defines the agent's statechart as its API returns it (docs/contract.md section 7).

/** The statechart: its own id and all elements below it. Ids are sanitized, as in a config. */
export interface ChartDefinition {
  readonly root: string | null
  readonly elements: readonly ChartElement[]
}

export interface ChartElement {
  readonly id: string
  readonly parent: string | null
  readonly children: readonly string[]
  /** `state`, `parallel`, `final`, `transition` and so on; null if the agent doesn't say. */
  readonly type: string | null
}
