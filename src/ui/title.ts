// The names of the chart and the session, as the agent gave them when it started us.

export interface Title {
  readonly chart: string | null
  readonly session: string | null
}
