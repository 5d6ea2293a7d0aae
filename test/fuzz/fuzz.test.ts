// Tests that no input throws or uses unbounded memory, and that malformed lines are counted and readable.
import { describe, expect, test } from "bun:test"
import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { report } from "../../src/run/select/report.ts"
import { randomOf } from "../chaos/random.ts"
import { type Ran, sidecar } from "../cli/ran.ts"
import { STEERING } from "../pty/sequences.ts"
import { fileScratch } from "../scratch.ts"
import { feed } from "./feed.ts"

const scratch = fileScratch()

/** `bun run nightly` feeds ten million. */
const MESSAGES = 8_000

for (const seed of [1, 2]) {
  test(`hostile frames of every kind fold without a throw, seed ${seed}`, () => {
    const { run, complaints, lines } = feed(MESSAGES, randomOf(seed))
    expect(complaints).toEqual([])
    expect(lines).toBeGreaterThanOrEqual(MESSAGES)
    for (const kind of ["event", "phase", "prompt", "debug", "control", "progress", "answer", "malformed"] as const) {
      expect(run.frames[kind]).toBeGreaterThan(100)
    }
    expect(run.log.malformed.reduce((sum, { raw }) => sum + raw.length, 0)).toBeLessThanOrEqual(64 * 1024)
  })
}

/** `bun run nightly` tells a million. */
test("frames of many unknown kinds are all counted, and the latest can be read", () => {
  let run = emptyRun
  for (let from = 0; from < 5000; from += 1000) {
    const lines = Array.from({ length: 1000 }, (_, index) => decode(`{"kind":"k${from + index}"}`))
    run = fold(run, lines)
  }
  expect(run.frames.malformed).toBe(5000)
  expect(run.log.malformed.length).toBeLessThanOrEqual(1024)
  expect(run.log.malformed.at(-1)).toMatchObject({ raw: '{"kind":"k4999"}', line: 5000 })
})

test("numbers that are malformed, too large or too small leave only numbers that can be shown", () => {
  const odd = ["1e999", "-1e999", "1e308", "-0", "1e-400", "9007199254740993", '"NaN"', '"12"', "null", "[1]"]
  const lines = odd.flatMap(number =>
    ["seq", "ts"]
      .map(key => `{"kind":"event","${key}":${number},"event":"llm/start","data":{"invokeid":"a","session-id":"s"}}`)
      .concat(
        ["coalesced", "output-tps"].map(
          key =>
            `{"kind":"event","event":"llm/delta","data":{"invokeid":"a","session-id":"s","text":"x","${key}":${number}}}`,
        ),
        `{"kind":"event","event":"llm/response","data":{"invokeid":"a","session-id":"s","usage":{"output-tokens":${number}}}}`,
        `{"kind":"progress","phase":"update","invokeid":"a","pct":${number}}`,
        `{"kind":"debug","paused":true,"step-budget":${number},"turn-index":${number}}`,
      ),
  )
  const printed = JSON.stringify(report(fold(emptyRun, lines.map(decode))))
  expect(printed).not.toMatch(/NaN|Infinity|e\+?308/)
})

describe("a file that is not a recording is refused or reported, without control characters:", () => {
  const good = '{"kind":"event","seq":1,"ts":1,"event":"llm/start","data":{"invokeid":"poet","session-id":"s"}}\n'
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256))
  const refused = /^[^\n]*: expected a recording, got a file without frames\n$/
  const files: readonly (readonly [string, () => string | Uint8Array, code: number, told: RegExp])[] = [
    ["truncated in the middle of a frame", () => good + good.slice(0, 40), 0, /"unread": 1/],
    ["one line of 20 MB", () => `${"x".repeat(20_000_000)}\n${good}`, 0, /"event": 1[\s\S]*longer than 16 MB/],
    ["binary behind a frame", () => Buffer.concat([Buffer.from(good), bytes]), 0, /"unread": [1-9]/],
    ["empty", () => "", 0, /"event": 0/],
    ["nothing but line ends", () => "\n".repeat(100_000), 0, /"event": 0/],
    ["binary", () => bytes, 2, refused],
    ["gzip", () => Bun.gzipSync(Buffer.from(good.repeat(100))), 2, refused],
  ]
  const names: readonly (readonly [string, (path: string) => Promise<unknown>, RegExp])[] = [
    ["a directory", path => mkdir(path), /no transcript\.jsonl in|no runs found/],
    ["/dev/zero", path => symlink("/dev/zero", path), /not a regular file/],
    ["a pipe", path => Bun.spawn(["mkfifo", path]).exited, /not a regular file/],
    ["a link to itself", path => symlink(path, path), /too many symbolic links/],
    ["a name with a terminal's codes", async () => undefined, /no such file/],
  ]
  const checkRan = ({ out, err }: Ran): void => {
    for (const text of [out, err]) expect(STEERING.exec(text)).toBeNull()
  }
  test.each(files)("%s", async (name, content, code, told) => {
    const path = join(scratch, `${name}.jsonl`)
    await Bun.write(path, content())
    const ran = await sidecar(["fold", path], { cwd: scratch })
    checkRan(ran)
    expect(ran.code).toBe(code)
    expect(ran.out + ran.err).toMatch(told)
  })
  test.each(names)("%s", async (name, make, words) => {
    const path = join(scratch, `\u001b[2J\u009b\u202e${name.replaceAll("/", "")}`)
    await make(path)
    // All commands open a path in the same way.
    const others = name === "a pipe" ? [["replay"], ["export", "--as", "md"], ["compare"]] : []
    for (const command of [["fold"], ...others]) {
      const ran = await sidecar([...command, path], { cwd: scratch })
      checkRan(ran)
      expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(words)])
      expect(ran.err.trimEnd().split("\n")).toHaveLength(1)
    }
  })
})
