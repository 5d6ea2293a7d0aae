// The rules of the house: each takes the files and gives a complaint for every place where one is broken.
import type { Source } from "./source.ts"

/** Stands for the files right under src. */
const TOP = "(src itself)"

/** Folder of src → the folders that it may import besides itself. Files right under src may import anything. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  parse: [],
  wire: ["protocol"],
  disk: ["protocol", "wire"],
  store: ["protocol", "parse"],
  keys: ["protocol", "parse", "store"],
  ui: ["protocol", "parse", "store", "keys"],
  export: ["protocol", "store", "ui"],
  search: ["protocol", "wire", "disk", "store", "export"],
  agent: ["protocol", "wire"],
  tape: ["protocol", "wire", "store"],
  // Our own parser is one of those that a guest can be read with; it is named as a file there.
  guest: ["protocol", "wire", "paperclip"],
  paperclip: ["protocol", "parse", "wire"],
  commands: [
    "protocol",
    "parse",
    "wire",
    "disk",
    "store",
    "tape",
    "keys",
    "ui",
    "export",
    "search",
    "agent",
    "guest",
    "paperclip",
    TOP,
  ],
}

const PURE = ["protocol", "parse", "store", "keys"]

/** What a pure file must be told, not ask: the time, chance, the process, the world. */
const IMPURE = [
  ...["Bun", "process", "console", "performance", "Date", "Math.random", "crypto", "import.meta", "globalThis"],
  ...["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch", "require"],
]

/** Package → where it may be imported. */
const HOMES: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [/^(@opentui\/|solid-js(\/|$))/, [/^src\/ui\//, /^src\/surface\.ts$/, /^bin\//]],
  [/^ws(\/|$)/, [/^src\/agent\//]],
  [/^diff(\/|$)/, [/^src\/ui\//]],
  [/^(@paperclipai\/|picocolors$)/, [/^src\/paperclip\//]],
]

const ENVIRONMENT_READERS = ["src/options.ts", "src/parse/environment.ts", "src/paperclip/server/environment.ts"]

/** Imports against the arrows, and folders that have none. */
export function wrongWay(all: readonly Source[]): string[] {
  return all.flatMap(({ path, imports }) => {
    const from = partOf(path)
    if (from === null || from === TOP) return []
    const allowed = ARROWS[from]
    if (allowed === undefined) return [`${path}: no arrow says what ${from} may import`]
    return imports.flatMap(target => {
      const to = partOf(target)
      const fine = to === null || to === from || (allowed.includes(to) && target !== "src/main.tsx")
      return fine ? [] : [`${path} imports ${target}`]
    })
  })
}

/** The folder of src that a path lies in, the mark of src itself for a file right under it, null outside. */
function partOf(path: string): string | null {
  const [src, part, rest] = path.split("/")
  if (src !== "src" || part === undefined) return null
  return rest === undefined ? TOP : part
}

/** Files that import each other in a circle, type-only imports too. */
export function cycles(all: readonly Source[]): string[] {
  const imports = new Map(all.map(source => [source.path, source.imports]))
  const done = new Set<string>()
  const found: string[] = []
  const walk = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path)
    if (start >= 0) found.push([...way.slice(start), path].join(" → "))
    if (start >= 0 || done.has(path)) return
    for (const next of imports.get(path) ?? []) walk(next, [...way, path])
    done.add(path)
  }
  for (const path of imports.keys()) walk(path, [])
  return found
}

/** Files that no root leads to. Empty while no root exists yet. */
export function unreached(all: readonly Source[], roots: readonly string[]): string[] {
  const imports = new Map(all.map(source => [source.path, source.imports]))
  const ahead = roots.filter(root => imports.has(root))
  if (ahead.length === 0) return []
  const reached = new Set(ahead)
  for (const path of reached) for (const next of imports.get(path) ?? []) reached.add(next)
  return [...imports.keys()].filter(path => !reached.has(path))
}

/** Packages imported away from their homes, and screens (`.tsx`, which imports the renderer unseen) drawn outside ui. */
export function strayPackages(all: readonly Source[]): string[] {
  return all.flatMap(({ path, imports }) => {
    const strays = imports.filter(module =>
      HOMES.some(([name, homes]) => name.test(module) && !homes.some(home => home.test(path))),
    )
    const screen = path.endsWith(".tsx") && !/^src\/(ui\/|main\.tsx$)/.test(path)
    return [...strays.map(module => `${path} imports ${module}`), ...(screen ? [`${path} draws outside ui`] : [])]
  })
}

/** What the pure folders may not say. */
export function impure(all: readonly Source[]): string[] {
  // A reader of the environment stands beside the pure core of its folder and is no part of it (decisions.md 7.4).
  const pure = all.filter(({ path }) => PURE.includes(partOf(path) ?? "") && !ENVIRONMENT_READERS.includes(path))
  return pure.flatMap(({ path, words, imports }) => [
    ...IMPURE.filter(word => words.has(word)).map(word => `${path} says ${word}`),
    ...imports.filter(module => partOf(module) === null).map(module => `${path} imports ${module}`),
  ])
}

export function environmentReaders(all: readonly Source[]): string[] {
  const inside = all.filter(({ path }) => path.startsWith("src/"))
  return inside
    .filter(({ path, readsEnvironment }) => readsEnvironment && !ENVIRONMENT_READERS.includes(path))
    .map(nameOf)
}

/** Files in which a name stands. */
export function naming(all: readonly Source[], word: string): string[] {
  return all.filter(({ words }) => words.has(word)).map(nameOf)
}

export function long(all: readonly Source[]): string[] {
  return all.filter(({ lines }) => lines > 300).map(({ path, lines }) => `${path}: ${lines} lines`)
}

/** Files whose head is silent, and all that they declare too. */
export function unexplained(all: readonly Source[]): string[] {
  return all.filter(({ explained }) => !explained).map(nameOf)
}

export function silenced(all: readonly Source[]): string[] {
  return all.flatMap(({ path, anys, comments }) => [
    ...(anys > 0 ? [`${path} says any`] : []),
    ...(comments.match(/@ts-[\w-]+|biome-ignore/g) ?? []).map(silencer => `${path} says ${silencer}`),
  ])
}

function nameOf({ path }: Source): string {
  return path
}
