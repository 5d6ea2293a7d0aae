/** What the API answers a query with. */
export interface ApiAnswer {
  readonly status: number
  readonly body: string
}
