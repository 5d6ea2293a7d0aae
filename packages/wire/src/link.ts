// Defines the state of the connection to the agent, of a recording being read, or of a guest.

/** The connection's state. Times are epoch ms. */
export type Link =
  | { readonly state: "connecting"; readonly url: string; readonly attempt: number }
  | { readonly state: "open"; readonly url: string; readonly since: number }
  /** Disconnected since the connection was lost or the first attempt failed. The next attempt is at `retryAt`. */
  | {
      readonly state: "lost"
      readonly url: string
      readonly since: number
      readonly retryAt: number
      readonly why: string
      readonly everOpen: boolean
      /** True while answers and debugger ops go through the agent's API instead (docs/contract.md section 7). */
      readonly api?: boolean
    }
  /**
   * A recording is being read, or was read to its end; the file is still watched for growth. `incompleteLength`: UTF-16
   * units of a last line that has no line end yet. `why`: the reason if it can't be read. `talks` while a hook of the
   * CLI whose file it is waits for an answer.
   */
  | {
      readonly state: "replaying" | "ended"
      readonly path: string
      readonly incompleteLength: number
      readonly why?: string
      readonly talks?: boolean
    }
  /** A guest runs: an agent CLI that doesn't speak the wire protocol. `talks` if it takes answers all the same. */
  | { readonly state: "running"; readonly command: string; readonly talks?: boolean }
  /** The guest has exited; `code` is its exit code, or 128 + n after signal n. */
  | { readonly state: "exited"; readonly command: string; readonly code: number }
  | { readonly state: "closed" }
