// Keeps what `run` showed, and only as much as is wanted.
import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { forgetRun, keepRun, keptRuns } from "../../src/app/kept-runs.ts"
import { findRuns } from "../../src/search/find-runs.ts"
import { fileScratch } from "../scratch.ts"

const RUN = { type: "run", command: ["/opt/bin/claude", "-p", "why?"], parser: { type: "own" } } as const
const MB = 1024 * 1024

function inState(use: (stateDir: string, keep: (at: number, text: string) => readonly string[]) => void): void {
  const stateDir = fileScratch()
  use(stateDir, (at, text) => {
    const spool = join(stateDir, `spool-${at}.jsonl`)
    writeFileSync(spool, text, { mode: 0o600 })
    return keepRun(RUN, { stateDir, keeps: { runs: 2, bytes: MB } }, spool, at)
  })
}

/** The seconds at which the kept runs began. */
function seconds(stateDir: string): readonly string[] {
  return readdirSync(keptRuns(stateDir))
    .map(name => name.slice(17, 19))
    .sort()
}

describe("a run of a command", () => {
  test("is kept with its command, its directory and its prompt, for nobody else to read", () =>
    inState((stateDir, keep) => {
      expect(keep(0, '{"kind":"event"}\n')).toEqual([])
      const [name = ""] = readdirSync(keptRuns(stateDir))
      expect(name).toMatch(/^1970-01-01T00-00-00\.000Z-\d+-claude$/)
      const place = join(keptRuns(stateDir), name)
      rmSync(join(stateDir, "spool-0.jsonl"))
      expect(readFileSync(join(place, "transcript.jsonl"), "utf8")).toBe('{"kind":"event"}\n')
      const facts = { command: RUN.command, directory: process.cwd(), prompt: "why?" }
      expect(JSON.parse(readFileSync(join(place, "run.json"), "utf8"))).toEqual(facts)
      expect(statSync(place).mode & 0o777).toBe(0o700)
      expect(statSync(join(place, "transcript.jsonl")).mode & 0o777).toBe(0o600)
    }))

  test("is found like any other", async () => {
    const stateDir = fileScratch()
    writeFileSync(join(stateDir, "spool.jsonl"), "{}\n")
    keepRun(RUN, { stateDir, keeps: { runs: 2, bytes: MB } }, join(stateDir, "spool.jsonl"), 0)
    expect(await findRuns(keptRuns(stateDir))).toMatchObject({ runs: [{ size: 3 }], closed: [] })
  })

  test("goes when there are newer ones, by number and by size, but never the newest", () =>
    inState((stateDir, keep) => {
      for (const second of [1, 2, 3]) keep(second * 1000, "x\n")
      expect(seconds(stateDir)).toEqual(["02", "03"])
      keep(4000, "x".repeat(2 * MB))
      expect(seconds(stateDir)).toEqual(["04"])
    }))

  test("is not kept if it isn't to be", () =>
    inState(stateDir => {
      expect(keepRun(RUN, { stateDir, keeps: null }, join(stateDir, "spool"), 0)).toEqual([])
      expect(existsSync(keptRuns(stateDir))).toBe(false)
    }))
})

test("nothing is removed but what was kept", () =>
  inState((stateDir, keep) => {
    keep(0, "x\n")
    const directory = keptRuns(stateDir)
    const own = "1970-01-01T00-00-09.000Z-1-mine"
    const link = "1970-01-01T00-00-08.000Z-1-link"
    symlinkSync(readdirSync(directory)[0] ?? "", join(directory, link))
    mkdirSync(join(directory, own))
    for (const name of [own, link, "..", "", "../spool-0.jsonl"]) expect(forgetRun(directory, name)).toBe("no kept run")
    const kept = readdirSync(directory).find(name => name !== own && name !== link) ?? ""
    expect(forgetRun(directory, kept)).toBeNull()
    expect(readdirSync(directory).sort()).toEqual([link, own])
  }))
