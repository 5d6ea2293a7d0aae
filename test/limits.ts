// Defines the size limits of the source: each rule lists the places over its limit.
import { posix } from "node:path"
import type { Source } from "./source.ts"

export const LIMITS = {
  filesInSrc: 4,
  filesInFolder: 25,
  linesInFile: 300,
  linesInFunction: 80,
  parameters: 5,
  /** Files that the key table needs, itself not counted: a table of data must not depend on the program. */
  reachOfKeys: 39,
} as const

/** File names that every panel has its own of: they name a role. `index` is the door of a folder, wherever it is. */
const ROLES: ReadonlySet<string> = new Set(["keys", "update", "lines", "Pane"])

export function crowded(all: readonly Source[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of inSrc(all)) {
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) => {
    const limit = folder === "src" ? LIMITS.filesInSrc : LIMITS.filesInFolder
    return count > limit ? [`${folder}: ${count} files, at most ${limit}`] : []
  })
}

export function longFiles(all: readonly Source[]): string[] {
  return all.flatMap(({ path, lines }) => (lines > LIMITS.linesInFile ? [`${path}: ${lines} lines`] : []))
}

export function longFunctions(all: readonly Source[]): string[] {
  return all.flatMap(({ path, functions }) =>
    functions
      .filter(({ lines }) => lines > LIMITS.linesInFunction)
      .map(({ name, line, lines }) => `${path}:${line} ${name}: ${lines} lines`),
  )
}

export function wideFunctions(all: readonly Source[]): string[] {
  return all.flatMap(({ path, functions }) =>
    functions
      .filter(({ parameters }) => parameters > LIMITS.parameters)
      .map(({ name, line, parameters }) => `${path}:${line} ${name}: ${parameters} parameters`),
  )
}

/** Names of types that two files of src export: a reader could not tell which is meant. */
export function doubledTypes(all: readonly Source[]): string[] {
  const named = inSrc(all).flatMap(({ path, exportedTypes }) => exportedTypes.map(name => [name, path] as const))
  return repeated(named)
}

/** The files that `folder` reaches by imports, type-only ones too, its own files not counted; empty within the limit. */
export function farReach(all: readonly Source[], folder: string, limit: number): string[] {
  const imports = new Map(all.map(source => [source.path, source.imports]))
  const own = [...imports.keys()].filter(path => path.startsWith(folder))
  const reached = new Set(own)
  for (const path of reached) for (const next of imports.get(path) ?? []) if (imports.has(next)) reached.add(next)
  const count = reached.size - own.length
  return count > limit ? [`${folder} reaches ${count} files, at most ${limit}`] : []
}

/** `default:` in what handles intents, actions and panels: a new member of the union would be swallowed there. */
export function openDefaults(all: readonly Source[]): string[] {
  const strict = all.filter(({ path }) => /^src\/(view|panels)\//.test(path))
  return strict.flatMap(({ path, openDefaults }) => openDefaults.map(line => `${path}:${line} swallows what is left`))
}

/** File names that stand twice in src, but for those of a role; a role under panels is one name for all panels. */
export function doubledFiles(all: readonly Source[]): string[] {
  const named = inSrc(all).flatMap(({ path }) => {
    const name = posix.basename(path).replace(/\.tsx?$/, "")
    if (name === "index") return []
    const isRole = ROLES.has(name) && path.startsWith("src/panels/")
    return [[name, isRole ? `src/panels/*/${posix.basename(path)}` : path] as const]
  })
  return repeated(named)
}

function inSrc(all: readonly Source[]): readonly Source[] {
  return all.filter(({ path }) => path.startsWith("src/"))
}

function repeated(named: readonly (readonly [name: string, path: string])[]): string[] {
  const places = new Map<string, Set<string>>()
  for (const [name, path] of named) places.set(name, (places.get(name) ?? new Set()).add(path))
  return [...places].flatMap(([name, paths]) => (paths.size > 1 ? [`${name}: ${[...paths].join(", ")}`] : []))
}
