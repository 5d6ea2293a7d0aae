// Reads the logs of CLIs whose programs can't be had, and chooses the reader of each CLI.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { readOptions } from "../../src/cli/options.ts"
import { chooseParser, isLog, startParser } from "../../src/guest/choose-parser.ts"
import { loginOf, promptOf } from "../../src/guest/cli-names.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { blocksOf, logWords, runFrom } from "./reading.ts"

const scratch = fileScratch()

/** The recording that a log is converted to. */
async function framesOf(path: string): Promise<readonly string[]> {
  const parser = startParser(chooseParser(undefined, scratch))
  const conversion = await LogConversion.open(path, scratch, parser, { grows: false })
  const lines = (await Bun.file(conversion.path).text()).trimEnd().split("\n")
  conversion.close()
  return lines
}

/** What was shown of these logs before we had readers of our own. */
test.each(["cursor", "grok"])("a log of %s shows what it always did", async cli => {
  const log = join(root, "fixtures/cli", `${cli}.jsonl`)
  const expected = await Bun.file(log.replace(".jsonl", ".expected.json")).json()
  expect(isLog(log)).toBe(true)
  const run = runFrom(await framesOf(log))
  const [session] = run.sessions
  const { requests, input, output, cached, written, nanos } = run.facts.ledger.total
  expect({
    blocks: blocksOf(run).map(block => block.replace(/ \d+ ms:/, ":")),
    status: run.status,
    session: session?.sessionId,
    model: run.turnBuffers[0]?.turn.model ?? null,
    stopReason: session?.stopReason ?? null,
    ...{ turns: session?.turns, requests, input, output },
    ...{ cached: cached || null, written: written || null, cost: nanos / 1e9 || null },
  }).toEqual({ ...expected, status: "finished" })
})

test("a step of Kimi that tells no usage has none, not that of the step before", async () => {
  const whole = await Bun.file(join(root, "fixtures/agents/sessions/kimi-2.1.0.jsonl")).text()
  const lines = whole.trimEnd().split("\n")
  const step = lines.filter(line => /"(step.begin|content.part|step.end)"/.test(line))
  const outputOf = async (...texts: readonly string[]) => {
    const path = join(scratch, `kimi-${texts.length}.jsonl`)
    await Bun.write(path, texts.join("\n"))
    return runFrom(await framesOf(path)).facts.ledger.total.output
  }
  expect([await outputOf(...lines), await outputOf(...lines, ...step)]).toEqual([12, 12])
})

test("a reply of Gemini CLI that tells no tokens has none", async () => {
  const whole = await Bun.file(join(root, "fixtures/agents/sessions/gemini-0.61.0.jsonl")).text()
  const path = join(scratch, "untold.jsonl")
  await Bun.write(path, whole.replaceAll('"tokens":', '"told":'))
  expect((await framesOf(path)).filter(frame => frame.includes('"usage"'))).toEqual([])
})

test("a line that has no type within what it carries is told as such", async () => {
  const path = join(scratch, "typeless.jsonl")
  const thread = '{"type":"thread.started","thread_id":"t"}'
  await Bun.write(path, [thread, '{"type":"item.completed","item":{}}', '{"type":"item.completed"}', "{}"].join("\n"))
  expect(logWords(runFrom(await framesOf(path))).filter(words => words.includes("not read"))).toEqual([
    "item without a type (not read; --debug-unknown shows it)",
    "a line without a type (not read; --debug-unknown shows it)",
  ])
})

describe("without --parser", () => {
  const PARTIAL = "--include-partial-messages"
  const choice = (...command: readonly string[]) => chooseParser(undefined, scratch, command)

  test.each([
    ["claude", `claude -p hi --output-format stream-json --verbose ${PARTIAL}`],
    ["claude", `/opt/bin/claude --print --output-format=stream-json --verbose ${PARTIAL} hi`],
    ["codex", "codex exec --json hi"],
    ["gemini", "gemini -p hi -o stream-json"],
    ["opencode", "opencode run --format json hi"],
    ["cursor", "cursor-agent -p --output-format stream-json hi"],
    ["pi", "pi --mode json hi"],
    ["grok", "grok -p hi --output-format streaming-json"],
    ["kimi", "kimi -p hi --output-format stream-json"],
  ] as const)("is read by the reader of %s: %s", (cli, command) => {
    expect(choice(...command.split(" "))).toEqual({ type: "cli", cli })
  })

  test.each([
    ["claude", "-p --output-format stream-json --verbose --include-partial-messages --forward-subagent-text"],
    ["codex", "exec --json"],
    ["gemini", "--output-format stream-json -p"],
    ["opencode", "run --format json"],
    ["cursor-agent", "-p --output-format stream-json"],
    ["pi", "--mode json -p"],
    ["grok", "--output-format streaming-json -p"],
    ["kimi", "-p --output-format stream-json"],
  ])("%s started without them names the flags %s", async (command, flags) => {
    const parser = startParser(choice(command, "hi"))
    const [hint] = parser.takeWarnings()
    expect(hint).toBe(`to see what it does, start it by run ${command} "…" without --, or with ${flags}`)
    expect(parser.name).toBeNull()
  })

  test("any other command is read by what its first lines tell", () => {
    expect(choice("sh", "-c", "claude")).toEqual({ type: "open", hint: null })
  })

  test("run CLI PROMPT starts the CLI with the flags that make it stream, and behind -- nothing is added", () => {
    const commandOf = (...args: readonly string[]) => {
      const options = readOptions(args, {}, true)
      return options.command === "watch" && options.source.type === "run" ? options.source.command : null
    }
    const STREAMS = ["--output-format", "stream-json", "--verbose", PARTIAL, "--forward-subagent-text"]
    expect(commandOf("run", "--plain", "claude", "why does", "it fail?")).toEqual([
      "claude",
      "-p",
      "why does it fail?",
      ...STREAMS,
    ])
    expect(commandOf("run", "codex", "why?")).toEqual(["codex", "exec", "--json", "why?"])
    expect(commandOf("run", "--", "claude", "why?")).toEqual(["claude", "why?"])
    expect(commandOf("run", "make", "all")).toEqual(["make", "all"])
  })

  const CONTROLLED =
    "claude -p --input-format stream-json --output-format stream-json --verbose --include-partial-messages " +
    "--forward-subagent-text --permission-prompt-tool stdio"
  test.each([
    ["run claude why", true, "claude", CONTROLLED, "why", true],
    ["run claude", true, "claude", CONTROLLED, null, true],
    ["run --read-only claude why", true, null, null, null, true],
    ["run claude why", false, null, null, null, false],
    ["run opencode acp why not", true, "acp", "opencode acp", "why not", true],
    ["run --acp gemini why", false, "acp", "gemini --acp", "why", false],
    ["run --acp claude-agent-acp why", true, "acp", "claude-agent-acp", "why", true],
    ["run codex-acp why", true, "acp", "codex-acp", "why", true],
    ["run opencode why", true, null, null, null, true],
    ["run --prompt why -- gemini --acp -m x", true, "acp", "gemini --acp -m x", "why", true],
    ["run --acp -- mine serve", true, "acp", "mine serve", null, true],
    ["run -- gemini -p x", true, null, null, null, true],
    ["run -- other --input-format --permission-prompt-tool stdio", true, null, null, null, true],
  ])("%s (with a screen: %p) talks %p", (words, interactive, protocol, command, prompt, asks) => {
    const options = readOptions(words.split(" "), {}, interactive)
    const source = options.command === "watch" && options.source.type === "run" ? options.source : null
    const talk = source?.talk
    expect(source).not.toBeNull()
    expect([talk?.protocol ?? null, talk?.command.join(" ") ?? null, talk?.prompt ?? null]).toEqual([
      ...[protocol, command, prompt],
    ])
    expect(talk?.asks ?? asks).toBe(asks)
  })

  test("nobody can type the first prompt into a pipe, and one that nothing takes is refused", () => {
    expect(readOptions(["run", "opencode", "acp"], {}, false)).toMatchObject({
      why: "nobody can type the prompt here: --prompt TEXT gives it",
    })
    expect(readOptions(["run", "--prompt", "x", "--", "make"], {}, true)).toMatchObject({
      why: "--prompt is for a command that is talked to, as with --acp",
    })
  })

  test.each([
    [["claude", "-p", "why?", "--verbose"], "why?"],
    [["claude", "-p", "--output-format", "stream-json", "why does it fail?"], "why does it fail?"],
    [["codex", "exec", "--json", "why?"], null],
    [["codex", "exec", "--json", "why does it fail?"], "why does it fail?"],
    [["claude", "-p", "--model", "opus"], null],
    [["make", "-p", "all"], null],
  ] as const)("the prompt of %j is %p, and none where a word may be the value of a flag", (command, prompt) => {
    expect(promptOf(command)).toBe(prompt)
  })
})

test.each([
  ["codex", "to log in, run codex login, or set OPENAI_API_KEY"],
  ["pi", "to log in, start pi and type /login, or set the key of your provider"],
] as const)("how a person logs in to %s is said with its command", (cli, words) => expect(loginOf(cli)).toBe(words))
