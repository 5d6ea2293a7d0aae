// Tests what logs of CLIs do not tell, and which reader each CLI has; logs-kept.test.ts keeps what they tell.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { loginOf, promptOf } from "../../src/guest/cli-names.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { logWords, runFrom } from "./reading.ts"

const scratch = fileScratch()

/** The recording that a log is converted to. */
async function framesOf(path: string): Promise<readonly string[]> {
  const parser = startParser(chooseParser(undefined, scratch))
  const conversion = await LogConversion.open(path, scratch, parser, { grows: false })
  const lines = (await Bun.file(conversion.path).text()).trimEnd().split("\n")
  conversion.close()
  return lines
}

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

test("a CLI that was started without the flags that make it stream is warned of", () => {
  const parser = startParser(chooseParser(undefined, scratch, ["codex", "hi"]))
  const hint = 'to see what it does, start it by run codex "…" without --, or with exec --json'
  expect([parser.takeWarnings(), parser.name]).toEqual([[hint], null])
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

test.each([
  ["codex", "to log in, run codex login, or set OPENAI_API_KEY"],
  ["pi", "to log in, start pi and type /login, or set the key of your provider"],
] as const)("how a person logs in to %s is said with its command", (cli, words) => expect(loginOf(cli)).toBe(words))
