// Keeps what each store tells of its sessions: of files of the real CLIs, and of lines made by hand.
import { expect, test } from "bun:test"
import { cp, readdir, utimes } from "node:fs/promises"
import { join } from "node:path"
import { claudeStore } from "../../src/stores/claude-store.ts"
import { codexStore } from "../../src/stores/codex-store.ts"
import { geminiStore } from "../../src/stores/gemini-store.ts"
import { kimiStore } from "../../src/stores/kimi-store.ts"
import { listSessions } from "../../src/stores/list-sessions.ts"
import { piStore } from "../../src/stores/pi-store.ts"
import type { SessionStore, StoredFacts } from "../../src/stores/stored-session.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"

/** What was told, without what was not. */
function told(facts: Partial<StoredFacts>): string {
  const { usage, ...rest } = facts
  const { input = null, cached = null, output = null, costUsd = null } = usage ?? {}
  const used =
    input === null ? "" : `${input} (${cached} cached) + ${output}${costUsd === null ? "" : ` for $${costUsd}`}`
  const known = Object.entries({ ...rest, used }).filter(([, value]) => value !== null && value !== 0 && value !== "")
  return known.map(([name, value]) => `${name}: ${value}`).join(" | ")
}

const PLACES: readonly (readonly [fixture: string, place: string])[] = await Bun.file(
  join(root, "fixtures/stores/folders.json"),
).json()

test("the sessions of the real CLIs: each id once, with what its subagents used", async () => {
  const home = fileScratch()
  for (const [fixture, place] of PLACES)
    await cp(join(root, "fixtures/agents/sessions", fixture), join(home, place), { recursive: true })
  const names = (await readdir(home, { recursive: true })).filter(name => name.endsWith(".jsonl")).sort()
  for (const [index, name] of names.entries()) await utimes(join(home, name), 1000 + index, 1000 + index)
  const sessions = await listSessions({}, { home })
  expect(sessions.map(({ activeAt: _, path: __, ...facts }) => told(facts)).sort()).toMatchSnapshot()
})

const STORES: readonly SessionStore[] = [claudeStore, codexStore, geminiStore, kimiStore, piStore]

interface Case {
  readonly cli: string
  readonly about: string
  /** Kimi Code's file of the session. */
  readonly state?: object
  /** Texts as they are, objects as their JSON. */
  readonly lines: readonly (object | string)[]
}

test("what a store tells of a session by its lines", async () => {
  const home = fileScratch()
  const cases = (await Bun.file(join(root, "fixtures/stores/lines.jsonl")).text()).trimEnd().split("\n")
  const rows = cases.map(async (text, i) => {
    const { cli, about, state, lines }: Case = JSON.parse(text)
    const path = join(home, `${i}/a/b/${cli === "kimi" ? "agents/main/wire" : "x"}.jsonl`)
    await Bun.write(path, lines.map(line => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"))
    if (state !== undefined) await Bun.write(join(home, `${i}/a/b/state.json`), JSON.stringify(state))
    const facts = STORES.find(one => one.cli === cli)?.read({ path, inode: 1, size: Bun.file(path).size, changedAt: 1 })
    return `${cli}, ${about}: ${told((await facts) ?? {})}`
  })
  expect(await Promise.all(rows)).toMatchSnapshot()
})
