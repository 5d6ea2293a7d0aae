// Gives the terminal to the person's own programs: an editor for an answer, a viewer for an artifact.
import type { ScreenOptions } from "../../cli/screen-options.ts"
import type { Surface } from "../../screen/surface.ts"
import { presentOf, waitingPrompts } from "../../view/state.ts"
import type { RunContext } from "../run-context.ts"
import type { EffectOf, HandlersOf } from "./effect-handlers.ts"
import { editText, showFile } from "./external-editor.ts"
import type { RunDirectory } from "./run-directory.ts"

export interface ExternalProgramsOptions {
  readonly surface: Pick<Surface, "lend">
  readonly screen: Pick<ScreenOptions, "editor" | "viewer" | "stateDir">
  readonly directory: RunDirectory
}

/** Reports what goes wrong. */
export function externalProgramHandlers(
  { store, ask, tell }: RunContext,
  { surface, screen, directory }: ExternalProgramsOptions,
): HandlersOf<"answer/edit" | "file/open"> {
  const edit = async ({ key, text }: EffectOf<"answer/edit">): Promise<void> => {
    const keeps = (): boolean => {
      const state = store.get()
      return !waitingPrompts(state.link, presentOf(state)).some(prompt => prompt.key === key)
    }
    const options = { editor: screen.editor, directory: screen.stateDir, keeps }
    ask({ type: "prompt/edited", key, edited: await surface.lend(() => editText(text, options)) })
  }
  const open = async ({ name }: EffectOf<"file/open">): Promise<void> => {
    const path = await directory.find(name)
    const why = path === null ? `${name}: cannot be opened` : await surface.lend(() => showFile(path, screen.viewer))
    if (why !== null) tell(why)
  }
  return { "answer/edit": effect => void edit(effect), "file/open": effect => void open(effect) }
}
