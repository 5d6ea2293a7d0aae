// Keeps what `run` showed: each run in a directory of its own below the state directory, where home lists it.
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { describeFileError, TRANSCRIPT } from "../../packages/wire/src/files/recording-path.ts"
import { isObject, type Json, parseJson } from "../../packages/wire/src/json.ts"
import type { ScreenOptions } from "../cli/screen-options.ts"
import type { SourceOptions } from "../cli/source-options.ts"
import { promptOf } from "../guest/cli-names.ts"
import { guestName } from "../guest/guest-source.ts"
import { shownPath } from "../stores/stored-session.ts"
import type { HomeFacts } from "../view/home.ts"
import { timestampedName } from "./state-files.ts"
import { words } from "./stored-runs.ts"

/** The file with the facts of a run, beside its recording. */
const FACTS = "run.json"
/** The name of a kept run: when it began, and the name of its command. */
const NAME = /^\d{4}-\d\d-\d\dT[\d.-]+Z-\d+-[\w.-]+$/

/** The directory of the kept runs. */
export function keptRuns(stateDir: string): string {
  return join(stateDir, "runs")
}

/**
 * Keeps the run of a command whose lines are being written to `spool`, under a second name of that file: both grow
 * together, and nothing is copied. Older runs go until the limit holds. `now` is epoch ms. Returns warnings. Never
 * throws.
 */
export function keepRun(
  from: SourceOptions,
  { keeps, stateDir }: Pick<ScreenOptions, "keeps" | "stateDir">,
  spool: string | null,
  now: number,
): readonly string[] {
  if (from.type !== "run" || keeps === null || spool === null) return []
  try {
    const { command, talk } = from
    keep(stateDir, command, talk?.prompt ?? promptOf(command), now, path => linkSync(spool, path))
    removeOldest(keptRuns(stateDir), keeps)
    return []
  } catch (error) {
    return [`This run can't be kept: ${describeFileError(error, "can't be written")}`]
  }
}

/** Keeps a run of a command, whose transcript `make` puts at a path. Throws a file system error. */
function keep(
  stateDir: string,
  command: readonly string[],
  prompt: string | null,
  now: number,
  make: (path: string) => void,
): void {
  const place = join(keptRuns(stateDir), `${timestampedName(now)}-${guestName(command).replace(/[^\w.-]/g, "_")}`)
  mkdirSync(place, { recursive: true, mode: 0o700 })
  make(join(place, TRANSCRIPT))
  const facts = { command, directory: process.cwd(), prompt }
  writeFileSync(join(place, FACTS), `${JSON.stringify(facts)}\n`, { mode: 0o600, flag: "wx" })
}

/**
 * Appends lines to the transcript of a new kept run, which is made with the first of them; older runs go until the
 * limit holds. The result may throw.
 */
export function keptLines(
  stateDir: string,
  command: readonly string[],
  keeps: () => ScreenOptions["keeps"],
): (lines: readonly string[]) => void {
  let file: number | null = null
  return lines => {
    const limit = file === null ? keeps() : null
    if (limit !== null) {
      keep(stateDir, command, null, Date.now(), path => {
        file = openSync(path, "wx", 0o600)
      })
      removeOldest(keptRuns(stateDir), limit)
    }
    if (file !== null) writeSync(file, `${lines.join("\n")}\n`)
  }
}

/** The facts of a kept run that home shows; empty for any other run, or if they can't be read. Never rejects. */
export async function keptFacts(directory: string): Promise<Pick<HomeFacts, "kept">> {
  const file = Bun.file(join(directory, FACTS))
  const facts = parseJson(await file.text().catch(() => ""))
  if (!isObject(facts)) return {}
  const text = (value: Json | undefined) => (typeof value === "string" ? value : "")
  return { kept: { place: shownPath(text(facts.directory)), prompt: words(text(facts.prompt)) } }
}

/** Removes a kept run. Returns why it could not, such as for a directory that is not ours; null if it did. */
export function forgetRun(directory: string, name: string): string | null {
  const place = join(directory, name)
  try {
    if (!NAME.test(name) || !existsSync(join(place, FACTS)) || lstatSync(place).isSymbolicLink()) return "no kept run"
    rmSync(place, { recursive: true })
    return null
  } catch (error) {
    return describeFileError(error, "can't be removed")
  }
}

function removeOldest(directory: string, { runs, bytes }: NonNullable<ScreenOptions["keeps"]>): void {
  const names = readdirSync(directory).filter(name => NAME.test(name))
  let total = 0
  for (const [index, name] of names.sort().reverse().entries()) {
    const stat = lstatSync(join(directory, name, TRANSCRIPT), { throwIfNoEntry: false })
    total += stat?.size ?? 0
    // The newest stays, however long it is.
    if (index > 0 && (index >= runs || total > bytes)) forgetRun(directory, name)
  }
}
