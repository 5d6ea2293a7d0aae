// Lends the terminal to the person's own programs: an editor for an answer, a viewer for an artifact.

import type { ScreenOptions } from "../../cli/screen-options.ts"
import type { Surface } from "../../screen/surface.ts"
import type { Intent } from "../../view/intent.ts"
import { answerable, type State } from "../../view/state.ts"
import { atPresent } from "../../view/time.ts"
import { editText, showFile } from "./external-editor.ts"
import type { RunDirectory } from "./run-directory.ts"

export interface ExternalProgramsOptions {
  readonly get: () => State
  readonly terminal: () => Pick<Surface, "lend">
  readonly look: Pick<ScreenOptions, "editor" | "viewer" | "stateDir">
  readonly directory: RunDirectory
  readonly want: (intent: Intent) => void
}

/** The hands that lend it. What came of it is told; nothing here throws or rejects. */
export function externalPrograms({ get, terminal, look, directory, want }: ExternalProgramsOptions) {
  const edit = async (key: number, text: string): Promise<void> => {
    const keeps = () => !answerable(atPresent(get())).some(prompt => prompt.key === key)
    const options = { editor: look.editor, directory: look.stateDir, keeps }
    want({ type: "edited", key, edited: await terminal().lend(() => editText(text, options)) })
  }
  const show = async (name: string): Promise<void> => {
    const path = await directory.find(name)
    const why = path === null ? `${name}: cannot be opened` : await terminal().lend(() => showFile(path, look.viewer))
    if (why !== null) want({ type: "tell", text: why })
  }
  return {
    edit: (key: number, text: string): void => void edit(key, text),
    show: (name: string): void => void show(name),
  }
}
