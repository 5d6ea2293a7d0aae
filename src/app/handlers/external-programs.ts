// Runs the person's own programs in the terminal: an editor for an answer, a viewer for an artifact, a pager.
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type SafeText, sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { PromptKey } from "../../run/model/id.ts"
import { childEnvironment } from "../../transport/child-environment.ts"
import type { Edited } from "../../view/intent.ts"
import { presentOf, waitingPrompts } from "../../view/state.ts"
import type { RunContext, SessionOptions } from "../run-context.ts"
import type { RunDirectory } from "./run-directory.ts"

/** Lets the person edit the answer to the prompt with this key. Never rejects. */
export async function editAnswer(
  { store, ask }: RunContext,
  { surface, screen }: SessionOptions,
  key: PromptKey,
  text: string,
): Promise<void> {
  const keeps = (): boolean => {
    const state = store.get()
    return !waitingPrompts(state.link, presentOf(state)).some(prompt => prompt.key === key)
  }
  const options = { editor: screen.editor, directory: screen.stateDir, keeps }
  const edited = await surface.terminal?.lend(() => editText(text, options))
  if (edited !== undefined) ask({ type: "prompt/edited", key, edited })
}

/** Shows a text in the person's pager. Never rejects. */
export async function showInPager(
  { notify }: RunContext,
  { surface, screen }: SessionOptions,
  text: SafeText,
): Promise<void> {
  const why = await surface.terminal?.lend(() => runProgram(screen.pager, text))
  if (why != null) notify(why)
}

/** Opens a file of the session directory in the person's viewer. Never rejects. */
export async function openFile(
  { notify }: RunContext,
  { surface, screen }: SessionOptions,
  directory: RunDirectory,
  name: string,
): Promise<void> {
  const path = await directory.find(name)
  const run = (file: string) => surface.terminal?.lend(() => runProgram([...screen.viewer, file]))
  const why = path === null ? `Can't open ${name}` : await run(path)
  if (why != null) notify(why)
}

/** Runs `editor` on a private file; returns the sanitized text. Keeps the file if `keeps()`. Never rejects. */
export async function editText(
  text: string,
  { editor, directory, keeps }: { editor: readonly string[]; directory: string; keeps: () => boolean },
): Promise<Edited> {
  const path = join(directory, `answer-${crypto.randomUUID()}.txt`)
  let isKept = false
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(path, text, { mode: 0o600, flag: "wx" })
    const failure = await runProgram([...editor, path])
    if (failure !== null) return { type: "failed", why: failure }
    const edited = await Bun.file(path).text()
    isKept = keeps()
    const trimmed = text.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "")
    return { type: "edited", text: sanitize(trimmed), kept: isKept ? path : null }
  } catch (error) {
    return { type: "failed", why: describe(error) }
  } finally {
    if (!isKept) await rm(path, { force: true })
  }
}

/** Runs a program, with `input` as its stdin if given. Returns one line about its failure, or null. Never rejects. */
async function runProgram(words: readonly string[], input?: SafeText): Promise<string | null> {
  try {
    const stdin = input === undefined ? "inherit" : new Blob([input])
    const env = childEnvironment()
    const code = await Bun.spawn([...words], { env, stdio: [stdin, "inherit", "inherit"] }).exited
    return code === 0 ? null : `${sanitizeLine(words[0] ?? "")} failed with exit code ${code}`
  } catch (error) {
    return describe(error)
  }
}

function describe(error: unknown): string {
  return sanitizeLine(error instanceof Error ? error.message : String(error))
}
