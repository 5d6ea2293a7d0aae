// Tests the help of each command, the completions in the real shells, and
// what a replay into a pipe prints and refuses.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { AGENT_OPTIONS } from "../../src/cli/agent-command.ts"
import { COMMAND_NAMES } from "../../src/cli/command-arguments.ts"
import { COMMANDS } from "../../src/cli/manual/commands.ts"
import { completion } from "../../src/cli/manual/completion.ts"
import { helpText } from "../../src/cli/manual/help.ts"
import { readOptions } from "../../src/cli/options.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { sidecar } from "./ran.ts"

const fixture = join(root, "fixtures/frames/demo.jsonl")

const cwd = fileScratch()

describe("the help", () => {
  test("fits into a terminal of 100 columns", () => {
    const lines = [null, ...COMMAND_NAMES].flatMap(name => (helpText(name) ?? "").split("\n"))
    expect(lines.filter(line => line.length > 100 && !line.includes("completion"))).toEqual([])
  })
  test("has every command, and each example is one that can be parsed", () => {
    expect(COMMANDS.map(({ name }) => name).filter(name => name !== "")).toEqual([...COMMAND_NAMES])
    const lines = COMMANDS.flatMap(({ examples }) => examples.map(([line]) => line.split(/ [|>] /)[0] ?? ""))
    const wrong = lines.map(line => readOptions(line.split(" ").filter(Boolean), {}, true))
    const whys = wrong.flatMap(options => (options.command === "wrong" ? [options.why] : []))
    expect(whys.filter(why => !why.includes("no such file") && !why.includes("No such file"))).toEqual([])
  })
})

describe("the completions", () => {
  const complete = async (shell: string, script: string): Promise<string[]> => {
    await Bun.write(join(cwd, "script"), completion(shell))
    const child = Bun.spawn([shell, "-c", script], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, HOME: cwd },
    })
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect(err).toBe("")
    return out
      .split("\n")
      .map(line => line.split("\t")[0] ?? "")
      .filter(Boolean)
  }
  const bash = (words: string) =>
    `source ./script; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _opentui_sidecar; printf '%s\\n' "\${COMPREPLY[@]}"`
  test.skipIf(Bun.which("bash") === null)("in bash name commands, options and values", async () => {
    const all = ["'se'", "export '--no'", "export --as ''", "agent '--'", "help 'ex'"]
    const told: string[] = []
    for (const words of all) told.push((await complete("bash", bash(`opentui-sidecar ${words}`))).join(" "))
    const options = Object.keys(AGENT_OPTIONS).map(name => `--${name}`)
    const first = ["sessions search", "--no-redact --no-stores", "md html jsonl otlp"]
    expect(told).toEqual([...first, options.join(" "), "export"])
  })
  test.skipIf(Bun.which("fish") === null)("in fish name commands, options and values", async () => {
    const fish = (line: string) => `source ./script; complete -C ${JSON.stringify(line)}`
    const told: string[] = []
    for (const words of ["se", "export --no-r", "export --as "])
      told.push((await complete("fish", fish(`opentui-sidecar ${words}`))).sort().join(" "))
    expect(told).toEqual(["search sessions", "--no-redact", "html jsonl md otlp"])
  })
})

test("replay into a pipe ends with exit code 2 if the recording doesn't have the moment", async () => {
  const { code, err } = await sidecar(["replay", fixture, "--at", "99999"], { cwd })
  expect({ code, err }).toEqual({ code: 2, err: "opentui-sidecar: --at: the recording doesn't have that moment\n" })
})

test("replay into a pipe prints all of a log, however young", async () => {
  await Bun.write(join(cwd, "agent.log"), "one\ntwo\n")
  const { code, out } = await sidecar(["replay", "agent.log"], { cwd })
  expect(code).toBe(0)
  expect(out).toContain("  one\n  two\n")
})
