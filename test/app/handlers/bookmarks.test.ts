// Tests where bookmarks are kept: in one private file for each run.
import { expect, test } from "bun:test"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { BookmarkFile, Bookmarks } from "../../../src/app/handlers/bookmarks.ts"
import { features } from "../../../src/panels/plan.ts"
import { decodeLine } from "../../../src/transport/message.ts"
import type { Intent } from "../../../src/view/intent.ts"
import { createStore } from "../../../src/view/store.ts"
import { open } from "../../panels/planned.ts"
import { event } from "../../run/lines.ts"
import { fileScratch } from "../../scratch.ts"
import { ManualClock } from "../../transport/manual-clock.ts"
import { until } from "../../until.ts"
import { notPrivate } from "../open-run.ts"

const scratch = fileScratch()

const marks = [{ epoch: 0, seq: 5, note: "here" }]

test("the bookmarks of a run are read back for that run and for no other", async () => {
  const directory = join(scratch, "a", "b")
  const complaints: string[] = []
  const file = new BookmarkFile(directory, why => complaints.push(why))
  expect(await file.open("session/../x")).toEqual([])
  await Promise.all([file.write([]), file.write(marks)])
  expect(await new BookmarkFile(directory, () => undefined).open("session/../x")).toEqual(marks)
  expect(await new BookmarkFile(directory, () => undefined).open("other")).toEqual([])
  // Other versions of the program find it by this name.
  const name = "7a38059b2df2ee138cf1c72bbcc18a9c.json"
  expect([await readdir(directory), notPrivate(directory), complaints]).toEqual([[name], [], []])
})

test("two screens of one run keep each other's bookmarks, and a deletion in one holds in both", async () => {
  const directory = join(scratch, "two")
  const [one, other] = [new BookmarkFile(directory, () => undefined), new BookmarkFile(directory, () => undefined)]
  const mark = (seq: number, note = "") => ({ epoch: 0, seq, note })
  expect([await one.open("run"), await other.open("run")]).toEqual([[], []])
  await one.write([mark(1), mark(2)])
  await other.write([mark(3)])
  await one.write([mark(1), mark(2, "noted")])
  await other.write([mark(3), mark(4)])
  await one.write([mark(2, "noted")])
  const kept = await new BookmarkFile(directory, () => undefined).open("run")
  expect(kept).toEqual([mark(2, "noted"), mark(3), mark(4)])
})

test("a run's bookmarks are read once it has a name; a recording has those of its live run too, a transcript has not", async () => {
  const directory = join(scratch, "live")
  const first = '{"kind":"event"}'
  for (const [key, seq] of Object.entries({ ":session/1": 5, [first]: 7 })) {
    const file = new BookmarkFile(directory, () => undefined)
    await file.open(key)
    await file.write([{ epoch: 0, seq, note: "" }])
  }
  const known = async (recording: string | null, list: string, sessionId = ":session/1") => {
    const store = createStore({ ...features, link: open })
    const told: string[] = []
    const ask = (intent: Intent) => {
      if (intent.type === "bookmarks/known") told.push(intent.list.map(({ seq }) => seq).join())
    }
    const { signal } = new AbortController()
    const context = { store, clock: new ManualClock(), signal, ask, notify: () => undefined }
    const bookmarks = new Bookmarks(context, directory, recording)
    bookmarks.folded(recording === null ? [] : [{ text: first, frame: decodeLine(first) }])
    store.dispatch({ type: "frames", frames: [event(0, "runner/started", { "session-id": sessionId })] })
    for (let times = 0; times < 2; times++) bookmarks.folded([{ text: "later", frame: decodeLine("later") }])
    await until(() => told.length >= list.split(" ").length)
    await new BookmarkFile(directory, () => undefined).open("none")
    expect(told.sort().join(" ")).toBe(list)
  }
  await known(null, "5")
  await known("run.jsonl", "5 7")
  await known("run.jsonl", "7", ":other")
  await known("session/transcript.jsonl", "7")
})

test("a file that cannot be written is reported without a throw, and leaves no other", async () => {
  const complaints: string[] = []
  await writeFile(join(scratch, "file"), "")
  const file = new BookmarkFile(join(scratch, "file/below"), why => complaints.push(why))
  const before = await file.open("x")
  await file.write(marks)
  expect([before, complaints.length]).toEqual([[], 1])
  const directory = join(scratch, "taken")
  const taken = new BookmarkFile(directory, why => complaints.push(why))
  await taken.open("x")
  await taken.write(marks)
  const [name = ""] = await readdir(directory)
  await rm(join(directory, name))
  await mkdir(join(directory, name))
  await taken.write([])
  expect([complaints.length, await readdir(directory)]).toEqual([2, [name]])
})
