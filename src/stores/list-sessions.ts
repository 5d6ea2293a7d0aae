// Lists the sessions of the agent CLIs on this machine: newest first, each id once.
import { homedir } from "node:os"
import { join } from "node:path"
import { claudeStore } from "./claude-store.ts"
import { codexStore } from "./codex-store.ts"
import { filesBelow } from "./file-ends.ts"
import { geminiStore } from "./gemini-store.ts"
import { kimiStore } from "./kimi-store.ts"
import { opencodeStore } from "./opencode-store.ts"
import { piStore } from "./pi-store.ts"
import type { RunningSessions, SessionStore, StoredFile, StoredSession, ToldState } from "./stored-session.ts"

export const STORES: readonly SessionStore[] = [claudeStore, codexStore, opencodeStore, geminiStore, piStore, kimiStore]
const AT_ONCE = 32

export type StoreEnvironment = { readonly [name: string]: string | undefined }

export type FoundFile = StoredFile & { readonly store: SessionStore }

/** The files of all sessions, latest change first: by their names and times alone. Never rejects. */
export async function sessionFiles(env: StoreEnvironment, home: string): Promise<readonly FoundFile[]> {
  const found = await Promise.all(STORES.map(store => filesOf(store, env, home)))
  return found.flat().sort((a, b) => b.changedAt - a.changedAt)
}

/** The files of one store, in no order. Never rejects. */
export async function filesOf(store: SessionStore, env: StoreEnvironment, home: string): Promise<readonly FoundFile[]> {
  const root = store.root(env, home)
  const files = await (store.list?.(root) ?? filesBelow(join(root, store.folder), store.files))
  return files.map(file => ({ ...file, store }))
}

/** What the processes of each CLI tell. Never rejects. */
export async function runningSessions(
  env: StoreEnvironment,
  home: string,
): Promise<ReadonlyMap<SessionStore, RunningSessions>> {
  const running = new Map<SessionStore, RunningSessions>()
  for (const store of STORES) {
    const told = await store.running?.(store.root(env, home))
    if (told !== undefined) running.set(store, told)
  }
  return running
}

/** The sessions of all stores that changed since `since`, epoch ms, latest first. Never rejects. */
export async function listSessions(
  env: StoreEnvironment,
  { home = homedir(), since = 0 }: { readonly home?: string; readonly since?: number } = {},
): Promise<readonly StoredSession[]> {
  const files = (await sessionFiles(env, home)).filter(({ changedAt }) => changedAt >= since)
  const running = await runningSessions(env, home)
  const sessions: (StoredSession | null)[] = []
  const next = files.entries()
  const readNext = async (): Promise<void> => {
    for (const [place, file] of next) {
      const session = await readSession(file)
      sessions[place] = session === null ? null : { ...session, state: stateNow(session, running.get(file.store)) }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readNext))
  return joined(sessions.filter(session => session !== null))
}

/** The directories of the stores that these files are in. */
export function rootsOf(files: readonly FoundFile[], env: StoreEnvironment, home: string): readonly string[] {
  const stores = new Set(files.map(({ store }) => store))
  return STORES.filter(store => stores.has(store)).map(store => store.root(env, home))
}

/** What a file tells of its session; null if that is none. Never rejects. */
export async function readSession({ store, ...file }: FoundFile): Promise<StoredSession | null> {
  const facts = await store.read(file)
  if (facts.id === null) return null
  return { ...facts, id: facts.id, cli: store.cli, activeAt: file.changedAt, path: file.path }
}

/**
 * The state of a session by what its file and its processes tell; `running` is undefined for a CLI whose processes tell
 * nothing. A turn that did not end goes on while its process does.
 */
export function stateNow({ id, state }: StoredSession, running: RunningSessions | undefined): ToldState {
  const told = running?.get(id)
  if (running === undefined || state !== "working") return told ?? state
  return told === undefined ? "killed" : "working"
}

/** Counts subagents with the sessions that started them, and tells an id once: of the file that changed last. */
function joined(sessions: readonly StoredSession[]): readonly StoredSession[] {
  const ids = new Set(sessions.map(({ id }) => id))
  const children = Map.groupBy(sessions, ({ parent }) => parent)
  const told = new Set<string>()
  return sessions.flatMap(session => {
    if (told.has(session.id) || (session.parent !== null && ids.has(session.parent))) return []
    told.add(session.id)
    return { ...session, subagents: session.subagents + (children.get(session.id)?.length ?? 0) }
  })
}

/** How the CLIs form ids; Gemini and Codex put them, or their first characters, at the end of a file's name. */
const ID = /^(?:ses_\w{4,}|(?:session_)?[0-9a-f]{8}[0-9a-f-]*)$/i

/**
 * The file of the session with this id, or whose id begins with it; of `latest`, that of the session that changed last.
 * Null if there is none, or more than one.
 */
export async function sessionFile(id: string, env: StoreEnvironment, home = homedir()): Promise<string | null> {
  if (id !== "latest" && !ID.test(id)) return null
  const files = await sessionFiles(env, home)
  const isWanted = ({ path }: FoundFile) => nameOf(path).includes(id) || nameOf(path).endsWith(id.slice(0, 8))
  const found = id === "latest" ? files : files.filter(isWanted)
  // A rewind of Codex, and a session of Gemini CLI that goes on, write more files of one id.
  if (id !== "latest" && new Set(found.map(({ path }) => idIn(nameOf(path)))).size !== 1) return null
  for (const file of found) {
    const session = await readSession(file)
    if (session !== null && (id !== "latest" || session.parent === null)) return file.path
  }
  return null
}

const idIn = (name: string): string => /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(name)?.[0] ?? name.slice(-8)

/** The name that holds the id: of the file, or of the directory that a session has for itself. */
function nameOf(path: string): string {
  const names = path.replace(/\.jsonl(?:\.zst)?$/, "").split("/")
  return names.findLast(name => name.startsWith("session_")) ?? names.at(-1) ?? ""
}
