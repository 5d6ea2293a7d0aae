// Lists the artifacts of a run, the files below `artifacts` (docs/contract.md section 5).
import { attempt, type Result } from "./result.ts"
import type { SessionDirectory } from "./session-directory.ts"

/** An artifact on disk. */
export interface FoundArtifact {
  /** The raw path below the session directory, for reading it. */
  readonly name: string
  /** The sanitized path below `artifacts`. */
  readonly title: string
  /** Bytes. */
  readonly size: number
  /** Epoch ms. */
  readonly changedAt: number
  /** A link that leads outside the session directory, or anything but a file. It is listed but never read. */
  readonly refused: boolean
}

const ROOT = "artifacts"
/** May hold captures, which are not artifacts. */
const CAPTURES = "artifacts/nodes"
const MAX_ARTIFACTS = 2000
const MAX_DEPTH = 6

/** The artifacts, latest change first, at most 2,000. Empty if the run has no `artifacts` folder. Never rejects. */
export async function listArtifacts(directory: SessionDirectory): Promise<Result<readonly FoundArtifact[]>> {
  return attempt(ROOT, async () => {
    const found: FoundArtifact[] = []
    const folders = [{ name: ROOT, title: "", depth: 0 }]
    for (const { name, title, depth } of folders) {
      const { value: listing } = await directory.list(name)
      for (const entry of listing?.entries ?? []) {
        const path = { name: `${name}/${entry.name}`, title: title + entry.title }
        if (entry.type !== "folder" && found.length < MAX_ARTIFACTS) {
          found.push({ ...path, size: entry.size, changedAt: entry.changedAt, refused: entry.type === "refused" })
        }
        if (entry.type === "folder" && path.name !== CAPTURES && depth < MAX_DEPTH) {
          folders.push({ name: path.name, title: `${path.title}/`, depth: depth + 1 })
        }
      }
    }
    return found.sort((a, b) => b.changedAt - a.changedAt)
  })
}
