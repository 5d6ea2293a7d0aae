// Keeps what recordings tell: all readers' words at the first tenth of their lines, and what is new or gone with each further one.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Captured } from "../../packages/wire/src/capture.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { decodePrices } from "../../src/run/model/prices.ts"
import { initialRun } from "../../src/run/model/run.ts"
import { readCapture } from "../../src/session-dir/capture-file.ts"
import { openedDirectory } from "../captured.ts"
import { root } from "../fixtures.ts"
import { picture } from "./picture.ts"

const FAILING = join(root, "fixtures/failing-run")

/** The captures that a recording's lines name, of those that are there. */
async function capturesOf(text: string): Promise<ReadonlyMap<string, Captured>> {
  const refs = new Set(text.match(/nodes\/[^"]+\.edn/g))
  const directory = await openedDirectory(FAILING)
  const read = [...refs].map(async ref => [ref, await readCapture(directory, ref)] as const)
  return new Map(await Promise.all(read))
}

/** Which of a run's facts a line tells. */
const headOf = (line: string): string => line.slice(0, line.indexOf(": "))

test.each([
  ["frames/tea.jsonl"],
  ["frames/odd.jsonl"],
  ["failing-run/transcript.jsonl"],
  ["frames/prompts.jsonl"],
  ["frames/debugger.jsonl"],
  ["recordings/haiku-tournament.jsonl"],
])("%s", async path => {
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

test("a run with little in memory tells what it still can", async () => {
  const lines = (await Bun.file(join(root, "fixtures/frames/tea.jsonl")).text()).split("\n").map(decode)
  const whole = new Set(picture(fold(initialRun({}), lines)))
  const little = picture(fold(initialRun({ rowWindow: 0, textBudget: 100 }), lines))
  expect(little.filter(line => !whole.has(line)).join("\n")).toMatchSnapshot()
})
