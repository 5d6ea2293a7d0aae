import { attempt, type Result } from "./result.ts"
import type { ListingEntry, SessionDirectory } from "./session-directory.ts"

/** `name` and `title` are below the session directory; an artifact's title is below `artifacts`. */
type FoundArtifact = Omit<ListingEntry, "type"> & {
  /** A link that leads outside the session directory, or anything but a file. It is listed but never read. */
  readonly refused: boolean
}

const ROOT = "artifacts"
/** The agent's checkpoints: the chart's states and its data model. */
const CHECKPOINTS = "checkpoints"
/** Captures, which are not artifacts, and copies of every earlier checkpoint. */
const LEFT_OUT = ["artifacts/nodes", "checkpoints/history"]
const MAX_ARTIFACTS = 2000
const MAX_DEPTH = 6

interface ArtifactListing {
  readonly artifacts: readonly FoundArtifact[]
  readonly hasMore: boolean
}

/**
 * The artifacts, then the checkpoints, the first 2,000 of each, latest change first. Empty if the run has neither
 * folder. Never rejects.
 */
export async function listArtifacts(directory: SessionDirectory): Promise<Result<ArtifactListing>> {
  return attempt(ROOT, async () => {
    const [outputs, checkpoints] = [
      await filesBelow(directory, ROOT, ""),
      await filesBelow(directory, CHECKPOINTS, `${CHECKPOINTS}/`),
    ]
    return {
      artifacts: [...outputs.artifacts, ...checkpoints.artifacts],
      hasMore: outputs.hasMore || checkpoints.hasMore,
    }
  })
}

async function filesBelow(directory: SessionDirectory, root: string, title: string): Promise<ArtifactListing> {
  const artifacts: FoundArtifact[] = []
  let hasMore = false
  const folders = [{ name: root, title, depth: 0 }]
  for (const folder of folders) {
    const { value: listing } = await directory.list(folder.name)
    hasMore ||= listing?.truncated === true
    for (const entry of listing?.entries ?? []) {
      const path = { name: `${folder.name}/${entry.name}`, title: folder.title + entry.title }
      if (LEFT_OUT.includes(path.name)) continue
      const { size, changedAt } = entry
      if (entry.type === "folder" ? folder.depth === MAX_DEPTH : artifacts.length === MAX_ARTIFACTS) hasMore = true
      else if (entry.type === "folder") folders.push({ ...path, title: `${path.title}/`, depth: folder.depth + 1 })
      else artifacts.push({ ...path, size, changedAt, refused: entry.type === "refused" })
    }
  }
  return { artifacts: artifacts.sort((a, b) => b.changedAt - a.changedAt), hasMore }
}
