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

/** Presses keys one after the other, each once the screen shows what the one before it led to. */
async function answer(keys: readonly (readonly [key: string, shows: string | RegExp])[]): Promise<string> {
  expect(keys.length).toBeLessThanOrEqual(5)
  await using terminal = await open()
  for (const [key, shows] of keys) {
    terminal.press(key)
    await terminal.waitFor(shows)
  }
  return (await terminal.screen()).join("\n")
}

const FIRST_ERROR = [
  ["E", "157/159"],
  ["E", "123/159"],
  ["E", "96/159"],
] as const

test("what failed first: run_tests of coder 2, because its directory does not exist", async () => {
  expect(await answer(FIRST_ERROR)).toMatch(/coder 2 +✗ tool error +run_tests .*ENOENT/)
}, 60_000)

test("with which arguments: cwd is /srv/shop-old", async () => {
  const screen = await answer([...FIRST_ERROR, ["\r", "ENTRY"], ["\r", "TRANSCRIPT"]])
  expect(screen).toContain("cwd: /srv/shop-old")
}, 60_000)

test("what changed before it: the input grew from 5,200 to 16,400 tokens by a result of read_file", async () => {
  const screen = await answer([...FIRST_ERROR, ["v", "WHY  coder 2 turn 2"]])
  expect(screen).toMatch(/turn before: input +5,200 tokens +→ 16,400 tokens/)
  expect(screen).toMatch(/tool result .*read_file/)
  expect(screen).toMatch(/coder 1: messages, turn 1/)
}, 60_000)

test("who was asked, and how long it took: ask-deploy, 31 s", async () => {
  expect(await answer([["v", "WHY  deployer turn 1"]])).toMatch(/answer after 31\.0s .*ask-deploy +answer/)
}, 60_000)

test("what it cost: 31 cents and a reply of unknown cost, nine of them for coding", async () => {
  await using terminal = await open()
  expect((await terminal.screen())[0]).toContain("$0.31+")
  const screen = await answer([
    ["i", "1 Invocations"],
    ["8", "LEDGER"],
  ])
  expect(screen).toMatch(/coding .*\$0\.09/)
}, 60_000)

test("why it went to deploying: coding was done without tests", async () => {
  const screen = await answer([
    ["{", "155/159"],
    ["{", "139/159"],
    ["v", "WHY  deploying"],
  ])
  expect(screen).toMatch(/"passed".* → coding\.done \{"tests":null\} → deploying/)
}, 60_000)

test("what filled the context: 99 % of it is coverage/lcov.info, which read_file read since the turn before", async () => {
  const screen = await answer([...FIRST_ERROR, ["%", /R read_file/]])
  expect(screen).toMatch(/▌ {2}turn 2 +16,400 +32% .* 82%/)
  expect(screen).toContain("16,400 in  ·  +11,200 since turn 1  ·  5,200 cached  ·  limit 20,000")
  expect(screen).toMatch(/R read_file {2}\{"path":"coverage\/lcov\.info"\} +~16,196 +99% +new/)
  expect(screen).toContain("2 parts new since turn 1: ~16,223")
}, 60_000)
