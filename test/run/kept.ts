// Keeps what small runs and recordings tell, for the tests beside the code that tells it.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Captured } from "../../packages/wire/src/capture.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { decodePrices } from "../../src/run/model/prices.ts"
import { emptyRun, initialRun } from "../../src/run/model/run.ts"
import { readCapture } from "../../src/session-dir/capture-file.ts"
import { openedDirectory } from "../captured.ts"
import { root } from "../fixtures.ts"
import { tell } from "./lines.ts"
import { picture } from "./picture.ts"

const FAILING = join(root, "fixtures/failing-run")
const NOTHING = new Set(picture(emptyRun))

/** The runs or stories of a file of fixtures/runs: their names, and their lines. */
export function storiesOf(file: string): readonly (readonly [name: string, lines: readonly string[]])[] {
  const text = readFileSync(join(root, `fixtures/runs/${file}.txt`), "utf8")
  return text.split(/^# /m).flatMap(one => {
    const [name = "", ...lines] = one.trimEnd().split("\n")
    return name === "" ? [] : [[name, lines] as const]
  })
}

/** Tests that keep what each run of a file of fixtures/runs tells: those lines of its picture that match. */
export function keepRuns(file: string, kept: RegExp): void {
  describe(`a run of ${file}`, () => {
    test.each(storiesOf(file))("%s", (_, lines) => {
      const told = picture(tell(lines.map(decode))).filter(line => kept.test(line) && !NOTHING.has(line))
      expect(told.join("\n")).toMatchSnapshot()
    })
  })
}

/** The captures that a recording's lines name, of those that are there. */
async function capturesOf(text: string): Promise<ReadonlyMap<string, Captured>> {
  const refs = new Set(text.match(/nodes\/[^"]+\.edn/g))
  const directory = await openedDirectory(FAILING)
  const read = [...refs].map(async ref => [ref, await readCapture(directory, ref)] as const)
  return new Map(await Promise.all(read))
}

/** Which of a run's facts a line tells. */
const headOf = (line: string): string => line.slice(0, line.indexOf(": "))

/** Tests that keep what recordings tell at a tenth of their lines, and what is new or gone with each further one. */
export function keepRecordings(...paths: readonly string[]): void {
  test.each(paths)("%s", async path => {
    const text = await Bun.file(join(root, "fixtures", path)).text()
    const lines = text.split("\n")
    const prices = decodePrices(await Bun.file(join(FAILING, "prices.json")).text()) ?? new Map()
    const captures = path.startsWith("failing-run") ? await capturesOf(text) : new Map()
    let run = initialRun({ prices })
    let before = new Set<string>()
    for (let tenth = 1; tenth <= 10; tenth++) {
      run = fold(run, lines.slice(run.frames.lines, Math.round((lines.length * tenth) / 10)).map(decode))
      const now = picture(run, captures)
      const heads = new Set(now.map(headOf))
      const gone = [...before].filter(line => !heads.has(headOf(line))).map(line => `- ${headOf(line)}`)
      const come = now.filter(line => !before.has(line))
      expect(`${[...gone, ...come].join("\n")}\n`).toMatchSnapshot(`${tenth}0 %`)
      before = new Set(now)
    }
  })
}

/** A test that keeps what a run tells at its end, in which much happens by chance. */
export function keepMixed(name: string): void {
  test(`a run of chance: ${name}`, async () => {
    const text = await Bun.file(join(root, `fixtures/runs/${name}.jsonl`)).text()
    expect(picture(tell(text.split("\n").map(decode))).join("\n")).toMatchSnapshot()
  })
}
