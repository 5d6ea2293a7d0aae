// Defines the size limits of the source: each rule lists the places over its limit.
import { posix } from "node:path"
import { partOf } from "./boundaries.ts"
import type { Source } from "./source.ts"

export const LIMITS = {
  filesInSrc: 4,
  filesInFolder: 25,
  linesInFile: 300,
  /** Lines of a file that holds one class. */
  linesInClassFile: 400,
  linesInFunction: 80,
  parameters: 5,
  /** Files that keys/ imports directly or not: a table of data must not depend on the whole program. */
  reachOfKeys: 42,
} as const

/** File names of roles, which every panel may have. `index` may name a folder's entry anywhere. */
const ROLES: ReadonlySet<string> = new Set(["keys", "update", "lines", "Pane"])

export function crowded(all: readonly Source[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of inProgram(all)) {
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) => {
    const limit = folder === "src" ? LIMITS.filesInSrc : LIMITS.filesInFolder
    return count > limit ? [`${folder}: ${count} files, at most ${limit}`] : []
  })
}

export function longFiles(all: readonly Source[]): string[] {
  return all.flatMap(({ path, lines, isOneClass }) =>
    lines > (isOneClass ? LIMITS.linesInClassFile : LIMITS.linesInFile) ? [`${path}: ${lines} lines`] : [],
  )
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

export function wideComments(all: readonly Source[]): string[] {
  return all.flatMap(({ path, wideComments }) => wideComments.map(line => `${path}:${line} is wider than 120 columns`))
}

/** Functions of src that other files call without being told what they do. */
export function undocumented(all: readonly Source[]): string[] {
  return inProgram(all).flatMap(({ path, undocumented }) => undocumented.map(name => `${path} ${name}`))
}

/** Type names exported by two files of src, which a reader could confuse. */
export function doubledTypes(all: readonly Source[]): string[] {
  const named = inProgram(all).flatMap(({ path, exportedTypes }) => exportedTypes.map(name => [name, path] as const))
  return repeated(named)
}

/** A folder that reaches too many files by imports, type-only ones included, its own files not counted. */
export function farReach(all: readonly Source[], folder: string, limit: number): string[] {
  const imports = new Map(all.map(source => [source.path, source.imports]))
  const own = [...imports.keys()].filter(path => path.startsWith(folder))
  const reached = new Set(own)
  for (const path of reached) for (const next of imports.get(path) ?? []) if (imports.has(next)) reached.add(next)
  const count = reached.size - own.length
  return count > limit ? [`${folder} reaches ${count} files, at most ${limit}`] : []
}

/** The rooms with more `default:` branches that would swallow a new member of a union than their budget allows. */
export function openDefaults(all: readonly Source[], budgets: Budgets): string[] {
  return [...byRoom(all)].flatMap(([room, sources]) => {
    const open = sources.flatMap(({ path, openDefaults }) => openDefaults.map(line => `${path}:${line}`))
    const most = budgets[room]?.defaults ?? 0
    return open.length > most ? [`${room}: ${open.length} defaults, at most ${most}: ${open.join(", ")}`] : []
  })
}

/** What a room may have: lines, and `default:` branches without `satisfies never`. */
export interface Budgets {
  readonly [room: string]: { readonly lines: number; readonly defaults?: number }
}

/** The rooms, and `src` as a whole, with more lines than their budget allows; and budgets of rooms that are gone. */
export function overBudget(all: readonly Source[], budgets: Budgets): string[] {
  const rooms = new Map([["src", all.filter(({ path }) => path.startsWith("src/"))], ...byRoom(all)])
  const over = [...rooms].flatMap(([room, sources]) => {
    const lines = sources.reduce((sum, source) => sum + source.lines, 0)
    const most = budgets[room]?.lines ?? 0
    return lines > most ? [`${room}: ${lines} lines, at most ${most} (test/budgets.ts)`] : []
  })
  return [...over, ...Object.keys(budgets).flatMap(room => (rooms.has(room) ? [] : [`${room}: no such room`]))]
}

function byRoom(all: readonly Source[]): ReadonlyMap<string, readonly Source[]> {
  return Map.groupBy(inProgram(all), ({ path }) => partOf(path) ?? "")
}

/** File names used twice in src, except roles; a role under panels counts once for all panels. */
export function doubledFiles(all: readonly Source[]): string[] {
  const named = inProgram(all).flatMap(({ path }) => {
    const name = posix.basename(path).replace(/\.tsx?$/, "")
    if (name === "index") return []
    const isRole = ROLES.has(name) && path.startsWith("src/panels/")
    return [[name, isRole ? `src/panels/*/${posix.basename(path)}` : path] as const]
  })
  return repeated(named)
}

function inProgram(all: readonly Source[]): readonly Source[] {
  return all.filter(({ path }) => /^(src|packages\/[^/]+\/src)\//.test(path))
}

function repeated(named: readonly (readonly [name: string, path: string])[]): string[] {
  const places = new Map<string, Set<string>>()
  for (const [name, path] of named) places.set(name, (places.get(name) ?? new Set()).add(path))
  return [...places].flatMap(([name, paths]) => (paths.size > 1 ? [`${name}: ${[...paths].join(", ")}`] : []))
}
