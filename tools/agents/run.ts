// Runs the real agent CLIs against a fake model, and compares what we show with what the model said. `bun run
// test:agents [CLI …]` installs them below the temporary directory or AGENT_CLIS; `--record` writes the fixtures anew.
import { writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { $ } from "bun"
import { isObject, parseJson } from "../../packages/wire/src/json.ts"
import { root } from "../../test/fixtures.ts"
import { scratch } from "../../test/scratch.ts"
import { install, type Place, runCli, TRIED, type TriedCli } from "./clis.ts"
import { type Script, type ServedReply, startModel } from "./fake-model.ts"
import { runOfLog } from "./log-run.ts"
import { SCRIPTS, type ScriptName, TALKS, type TalkName } from "./scripts.ts"
import { answersDiffer, TRIED_TALKS, type TriedTalk, talkTo } from "./talks.ts"
import { differences, type Tells, type Truth } from "./truth.ts"

const directory = process.env.AGENT_CLIS ?? join(tmpdir(), "opentui-sidecar-agents")
const PROMPT = "What is in note.txt?"

/** Calls `use` with a place of its own for a CLI, and a model that follows a script. */
async function withModel(
  script: Script,
  use: (at: Place, served: readonly ServedReply[]) => Promise<readonly string[]>,
) {
  using place = scratch()
  const work = join(place.path, "kettle")
  await $`mkdir -p ${work} && git init -q ${work}`.quiet()
  await writeFile(join(work, "note.txt"), "The deadline is Friday.\nBring cake.\nEnd.\n")
  using model = startModel(script)
  return await use({ directory, home: join(place.path, "home"), work, port: model.port }, model.served)
}

/** Has a conversation, and returns how what is shown differs from it. */
const tryTalk = (cli: TriedTalk, name: TalkName): Promise<readonly string[]> =>
  withModel(TALKS[name], async (at, served) => {
    const run = await talkTo(cli, name, at)
    // Of a cut reply each CLI tells other tokens.
    const isCut = name === "cancelled" || name === "killed"
    const told: Partial<Tells> = isCut ? { tokens: "none", written: false, prices: null } : {}
    const truth: Truth = {
      ...{ cli: cli.name, version: cli.version, tells: { ...cli.tells, ...told }, served, costUsd: null },
      ...(name === "killed" ? { ends: "aborted", error: "SIGKILL" } : { ends: "finished", error: null }),
    }
    // What it says after our last refusal is its own affair.
    return [...(name === "left" ? [] : differences(run, truth)), ...answersDiffer(name, run, at)]
  })

/** Runs a script, and returns how what is shown differs from it. */
const tryScript = (cli: TriedCli, name: ScriptName, records: boolean): Promise<readonly string[]> =>
  withModel(SCRIPTS[name], async (at, served) => {
    const place = dirname(at.home)
    const { lines } = await runCli(cli, at, PROMPT, name === "twice" ? twoPrompts() : null)
    const isRefused = name === "refused"
    const truth: Truth = {
      ...{ cli: cli.name, version: cli.version, tells: cli.tells, served, costUsd: costIn(lines) },
      ...{ ends: isRefused ? "error" : "finished", error: isRefused ? "this model is not for you" : null },
    }
    const log = join(place, "printed.jsonl")
    await writeFile(log, lines)
    const { files } = cli
    const ofFile = files?.scripts.includes(name) ? await ofSessionFile(at.home, files, truth) : []
    if (!cli.scripts.includes(name)) return ofFile
    const found = [...differences(await runOfLog(log), truth), ...ofFile]
    if (found.length === 0 && records) await record(`${cli.name}-${cli.version}-${name}`, lines, place, truth)
    return found
  })

/** How the session file that a CLI has written below its home differs from the truth. */
async function ofSessionFile(home: string, { glob, tells }: Files, truth: Truth): Promise<readonly string[]> {
  const [path] = [...new Bun.Glob(glob).scanSync({ cwd: home, dot: true })].sort()
  if (path === undefined) return [`no session file ${glob}`]
  return differences(await runOfLog(join(home, path)), { ...truth, tells }).map(line => `session file: ${line}`)
}

type Files = NonNullable<TriedCli["files"]>

function twoPrompts(): string {
  const said = (content: string) => JSON.stringify({ type: "user", message: { role: "user", content } })
  return `${said("First.")}\n${said("Second.")}\n`
}

/** The cost in the last line that tells one. */
function costIn(lines: string): number | null {
  const costs = lines.split("\n").flatMap(line => {
    const value = parseJson(line)
    return isObject(value) && typeof value.total_cost_usd === "number" ? [value.total_cost_usd] : []
  })
  return costs.at(-1) ?? null
}

/** Writes a fixture: paths of this machine are those of nobody, and long lists of names are left out. */
async function record(name: string, lines: string, place: string, truth: Truth): Promise<void> {
  const neutral = (text: string) => text.replaceAll(join(place, "home"), "/home/ada").replaceAll(place, "/home/ada")
  const dashed = place.replaceAll("/", "-")
  const short = lines.replaceAll(
    /"(slash_commands|terminal_slash_commands|skills|agents|tools)":\["[^\]]*\]/g,
    '"$1":[]',
  )
  const path = join(root, "fixtures/agents", name)
  await writeFile(
    `${path}.jsonl`,
    neutral(short).replaceAll(dashed, "-home-ada").replaceAll('"/tmp/', '"/home/ada/tmp/'),
  )
  await writeFile(`${path}.truth.json`, neutral(`${JSON.stringify(truth, null, 1)}\n`))
}

const words = process.argv.slice(2)
const wanted = words.filter(word => !word.startsWith("-"))
let failed = 0

/** Tries each of these with a CLI that is wanted and can be had. */
async function tryAll<Name extends string>(
  cli: TriedCli,
  names: Iterable<Name>,
  attempt: (name: Name) => Promise<readonly string[]>,
): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(cli.name)) return
  const why = await install(cli, directory).then(
    () => null,
    error => (error instanceof Error ? error.message : String(error)),
  )
  if (why !== null) process.stdout.write(`not tried: ${cli.name} ${cli.version}: ${why}\n`)
  for (const name of why === null ? names : []) {
    const found = await attempt(name)
    process.stdout.write(`${found.length === 0 ? "true" : "WRONG"}: ${cli.name} ${cli.version} ${name}\n`)
    for (const line of found) process.stdout.write(`  ${line}\n`)
    failed += found.length
  }
}

for (const cli of TRIED) {
  const names = new Set([...cli.scripts, ...(cli.files?.scripts ?? [])])
  await tryAll(cli, names, name => tryScript(cli, name, words.includes("--record")))
}
for (const cli of TRIED_TALKS) await tryAll(cli, cli.talks, name => tryTalk(cli, name))
process.stdout.write("not tried: cursor, grok: their programs are in no registry\n")
process.exit(failed === 0 ? 0 : 1)
