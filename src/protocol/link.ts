/** How the line to the agent, or the reading of a recording, is doing. Times are epoch ms. */
export type Link =
  /** The first attempt is under way, nothing was ever attached. */
  | { readonly state: "connecting"; readonly url: string; readonly attempt: number }
  | { readonly state: "open"; readonly url: string; readonly since: number }
  /** Down. `since` is when it was lost, or when the first attempt failed; the next attempt is at `retryAt`. */
  | {
      readonly state: "lost"
      readonly url: string
      readonly since: number
      readonly retryAt: number
      readonly why: string
      readonly everOpen: boolean
      /** True while the agent's API takes answers and the debugger's ops in the line's place (docs/contract.md section 7). */
      readonly api?: boolean
    }
  /** A recording is being read. `torn` counts the characters of a last line that has not ended yet. */
  | { readonly state: "replaying"; readonly path: string; readonly incompleteLength: number; readonly why?: string }
  /** The recording's end is reached; the file is still watched for growth. `why`: it could not be read, in words. */
  | { readonly state: "ended"; readonly path: string; readonly incompleteLength: number; readonly why?: string }
  /** A guest runs: an agent CLI that does not speak the wire. */
  | { readonly state: "running"; readonly command: string }
  /** It has ended; `code` is its exit code, 128 + n after signal n. */
  | { readonly state: "exited"; readonly command: string; readonly code: number }
  | { readonly state: "closed" }
