/** What the spawner tells of the run, for the header's left end. */
export interface Title {
  readonly chart: string | null
  readonly session: string | null
}
