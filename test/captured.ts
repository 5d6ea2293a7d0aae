// Lays out a session directory with the captures of two turns, as the agent writes them.
import { cp, mkdtemp, rename, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SessionDirectory } from "../src/session-dir/session-directory.ts"
import { root } from "./fixtures.ts"

/** What the captures have whole, and the transcript only the beginning of. */
export const WHOLE_SYSTEM = `You judge haiku, and you answer with one line. ${"A season word must be there. ".repeat(8)}`
export const WHOLE_RESULT = `${"poems/4.txt holds 17 words\n".repeat(6)}the last line`

/** A copy of the directory; `under` is the folder of `nodes`, which differs between versions of the agent. */
export async function capturedRun(under: "" | "artifacts" = ""): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "inspected-"))
  await cp(join(root, "fixtures/captured-run"), path, { recursive: true })
  if (under !== "") await rename(join(path, "nodes"), join(path, under, "nodes"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The session directory at this path, which must be one. */
export async function openedDirectory(path: string): Promise<SessionDirectory> {
  const { value, error } = await SessionDirectory.open(path)
  if (value === undefined) throw new Error(error)
  return value
}
