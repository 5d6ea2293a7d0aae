// Sessions of an agent CLI that grow all at once: no line is lost, and once they rest their list costs next to nothing.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StoredRuns } from "../../src/app/stored-runs.ts"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { type Part, say } from "./part.ts"

const SESSIONS = 200
const LINES = 100
const STEP = 37
const QUIET_MS = 30_000
/** What the list may take of a core when nothing changes, and how long the last line may take to be seen. */
const MOST_CPU = 0.01
const PATIENCE_MS = 60_000

/** Follows 200 growing sessions, each as a run, with a list of them all. */
export const growingSessions: Part = async ({ progress, wrong }) => {
  const home = mkdtempSync(join(tmpdir(), "sidecar-growing-"))
  const folder = join(home, ".claude/projects/-p")
  mkdirSync(folder, { recursive: true })
  const lineOf = (session: number, at: number): string => {
    const message = {
      id: `m${at}`,
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: `line ${at} is here` }],
    }
    return `${JSON.stringify({ type: "assistant", uuid: `${session}-${at}`, sessionId: `${session}`, message })}\n`
  }
  const files = Array.from({ length: SESSIONS }, (_, at) => ({ path: join(folder, `${at}.jsonl`), written: 0 }))
  for (const [at, file] of files.entries()) appendFileSync(file.path, lineOf(at, file.written++))
  const list = new StoredRuns({}, () => undefined, home)
  const spools = join(home, "spools")
  const opened = await Promise.all(
    files.map(({ path }) => LogConversion.open(path, spools, startParser(chooseParser(undefined, home)))),
  )
  // In an order that mixes the sessions: the step and their number have no common divisor.
  for (let step = 0; step < SESSIONS * (LINES - 1); step++) {
    const at = (step * STEP) % SESSIONS
    const file = files[at]
    if (file !== undefined) appendFileSync(file.path, lineOf(at, file.written++))
    if (step % 20 === 0) await Bun.sleep(1)
  }
  progress("all lines are written")
  const lost = async (): Promise<number> => {
    const texts = await Promise.all(opened.map(({ path }) => Bun.file(path).text()))
    return texts.reduce((sum, text) => sum + LINES - new Set(text.match(/line \d+ is here/g)).size, 0)
  }
  const began = performance.now()
  while ((await lost()) > 0 && performance.now() - began < PATIENCE_MS) await Bun.sleep(200)
  const left = await lost()
  if (left > 0) wrong(`${left} lines of ${SESSIONS * LINES} were lost`)
  for (const conversion of opened) conversion.close()
  const seen = list.runs.filter(({ directory, size }) => Bun.file(directory).size === size).length
  if (seen !== SESSIONS) wrong(`the list knows the end of ${seen} of ${SESSIONS} sessions`)
  const before = process.cpuUsage()
  await Bun.sleep(QUIET_MS)
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1000 / QUIET_MS
  say(`  quiet: ${(share * 100).toFixed(2)} % of a core`)
  if (share > MOST_CPU) wrong(`${(share * 100).toFixed(2)} % of a core while nothing changes`)
  list.stop()
  rmSync(home, { recursive: true })
}
