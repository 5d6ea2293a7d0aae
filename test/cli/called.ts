// Runs commands that need no screen in this process, which takes a hundredth of the time that a process takes.
import { spyOn } from "bun:test"
import { configCommand } from "../../src/app/config-command.ts"
import { commandWords } from "../../src/cli/option-value.ts"
import { readNamedOptions } from "../../src/cli/options.ts"
import { runCommand } from "../../src/cli/run-command.ts"
import { root } from "../fixtures.ts"
import { cleanEnvironment } from "../pty/terminal.ts"
import type { Ran } from "./ran.ts"

/** Command lines; `|` separates the endings of one. */
export const lines = (...all: readonly string[]) =>
  all.flatMap(line => {
    const [begin = "", ...ends] = line.split("|").map(part => part.trim())
    return ends.length === 0 ? [begin] : ends.map(end => `${begin} ${end}`.trim())
  })

type Environment = Readonly<Record<string, string>>

/** What `line` prints in `cwd`: stdout as it is, each line of stderr after `!`, and the exit code unless it is 0. */
export async function called(line: string, cwd: string, env: Environment = {}): Promise<string> {
  const { code, told } = await exclusively(() => call(commandWords(line), { cwd, env: { HOME: "/nobody", ...env } }))
  const text = told.map(({ isError, text }) => (isError ? text.replace(/^(?=.)/gm, "! ") : text)).join("")
  return `${text.replaceAll(root, "REPO")}${code === 0 ? "" : `exit ${code}\n`}`
}

/**
 * As `sidecar` of ran.ts, for a command that needs neither a process of its own nor a screen. One about a directory of
 * runs does need one, since it looks for the sessions of agent CLIs in the person's own home.
 */
export async function sidecarHere(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Environment },
): Promise<Ran> {
  const { code, told } = await exclusively(() => call(args, { cwd, env: { ...cleanEnvironment(cwd), ...env } }))
  const joined = (wanted: boolean) => told.flatMap(({ isError, text }) => (isError === wanted ? [text] : [])).join("")
  return { code, out: joined(false), err: joined(true) }
}

let latest: Promise<unknown> = Promise.resolve()

/** The working directory and the streams are the process's, so that one call waits for the other. */
function exclusively<T>(run: () => Promise<T>): Promise<T> {
  const mine = latest.then(run, run)
  latest = mine
  return mine
}

interface Told {
  readonly isError: boolean
  readonly text: string
}

async function call(args: readonly string[], { cwd, env }: { readonly cwd: string; readonly env: Environment }) {
  const before = { cwd: process.cwd(), heard: process.stdout.listeners("error") }
  using _variables = withVariables({ TZ: env.TZ ?? "UTC" })
  const told: Told[] = []
  const write = (isError: boolean) => (text: string | Uint8Array, done?: unknown) => {
    told.push({ isError, text: String(text) })
    if (typeof done === "function") done()
    return true
  }
  using _out = spyOn(process.stdout, "write").mockImplementation(write(false))
  using _err = spyOn(process.stderr, "write").mockImplementation(write(true))
  process.chdir(cwd)
  try {
    return { code: await run(args, env), told }
  } finally {
    for (const one of process.stdout.listeners("error"))
      if (!before.heard.includes(one)) process.stdout.off("error", one as () => void)
    process.chdir(before.cwd)
  }
}

/** Sets variables that the runtime reads by itself, until the end. It reads HOME only once. */
export function withVariables(wanted: Environment): Disposable {
  const before = Object.keys(wanted).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, wanted)
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    },
  }
}

async function run(args: readonly string[], env: Environment): Promise<number> {
  const options = await readNamedOptions(args, env)
  switch (options.command) {
    case "home":
    case "watch":
    case "demo":
    case "tee":
      throw new Error(`${options.command} needs a process of its own`)
    case "config":
      return configCommand(options)
    default:
      return runCommand(options)
  }
}
