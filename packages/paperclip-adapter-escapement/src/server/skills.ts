// Links Paperclip's skills into a temporary directory for each run.
import { rmSync } from "node:fs"
import { lstat, mkdtemp, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { AdapterSkillContext, AdapterSkillSnapshot } from "@paperclipai/adapter-utils"
import {
  buildRuntimeMountedSkillSnapshot,
  readPaperclipRuntimeSkillEntries,
  resolveLegacyPaperclipDesiredSkillNames,
} from "@paperclipai/adapter-utils/server-utils"
import { type } from "../capabilities.ts"
import { endWithServer } from "./server-end.ts"

/** The variable that tells a chart the directory. */
export const SKILLS_VARIABLE = "PAPERCLIP_SKILLS_DIR"

/** Where the host looks for its own skills if the configuration names none. */
const HERE = import.meta.dirname

/** A new directory of links to the agent's skills; null if none. `remove` leaves the links' targets alone. */
export async function linkSkills(
  config: Record<string, unknown>,
): Promise<{ readonly path: string; readonly remove: () => void } | null> {
  const { entries, desired } = await skillsOf(config)
  const wanted = entries.filter(({ key, sourceStatus }) => desired.includes(key) && sourceStatus !== "missing")
  if (wanted.length === 0) return null
  const path = await mkdtemp(join(tmpdir(), "paperclip-skills-"))
  const drop = (): void => {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // Nobody needs it any more, and the temporary directory is cleared by others too.
    }
  }
  const release = endWithServer({ drop })
  const remove = (): void => {
    drop()
    release()
  }
  try {
    for (const { runtimeName, source } of wanted) {
      // A skill's name must not be a path. The first of two equal names wins.
      const target = join(path, basename(runtimeName))
      const taken = await lstat(target).catch(() => null)
      if (taken === null) await symlink(source, target)
    }
    return { path, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The skills that are available, and those the agent is to have. */
export async function listSkills({ config }: AdapterSkillContext): Promise<AdapterSkillSnapshot> {
  const { entries, desired } = await skillsOf(config)
  return snapshot(entries, desired)
}

/** Links are made for each run, so there is nothing to synchronize: this only returns the new list. */
export async function syncSkills({ config }: AdapterSkillContext, desired: string[]): Promise<AdapterSkillSnapshot> {
  return snapshot((await skillsOf(config)).entries, desired)
}

async function skillsOf(config: Record<string, unknown>) {
  const entries = await readPaperclipRuntimeSkillEntries(config, HERE)
  return { entries, desired: resolveLegacyPaperclipDesiredSkillNames(config, entries) }
}

function snapshot(availableEntries: Awaited<ReturnType<typeof skillsOf>>["entries"], desiredSkills: string[]) {
  const configuredDetail = `Linked below ${SKILLS_VARIABLE} for each run.`
  return buildRuntimeMountedSkillSnapshot({ adapterType: type, availableEntries, desiredSkills, configuredDetail })
}
