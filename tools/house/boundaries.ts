// Defines the rooms of src and packages, and the rules between them: each rule lists the places that break it.
import type { Source } from "./source.ts"

/** Stands for the files right under src. */
const TOP = "(src itself)"

/** A folder: what it does, and the rooms that it may import besides itself. */
export interface Room {
  readonly name: string
  /** Where it stands, if not in the folder of its name below src. */
  readonly at?: string
  readonly does: string
  readonly imports: readonly string[]
  /** It gets the time as an argument, and has no effects. */
  readonly pure?: true
}

const PARSER = "packages/llm-stream-segments/src"
const ADAPTER = "packages/paperclip-adapter-escapement/src"
const RUN = ["run/model", "run/identity", "run/memory", "run", "run/select"]
const VIEWED = ["wire", ...RUN, "query", "view"]
const DRAWN = [...VIEWED, "keys", "ui", "transcript"]
const PANELS = ["panels/common", "panels/*", "panels"]

/**
 * Every room, lowest first: each imports only rooms above it in this list. A `*` stands for any other folder, each of
 * which is a room of its own: none imports another.
 */
export const ROOMS: readonly Room[] = [
  {
    name: "wire",
    at: "packages/wire/src",
    does: "text ⇄ frames and commands; makes text safe to show",
    imports: [],
    pure: true,
  },
  {
    name: "wire/files",
    at: "packages/wire/src/files",
    does: "recordings as files: paths, lines, following one that grows",
    imports: ["wire"],
  },
  {
    name: "transport",
    does: "sockets and files: connect, reconnect, order, pace; collects garbage",
    imports: ["wire", "wire/files"],
  },
  { name: "eql", does: "the agent's HTTP API, beside the socket", imports: ["wire", "wire/files", "transport"] },
  {
    name: "session-dir",
    does: "the files of a run, below its directory",
    imports: ["wire", "wire/files", "transport"],
  },
  {
    name: "parse",
    at: `${PARSER}/parse`,
    does: "the streaming parser's kernel: (state, chunk) → (state, events)",
    imports: [],
    pure: true,
  },
  {
    name: "streaming",
    at: `${PARSER}/streaming`,
    does: "the public parser library: classes, handlers, factories",
    imports: ["parse"],
    pure: true,
  },
  {
    name: "streaming/ai",
    at: `${PARSER}/streaming/ai`,
    does: "the parser as middleware of the AI SDK",
    imports: ["parse", "streaming"],
  },
  {
    name: "run/model",
    does: "what a run is: sessions, rows, prompts, visits",
    imports: ["wire", "parse"],
    pure: true,
  },
  {
    name: "run/identity",
    does: "which frames were seen before: epochs, fingerprints",
    imports: ["wire", "run/model"],
    pure: true,
  },
  {
    name: "run/memory",
    does: "packing, snapshots, and what was read back",
    imports: ["wire", "run/model"],
    pure: true,
  },
  {
    name: "run",
    does: "folds frames into a Run",
    imports: ["wire", "parse", "run/model", "run/identity", "run/memory"],
    pure: true,
  },
  {
    name: "run/select",
    does: "reads a Run: words, waterfall, report, compare",
    imports: ["wire", "run/model", "run/identity", "run/memory", "run"],
    pure: true,
  },
  {
    name: "reconcile",
    does: "joins the rows on disk to the frames that arrived",
    imports: ["wire", "run/model", "run/identity", "run"],
    pure: true,
  },
  {
    name: "query",
    does: "the filter language, match index, conditions",
    imports: ["wire", ...RUN],
    pure: true,
  },
  {
    name: "view",
    does: "Intent, Action, Effect, State; the reducer and the store",
    imports: ["wire", ...RUN, "query"],
    pure: true,
  },
  { name: "keys", does: "key strokes, bindings, dispatch; knows no panel", imports: ["view"], pure: true },
  { name: "ui", does: "the toolkit: canvas, lines, theme, layout, Markdown", imports: [...VIEWED, "keys"] },
  { name: "transcript", does: "a session's blocks as lines", imports: ["parse", ...VIEWED, "ui"] },
  { name: "panels/common", does: "what several panels need: lists, pages, seeking, sending", imports: DRAWN },
  { name: "panels/*", does: "one folder per pane, list, view and page", imports: [...DRAWN, "panels/common"] },
  {
    name: "panels",
    does: "the list of all panels; plans every intent",
    imports: [...DRAWN, "panels/common", "panels/*"],
  },
  { name: "screen", does: "arranges the panels on the terminal; plain mode", imports: [...DRAWN, ...PANELS] },
  {
    name: "timeline",
    does: "the frame log, seeking, playing, recording",
    imports: ["wire", "wire/files", "transport", ...RUN, "query", "view"],
  },
  { name: "otlp", does: "a run as spans of OpenTelemetry", imports: ["wire", "wire/files", "transport", ...RUN] },
  {
    name: "export",
    does: "a run as Markdown, HTML, JSONL and OTLP, with secrets removed",
    imports: ["wire", ...RUN, "query", "ui", "transcript", "otlp"],
  },
  {
    name: "search",
    does: "finds text in recordings, captures and artifacts",
    imports: ["wire", "wire/files", "transport", "session-dir", ...RUN, "query", "export"],
  },
  {
    name: "paperclip",
    at: ADAPTER,
    does: "the adapter for Paperclip, and its parser",
    imports: ["wire", "wire/files"],
  },
  {
    name: "guest/common",
    does: "what the readers of agent CLIs share: sessions, tokens, fields",
    imports: ["wire"],
    pure: true,
  },
  {
    name: "guest/*",
    does: "one folder per agent CLI: reads what it prints and its session file",
    imports: ["wire", "guest/common"],
    pure: true,
  },
  {
    // Our own parser is one of those that a guest can be read with; it is named as a file there.
    name: "guest",
    does: "agent CLIs that do not speak the wire: start, parse, write as frames",
    imports: ["wire", "wire/files", "transport", "paperclip", "guest/common", "guest/*"],
  },
  {
    name: "stores",
    does: "the sessions that agent CLIs keep on this machine: lists them, and finds one by its id",
    imports: ["wire", "guest/common", "guest/*", "guest"],
  },
  {
    name: "hook",
    does: "hands what Claude Code's hooks ask to the open screen, and the answers back",
    imports: ["wire", "guest/common", "guest/*"],
  },
  {
    name: "agent",
    does: "for agents of one's own: hub, questions, gates, files",
    imports: ["wire", "wire/files", "transport"],
  },
  { name: "agent/ai", does: "an agent made with the AI SDK", imports: ["wire", "agent"] },
  {
    name: "scripted-agent",
    does: "plays a recording as an agent, with faults, for the demo and the tests",
    imports: ["wire", "wire/files", "transport", "eql", "agent"],
  },
  {
    name: "cli",
    does: "argv and environment to options; the commands that need no screen",
    imports: [
      ...[
        "wire",
        "wire/files",
        "transport",
        "session-dir",
        "parse",
        ...RUN,
        "query",
        "view",
        "ui",
        "timeline",
        "export",
      ],
      ...["search", "guest", "stores", "hook", "paperclip", "agent", "scripted-agent"],
    ],
  },
  {
    name: "app",
    does: "the composition root, and one handler per effect",
    imports: [
      ...[
        "wire",
        "wire/files",
        "transport",
        "eql",
        "session-dir",
        ...RUN,
        "reconcile",
        "query",
        "view",
        "keys",
        "ui",
        ...PANELS,
      ],
      ...["screen", "timeline", "otlp", "export", "search", "guest", "stores", "hook", "cli"],
    ],
  },
]

/** What a pure file must get as arguments: the time, chance, the process, the environment. */
const IMPURE = [
  ...["Bun", "process", "console", "performance", "Date", "Math.random", "crypto", "import.meta", "globalThis"],
  ...["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch", "require"],
]

/** Package → where it may be imported. */
const HOMES: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [/^(@opentui\/|solid-js(\/|$))/, [/^src\/(ui|screen|panels)\//, /^src\/app\/load-surface\.ts$/, /^(bin|build)\//]],
  [/^ws(\/|$)/, [/^src\/agent\//]],
  [/^ai(\/|$)/, [/^src\/agent\/ai\//, /^packages\/llm-stream-segments\/src\/streaming\/ai\//]],
  [/^@opentelemetry\//, [/^src\/otlp\//]],
  [/^diff(\/|$)/, [/^src\/(ui|transcript)\//]],
  [/^(@paperclipai\/|picocolors$)/, [/^packages\/paperclip-adapter-escapement\/src\//]],
]

const ENVIRONMENT_READERS = [
  "src/cli/options.ts",
  "src/agent/screen-process.ts",
  "src/transport/child-environment.ts",
  "packages/llm-stream-segments/src/streaming/host-environment.ts",
  "packages/paperclip-adapter-escapement/src/server/environment.ts",
]

/** Imports against the arrows, and folders that have none. */
export function wrongWay(all: readonly Source[]): string[] {
  return all.flatMap(({ path, imports }) => {
    const from = partOf(path)
    if (from === null || from === TOP) return []
    const room = ROOMS.find(({ name }) => name === from)
    if (room === undefined) return [`${path}: no arrow says what ${from} may import`]
    return imports.flatMap(target => {
      const to = partOf(target)
      const isOwn = to === from && (!from.endsWith("/*") || folderOf(path) === folderOf(target))
      return to === null || isOwn || room.imports.includes(to) ? [] : [`${path} imports ${target}`]
    })
  })
}

/** Rooms that may import a room below them in the list, which would allow a cycle. */
export function upward(rooms: readonly Room[]): string[] {
  return rooms.flatMap(({ name, imports }, index) => {
    const above = new Set(rooms.slice(0, index).map(room => room.name))
    return imports.filter(one => !above.has(one)).map(one => `${name} may import ${one}`)
  })
}

/** The room of a path, `TOP` for a file directly in src, null outside src and packages. */
export function partOf(path: string): string | null {
  const home = ROOMS.findLast(({ at }) => at !== undefined && path.startsWith(`${at}/`))
  if (home !== undefined) return home.name
  const [src, part, rest, more] = path.split("/")
  if (src === "packages" && rest === "src") return `${src}/${part}`
  if (src !== "src" || part === undefined) return null
  if (rest === undefined) return TOP
  const inner = [`${part}/${rest}`, `${part}/*`]
  return (more === undefined ? undefined : inner.find(name => ROOMS.some(room => room.name === name))) ?? part
}

/** The first two folders below src. */
function folderOf(path: string): string {
  return path.split("/").slice(1, 3).join("/")
}

/** Files that some files import, and what these import. */
export function reachOf(all: readonly Source[], isStart: (path: string) => boolean): ReadonlySet<string> {
  const imports = new Map(all.map(source => [source.path, source.imports]))
  const reached = new Set([...imports.keys()].filter(isStart))
  for (const path of reached) for (const next of imports.get(path) ?? []) reached.add(next)
  return reached
}

/** Import cycles, type-only imports included. */
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

/** Files that no entry point reaches. Empty if no entry point exists. */
export function unreached(all: readonly Source[], roots: readonly string[]): string[] {
  const imports = new Map(all.map(source => [source.path, source.imports]))
  if (!roots.some(root => imports.has(root))) return []
  const reached = reachOf(all, path => roots.includes(path))
  return [...imports.keys()].filter(path => !reached.has(path))
}

/** Packages imported outside their rooms, and `.tsx` files, which use the renderer, outside the screen. */
export function strayPackages(all: readonly Source[]): string[] {
  return all.flatMap(({ path, imports }) => {
    const strays = imports.filter(module =>
      HOMES.some(([name, homes]) => name.test(module) && !homes.some(home => home.test(path))),
    )
    const screen = path.endsWith(".tsx") && !/^src\/((ui|screen|panels)\/|main\.tsx$)/.test(path)
    return [
      ...strays.map(module => `${path} imports ${module}`),
      ...(screen ? [`${path} draws outside the screen`] : []),
    ]
  })
}

/** Impure names and imports in the pure rooms. */
export function impure(all: readonly Source[]): string[] {
  // A reader of the environment stands beside the pure core of its folder and is no part of it (docs/decisions.md 7.4).
  const rooms = new Set(ROOMS.filter(room => room.pure).map(room => room.name))
  const pure = all.filter(({ path }) => rooms.has(partOf(path) ?? "") && !ENVIRONMENT_READERS.includes(path))
  return pure.flatMap(({ path, words, imports }) => [
    ...IMPURE.filter(word => words.has(word)).map(word => `${path} says ${word}`),
    ...imports.filter(module => partOf(module) === null).map(module => `${path} imports ${module}`),
  ])
}

export function environmentReaders(all: readonly Source[]): string[] {
  const inside = all.filter(({ path }) => partOf(path) !== null)
  return inside
    .filter(({ path, readsEnvironment }) => readsEnvironment && !ENVIRONMENT_READERS.includes(path))
    .map(nameOf)
}

/** Files that use a name. */
export function naming(all: readonly Source[], word: string): string[] {
  return all.filter(({ words }) => words.has(word)).map(nameOf)
}

/** Files without a comment at their head or before a declaration. */
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

/** Markdown files that a comment names and that `exists` does not know, from the root or beside the file. */
export function strayCitations(all: readonly Source[], exists: (path: string) => boolean): string[] {
  return all.flatMap(({ path, comments }) => {
    const cited = comments.match(/[\w./-]+\.md\b/g) ?? []
    return cited.filter(name => !exists(name)).map(name => `${path} cites ${name}`)
  })
}

/** The rooms as the page of the architecture prints them: name, and what it does. */
export function roomList(): string {
  return ROOMS.map(({ name, at = `src/${name}`, does }) => `- \`${at}\`: ${does}`).join("\n")
}
