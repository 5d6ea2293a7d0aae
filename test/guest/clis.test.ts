// Tests what the command line of a CLI tells; entries-kept.test.ts and logs-kept.test.ts keep what its lines do.
import { expect, test } from "bun:test"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { loginOf, promptOf } from "../../src/guest/cli-names.ts"
import { fileScratch } from "../scratch.ts"

test("a CLI that was started without the flags that make it stream is warned of", () => {
  const parser = startParser(chooseParser(undefined, fileScratch(), ["codex", "hi"]))
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
