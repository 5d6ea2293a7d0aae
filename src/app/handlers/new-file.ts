// Writes a text to a new file that nobody else can read.
import { mkdir, open } from "node:fs/promises"
import { join } from "node:path"

/** Most files of one name and second. */
const MOST_NAMESAKES = 100

/** Names the file in `directory` by `name`, the time and `ending`; gives its path. */
export async function writeNewFile(
  directory: string,
  name: string,
  ending: string,
  text: AsyncIterable<string> | Iterable<string>,
): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "")
  const base =
    name
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[.-]+|-+$/g, "")
      .slice(0, 60) || "run"
  for (let n = 1; ; n++) {
    const path = join(directory, `${base}-${stamp}${n === 1 ? "" : `-${n}`}.${ending}`)
    try {
      const file = await open(path, "wx", 0o600)
      try {
        for await (const piece of text) await file.writeFile(piece)
      } finally {
        await file.close()
      }
      return path
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST"
      if (!isTaken || n === MOST_NAMESAKES) throw error
    }
  }
}
