// Tests which file a path means: a recording, or the transcript of a session directory.
import { expect, test } from "bun:test"
import { readdirSync, writeFileSync } from "node:fs"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileScratch } from "../../../../test/scratch.ts"
import {
  describeFileError,
  InputError,
  openRecording,
  openRecordingSync,
  recordingAt,
  recordingPath,
  sessionDirectoryOf,
} from "../../src/files/recording-path.ts"

const dir = fileScratch()

test("the path of a file is the recording itself, whatever its name", async () => {
  const path = join(dir, "run.jsonl")
  await writeFile(path, "")
  await symlink(path, join(dir, "link"))
  expect(recordingPath(path)).toBe(path)
  expect(recordingPath(join(dir, "link"))).toBe(join(dir, "link"))
})

test("the path of a session directory is its transcript, and that of no other recording is one", async () => {
  const transcript = join(dir, "ses_1", "transcript.jsonl")
  await mkdir(join(dir, "ses_1"))
  await writeFile(transcript, "")
  expect(recordingPath(join(dir, "ses_1"))).toBe(transcript)
  expect([transcript, join(dir, "my-transcript.jsonl")].map(sessionDirectoryOf)).toEqual([join(dir, "ses_1"), null])
})

test("a missing file, or a directory without a transcript, is an error on one sanitized line", async () => {
  await mkdir(join(dir, "bare"))
  expect(() => recordingPath(join(dir, "bare"))).toThrow(new InputError(`no transcript.jsonl in ${join(dir, "bare")}`))
  expect(() => recordingPath(join(dir, "absent"))).toThrow(new InputError(`${join(dir, "absent")}: no such file`))
  // A session within one is of a database, which this folder is not.
  const inner = join(dir, "ses_1", "ses_2")
  expect(() => recordingPath(inner)).toThrow(new InputError(`${inner}: no such file`))
  const below = join(dir, "run.jsonl", "x")
  expect(() => recordingPath(below)).toThrow(new InputError(`${below}: no such file`))
  expect(() => recordingPath("/no\u001b[2J\nwhere")).toThrow(new InputError("/no␛[2J␊where: no such file"))
  expect(() => recordingPath("/no\u0000where")).toThrow(InputError)
})

test("a pipe, a device, or a directory in place of the transcript is an error and is never opened", async () => {
  const pipe = join(dir, "pipe")
  await Bun.spawn(["mkfifo", pipe]).exited
  await mkdir(join(dir, "odd", "transcript.jsonl"), { recursive: true })
  expect(() => recordingPath(pipe)).toThrow(new InputError(`not a regular file: ${pipe}`))
  expect(() => recordingPath("/dev/zero")).toThrow(new InputError("not a regular file: /dev/zero"))
  const odd = join(dir, "odd", "transcript.jsonl")
  expect(() => recordingPath(join(dir, "odd"))).toThrow(new InputError(`not a regular file: ${odd}`))
})

test("what is no regular file is opened by none, and nothing is left open by any", async () => {
  const open = () => readdirSync("/proc/self/fd").length
  const before = open()
  for (let i = 0; i < 30; i++) {
    expect(recordingAt(join(dir, "run.jsonl"))).toEndWith("run.jsonl")
    expect(() => openRecordingSync(dir)).toThrow("not a regular file")
    await expect(openRecording(dir)).rejects.toThrow("not a regular file")
  }
  expect(open()).toBeLessThan(before + 9)
})

test("a rare error is described by what could not be done, and its code if it has one", () => {
  const told = [{}, 7, null, { code: "EI\u0007O" }, { code: "EROFS" }].map(error => describeFileError(error, "torn"))
  expect(told).toEqual(["torn", "torn", "torn", "torn (EI␇O)", "read-only file system"])
})

const event = '{"event":"runner/started","seq":0,"ts":1,"data":{}}'

test.each([
  ["empty, since it may grow", ""],
  ["only blank lines", "\n\n"],
  ["begun with half a line", event.slice(0, 20)],
  ["begun with a line longer than what is read of it", `{"kind":"event","data":"${"x".repeat(100_000)}"}\n`],
  ["begun with a long line that is no frame", `${"x".repeat(100_000)}\n${event}\n`],
  ["of a line that is long already", "x".repeat(16_384)],
  ["of a transcript", `${event}\n`],
  ["without a line end", event],
  ["of frames that this program doesn't know", '{"kind":"newer"}\n'],
  ["of a malformed event", '{"event":7}\n'],
  ["begun with a line that is no frame", `garbage\n"quoted"\n${event}\n`],
  ["begun with our own bookkeeping", '{"kind":"sidecar","at":1,"what":"link"}\n'],
])("a file is taken for a recording if it is %s", (_, text) => {
  const path = join(dir, "file.jsonl")
  writeFileSync(path, text)
  expect(recordingAt(path)).toBe(path)
})

test.each([
  ["prose", "# Title\n\nText.\n"],
  ["prose without a line end", "Text".repeat(4095)],
  ["a JSON object over several lines", '{\n  "compilerOptions": {}\n}\n'],
  ["a JSON object on one line", '{"name":"x"}'],
  ["rows of something else", '{"type":"user"}\n{"type":"assista'],
  ["a JSON object that is torn by a line end", '{"name":\n'],
  ["bytes", "\0\u0001\u0002garbage"],
  ["many bytes without a line end", "\0".repeat(20_000)],
])("a file of %s is no recording", (_, text) => {
  const path = join(dir, "file\u001b.txt")
  writeFileSync(path, text)
  const shown = path.replace("\u001b", "␛")
  expect(() => recordingAt(path)).toThrow(new InputError(`${shown}: expected a recording, got a file without frames`))
})
