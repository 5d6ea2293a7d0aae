// Tests the help of each command, the completions in the real shells, a start that nobody answers, and
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
const DEADLINE_MS = 30_000

const cwd = fileScratch()

describe("the help", () => {
  test("of a command tells its options and examples, by help and by --help", async () => {
    const [asked, flagged] = await Promise.all([
      sidecar(["help", "export"], { cwd }),
      sidecar(["export", "--help"], { cwd }),
    ])
    expect(asked).toMatchObject({ code: 0, err: "" })
    expect(flagged).toEqual(asked)
    expect(asked.out).toContain("--no-redact")
    expect(asked.out).toContain("opentui-sidecar export run.jsonl --as html -o run.html")
    expect(asked.out).not.toContain("--theme")
  })
  test("of the program names each command after the program, with what it takes and does", () => {
    const lines = helpText(null)?.split("\n") ?? []
    expect(lines).toContain("opentui-sidecar demo                shows a scripted agent at work")
    const begin = COMMANDS.map(({ name, takes }) =>
      ["opentui-sidecar", name, takes].join(" ").replace(/ +/g, " ").trim(),
    )
    expect(begin).toContain("opentui-sidecar fold RECORDING|DIR|LOG …")
    for (const words of begin) expect(lines.some(line => line === words || line.startsWith(`${words} `))).toBe(true)
  })
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

test("a mistyped command gets the one that was meant", async () => {
  expect(await sidecar(["atach"], { cwd })).toMatchObject({
    code: 2,
    err: "opentui-sidecar: unknown command atach; did you mean attach?\n",
  })
  expect((await sidecar(["help", "exprot"], { cwd })).err).toContain("did you mean export?")
  expect((await sidecar(["watch"], { cwd })).err).toBe("opentui-sidecar: unknown command watch; see --help\n")
})

describe("the completions", () => {
  test("of an unknown shell are refused", async () => {
    const { code, err } = await sidecar(["completion", "tcsh"], { cwd })
    expect(code).toBe(2)
    expect(err).toContain("unknown shell tcsh; use bash, zsh or fish")
  })
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
    expect(await complete("bash", bash("opentui-sidecar 'se'"))).toEqual(["sessions", "search"])
    expect(await complete("bash", bash("opentui-sidecar export '--no'"))).toEqual(["--no-redact", "--no-stores"])
    expect(await complete("bash", bash("opentui-sidecar export --as ''"))).toEqual(["md", "html", "jsonl", "otlp"])
    expect(await complete("bash", bash("opentui-sidecar agent '--'"))).toEqual(
      Object.keys(AGENT_OPTIONS).map(name => `--${name}`),
    )
    expect(await complete("bash", bash("opentui-sidecar help 'ex'"))).toEqual(["export"])
  })
  test.skipIf(Bun.which("fish") === null)("in fish name commands, options and values", async () => {
    const fish = (line: string) => `source ./script; complete -C ${JSON.stringify(line)}`
    expect((await complete("fish", fish("opentui-sidecar se"))).sort()).toEqual(["search", "sessions"])
    expect(await complete("fish", fish("opentui-sidecar export --no-r"))).toEqual(["--no-redact"])
    expect((await complete("fish", fish("opentui-sidecar export --as "))).sort()).toEqual([
      "html",
      "jsonl",
      "md",
      "otlp",
    ])
  })
})

test(
  "attach ends with exit code 3 if no agent answers in time",
  async () => {
    const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
    const { port } = free
    free.stop()
    const { code, err } = await sidecar(["attach", `ws://127.0.0.1:${port}/ws`, "--timeout", "0.3"], { cwd })
    expect(code).toBe(3)
    expect(err).toBe("opentui-sidecar: no agent answered within 0.3 s\n")
  },
  DEADLINE_MS,
)

test("replay into a pipe ends with exit code 2 if the recording doesn't have the moment", async () => {
  const { code, err } = await sidecar(["replay", fixture, "--at", "99999"], { cwd })
  expect({ code, err }).toEqual({ code: 2, err: "opentui-sidecar: --at: the recording doesn't have that moment\n" })
})

test("a moment above 100 % is none", async () => {
  const { code, err } = await sidecar(["fold", fixture, "--at", "101%"], { cwd })
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("can't read 101% as a moment") })
})

test.each([
  ["check", "--silense", "--silence"],
  ["agent", "--fualt", "--fault"],
])("%s %s gets the option that was meant", async (command, typed, meant) => {
  const { code, err } = await sidecar([command, typed, "3"], { cwd })
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(`did you mean ${meant}?`) })
})

test("replay into a pipe prints all of a log, however young", async () => {
  await Bun.write(join(cwd, "agent.log"), "one\ntwo\n")
  const { code, out } = await sidecar(["replay", "agent.log"], { cwd })
  expect(code).toBe(0)
  expect(out).toContain("  one\n  two\n")
})

test("a command refuses the options of others, mistyped ones and bad values", () => {
  const why = (...args: readonly string[]) => {
    const options = readOptions(args, {}, true)
    return options.command === "wrong" ? options.why : null
  }
  expect(why("run", "--timeout", "3", "--", "true")).toBe("run doesn't take --timeout")
  expect(why("demo", "--timeout", "3")).toBe("demo doesn't take --timeout")
  expect(why("replay", fixture, "--record", "x")).toBe("replay doesn't take --record")
  expect(why("demo", "--tehme", "dark")).toBe("unknown option --tehme; did you mean --theme?")
  expect(why("attach", "--timeout", "soon")).toBe("--timeout: expected a number from 0.1 to 86400, got soon")
})
