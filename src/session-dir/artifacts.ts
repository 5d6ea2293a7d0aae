// Finds the named outputs of a run, which stand below `artifacts` (docs/contract.md section 5).

import { type Result, resultOf } from "./result.ts"
import type { SessionDirectory } from "./session-directory.ts"

/** An artifact as the disk has it. `title` may be shown. */
export interface FoundArtifact {
  /** Below the session directory, raw, to be given back to it. */
  readonly name: string
  readonly title: string
  /** Bytes. */
  readonly size: number
  /** Epoch ms. */
  readonly changedAt: number
  /** It leads out of the directory, or is no file: it is named, and not read. */
  readonly refused: boolean
}

const ROOT = "artifacts"
/** Captures may stand there too; they are no artifacts. */
const NOT_OURS = "artifacts/nodes"
const MOST = 2000
const DEPTH = 6

/** The artifacts, changed last first, at most 2,000 of them. None where the run has no such folder. Never rejects. */
export async function listArtifacts(directory: SessionDirectory): Promise<Result<readonly FoundArtifact[]>> {
  return resultOf(ROOT, async () => {
    const found: FoundArtifact[] = []
    const folders = [{ name: ROOT, title: "", depth: 0 }]
    for (const { name, title, depth } of folders) {
      const { value: listing } = await directory.list(name)
      for (const entry of listing?.entries ?? []) {
        const one = { name: `${name}/${entry.name}`, title: title + entry.title }
        if (entry.type !== "folder" && found.length < MOST) {
          found.push({ ...one, size: entry.size, changedAt: entry.changedAt, refused: entry.type === "refused" })
        }
        if (entry.type === "folder" && one.name !== NOT_OURS && depth < DEPTH) {
          folders.push({ name: one.name, title: `${one.title}/`, depth: depth + 1 })
        }
      }
    }
    return found.sort((a, b) => b.changedAt - a.changedAt)
  })
}
