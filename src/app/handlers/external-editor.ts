// Has a text edited in the person's own editor, in a file that nobody else can read.
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { sanitize, sanitizeLine } from "../../protocol/sanitize.ts"
import type { Edited } from "../../view/intent.ts"

/**
 * Starts `editor` on a file in `directory` that holds `text`, and gives what the file holds once the editor has ended:
 * inert, without the line end that editors add. Never rejects. The file goes, unless `keeps` says that it is still needed.
 */
export async function editText(
  text: string,
  { editor, directory, keeps }: { editor: readonly string[]; directory: string; keeps: () => boolean },
): Promise<Edited> {
  const path = join(directory, `answer-${crypto.randomUUID()}.txt`)
  let isKept = false
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(path, text, { mode: 0o600, flag: "wx" })
    const program = Bun.spawn([...editor, path], { stdio: ["inherit", "inherit", "inherit"] })
    const code = await program.exited
    if (code !== 0) return { type: "failed", why: `${sanitizeLine(editor[0] ?? "")} ended with ${code}` }
    const edited = await Bun.file(path).text()
    isKept = keeps()
    const ended = text.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "")
    return { type: "edited", text: sanitize(ended), kept: isKept ? path : null }
  } catch (fault) {
    return { type: "failed", why: sanitizeLine(fault instanceof Error ? fault.message : String(fault)) }
  } finally {
    if (!isKept) await rm(path, { force: true })
  }
}

/** Shows the file at `path`, which is absolute, in `viewer`; gives in one line why that failed, null where it did not. */
export async function showFile(path: string, viewer: readonly string[]): Promise<string | null> {
  try {
    const code = await Bun.spawn([...viewer, path], { stdio: ["inherit", "inherit", "inherit"] }).exited
    return code === 0 ? null : `${sanitizeLine(viewer[0] ?? "")} ended with ${code}`
  } catch (fault) {
    return sanitizeLine(fault instanceof Error ? fault.message : String(fault))
  }
}
