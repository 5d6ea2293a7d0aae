// Tests that a failing run explains itself within five keys of the opening screen, by the truth that is written beside it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const RUN = join(root, "fixtures/failing-run")

async function open(): Promise<Terminal> {
  const prices = join(RUN, "prices.json")
  const cmd = [join(root, "bin/opentui-sidecar"), "replay", RUN, "--timing", "instant", "--prices", prices]
  const terminal = await openTerminal({ cmd, cols: 120, rows: 40 })
  await terminal.waitFor("159/159")
  await terminal.waitFor("LOG  54")
  return terminal
}

/**
 * Presses keys one after the other, each once the screen shows what the one before it led to, until the screen answers
 * in each of these words. Captures are read from files, so an answer may come a moment after the last key.
 */
async function answer(
  keys: readonly (readonly [key: string, shows: string])[],
  ...words: readonly (string | RegExp)[]
): Promise<void> {
  expect(keys.length).toBeLessThanOrEqual(5)
  await using terminal = await open()
  for (const [key, shows] of keys) {
    terminal.press(key)
    await terminal.waitFor(shows)
  }
  for (const word of words) await terminal.waitFor(word)
}

const FIRST_ERROR = [
  ["E", "157/159"],
  ["E", "123/159"],
  ["E", "96/159"],
] as const

test("what failed first: run_tests of coder 2, because its directory does not exist", async () => {
  await answer(FIRST_ERROR, /coder 2 +✗ tool error +run_tests .*ENOENT/)
})

test("with which arguments: cwd is /srv/shop-old", async () => {
  await answer([...FIRST_ERROR, ["\r", "DATA"], ["\r", "─ coder 2"]], "cwd: /srv/shop-old")
})

test("what changed before it: the input grew from 5,200 to 16,400 tokens by a result of read_file", async () => {
  await answer(
    [...FIRST_ERROR, ["vm", "─ coder 2 turn 2"]],
    /turn before: input +5,200 tokens +→ 16,400 tokens/,
    /tool result .*read_file/,
    /coder 1: messages, turn 1/,
  )
})

test("who was asked, and how long it took: ask-deploy, 31 s", async () => {
  await answer([["vm", "─ deployer turn 1"]], /answer after 31\.0s .*ask-deploy +answer/)
})

test("what it cost: 31 cents and a reply of unknown cost, nine of them for coding", async () => {
  await using terminal = await open()
  expect((await terminal.screen())[0]).toContain("$0.31+")
  await answer([["$", "COST"]], /coding .*\$0\.09/)
})

test("why it went to deploying: coding was done without tests", async () => {
  await answer(
    [
      ["[s", "155/159"],
      ["[s", "139/159"],
      ["v", "─ deploying"],
    ],
    /left before[\s\S]*"passed"[\s\S]*coding\.done[\s\S]*\{"tests":null\}[\s\S]*deploying/,
  )
})

test("what filled the context: 99 % of it is coverage/lcov.info, which read_file read since the turn before", async () => {
  await answer(
    [...FIRST_ERROR, ["%m", "CONTEXT"]],
    /▌ {2}turn 2 +16,400 +32% .* 82%/,
    "16,400 in  ·  +11,200 since turn 1  ·  limit 20,000  ·  5,200 cached",
    /R read_file {2}\{"path":"coverage\/lcov\.info"\} +~16,196 +99% +new/,
    "2 parts new since turn 1: ~16,223",
  )
})
