// Tests which files are taken for recordings by their beginning.
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { recordingAt } from "../../src/transport/recording-head.ts"
import { InputError } from "../../src/transport/recording-path.ts"

const directory = mkdtempSync(join(tmpdir(), "recording-head-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const event = '{"event":"runner/started","seq":0,"ts":1,"data":{}}'

test.each([
  ["empty, since it may grow", ""],
  ["only blank lines", "\n\n"],
  ["begun with half a line", event.slice(0, 20)],
  ["begun with a line longer than what is read of it", `{"kind":"event","data":"${"x".repeat(100_000)}"}\n`],
  ["begun with a long line that is no frame", `${"x".repeat(100_000)}\n${event}\n`],
  ["of a transcript", `${event}\n`],
  ["without a line end", event],
  ["of frames that this program doesn't know", '{"kind":"newer"}\n'],
  ["begun with a line that is no frame", `garbage\n"quoted"\n${event}\n`],
  ["begun with our own bookkeeping", '{"kind":"sidecar","at":1,"what":"link"}\n'],
])("a file is taken for a recording if it is %s", (_, text) => {
  const path = join(directory, "file.jsonl")
  writeFileSync(path, text)
  expect(recordingAt(path)).toBe(path)
})

test.each([
  ["prose", "# Title\n\nText.\n"],
  ["prose without a line end", "Text"],
  ["a JSON object over several lines", '{\n  "compilerOptions": {}\n}\n'],
  ["a JSON object on one line", '{"name":"x"}'],
  ["rows of something else", '{"type":"user"}\n{"type":"assista'],
  ["bytes", "\0\u0001\u0002garbage"],
])("a file of %s is no recording", (_, text) => {
  const path = join(directory, "file\u001b.txt")
  writeFileSync(path, text)
  const shown = path.replace("\u001b", "␛")
  expect(() => recordingAt(path)).toThrow(new InputError(`${shown}: expected a recording, got a file without frames`))
})
