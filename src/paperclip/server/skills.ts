// Paperclip's skills, linked into a directory that lives as long as a run.
import { lstat, mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { AdapterSkillContext, AdapterSkillSnapshot } from "@paperclipai/adapter-utils"
import {
  buildRuntimeMountedSkillSnapshot,
  readPaperclipRuntimeSkillEntries,
  resolveLegacyPaperclipDesiredSkillNames,
} from "@paperclipai/adapter-utils/server-utils"
import { type } from "../kind.ts"

/** The variable by which a chart finds the directory. */
export const SKILLS_VARIABLE = "PAPERCLIP_SKILLS_DIR"

/** Where the host's own skills are looked for, should the configuration name none. */
const HERE = import.meta.dirname

/**
 * A fresh directory with one link for each skill that the agent shall have; null where there is none. Nothing else is
 * written, and no text of a skill is read. `remove` takes the links away, never what they lead to.
 */
export async function linkSkills(
  config: Record<string, unknown>,
): Promise<{ readonly path: string; readonly remove: () => Promise<void> } | null> {
  const { entries, desired } = await skillsOf(config)
  const wanted = entries.filter(({ key, sourceStatus }) => desired.includes(key) && sourceStatus !== "missing")
  if (wanted.length === 0) return null
  const path = await mkdtemp(join(tmpdir(), "paperclip-skills-"))
  for (const { runtimeName, source } of wanted) {
    // A skill's name is no path of ours; one that is taken stays as it is.
    const target = join(path, basename(runtimeName))
    const taken = await lstat(target).catch(() => null)
    if (taken === null) await symlink(source, target)
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** What the host's page of skills shows. */
export async function listSkills({ config }: AdapterSkillContext): Promise<AdapterSkillSnapshot> {
  const { entries, desired } = await skillsOf(config)
  return snapshot(entries, desired)
}

/** Links are made for each run, so there is nothing to bring into step but the answer. */
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
