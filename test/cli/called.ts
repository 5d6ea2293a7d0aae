// Runs a command in this process, and tells all that it printed and its exit code as one text.
import { spyOn } from "bun:test"
import { commandWords } from "../../src/cli/option-value.ts"
import { readNamedOptions } from "../../src/cli/options.ts"
import { runCommand } from "../../src/cli/run-command.ts"
import { sessionsCommand } from "../../src/cli/sessions-command.ts"
import { noPrices } from "../../src/run/model/prices.ts"
import { root } from "../fixtures.ts"

const SEEN = { HOME: "/nobody", TERM: "xterm", LANG: "C.UTF-8" }

/** What `line` prints in `cwd`: stdout as it is, each line of stderr after `!`, and the exit code unless it is 0. */
export async function called(line: string, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const before = { cwd: process.cwd(), zone: process.env.TZ }
  const told: string[] = []
  const write = (mark: string) => (text: string | Uint8Array, done?: unknown) => {
    told.push(mark === "" ? String(text) : String(text).replace(/^(?=.)/gm, mark))
    if (typeof done === "function") done()
    return true
  }
  using _out = spyOn(process.stdout, "write").mockImplementation(write(""))
  using _err = spyOn(process.stderr, "write").mockImplementation(write("! "))
  const heard = process.stdout.listeners("error")
  process.chdir(cwd)
  process.env.TZ = "UTC"
  try {
    const code = await run(line, { ...SEEN, ...env })
    const text = told.join("").replaceAll(root, "REPO")
    return code === 0 ? text : `${text}exit ${code}\n`
  } finally {
    for (const one of process.stdout.listeners("error"))
      if (!heard.includes(one)) process.stdout.off("error", one as () => void)
    process.chdir(before.cwd)
    if (before.zone === undefined) delete process.env.TZ
    else process.env.TZ = before.zone
  }
}

async function run(line: string, env: Record<string, string>): Promise<number> {
  const options = await readNamedOptions(commandWords(line), env)
  switch (options.command) {
    case "home":
      return sessionsCommand(options, noPrices, "/nobody")
    case "watch":
    case "demo":
    case "config":
    case "tee":
      process.stdout.write(`${JSON.stringify(options, null, 1)}\n`)
      return 0
    default:
      return runCommand(options)
  }
}
