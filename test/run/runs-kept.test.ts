// Keeps what each small run of fixtures/runs tells, in the words of those readers that its file is about.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { root } from "../fixtures.ts"
import { tell } from "./lines.ts"
import { picture } from "./picture.ts"

/** The files, and which lines of a run's picture they keep. */
const FILES: Readonly<Record<string, RegExp>> = {
  events: /^(report\.(run|invocations|debug|log)\b(?!.*sage)|run: |row )/,
  notes: /^(report\b(?!.*sage)|row )/,
  charges: /^(report.*sage|session \d+: )/,
  late: /^(report.*sage|session \d+ turn \d+[:.])/,
  findings: /^(finding|report.run:)/,
  figures: /^(report\.(run:|invocations)|session \d+: |session \d+ turn \d+: )/,
  charts: /^chart/,
}

const NOTHING = new Set(picture(emptyRun))

/** The runs of a file: their names, and their lines. */
function runsOf(file: string): readonly (readonly [name: string, lines: readonly string[]])[] {
  const text = readFileSync(join(root, `fixtures/runs/${file}.txt`), "utf8")
  return text.split(/^# /m).flatMap(one => {
    const [name = "", ...lines] = one.trimEnd().split("\n")
    return name === "" ? [] : [[name, lines] as const]
  })
}

describe.each(Object.entries(FILES))("a run of %s", (file, kept) => {
  test.each(runsOf(file))("%s", (_, lines) => {
    const told = picture(tell(lines.map(decode))).filter(line => kept.test(line) && !NOTHING.has(line))
    expect(told.join("\n")).toMatchSnapshot()
  })
})
