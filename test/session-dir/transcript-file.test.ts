// Tests that a transcript is read piece by piece, as far as somebody takes it.
import { expect, test } from "bun:test"
import { appendFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { TranscriptFile } from "../../src/session-dir/transcript-file.ts"
import { openedDirectory } from "../captured.ts"
import { eventText } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"

const root = fileScratch()
const path = join(root, "transcript.jsonl")
const rows = Array.from({ length: 300 }, (_, i) => eventText(i, "app/note"))

test("a transcript comes in pieces, each once the one before it was taken, until no more is wanted", async () => {
  await writeFile(path, `${rows.join("\n")}\n${eventText(300, "app/note")}`)
  const file = new TranscriptFile(await openedDirectory(root))
  const taken = async (most: number) => {
    const sizes: number[] = []
    let waiting = 0
    const { value } = await file.read(1e6, async ({ length }) => {
      expect(waiting++).toBe(0)
      await new Promise(setImmediate)
      waiting--
      return sizes.push(length) < most
    })
    return [sizes, value]
  }
  expect(await taken(9)).toEqual([[128, 128, 44, 1], { isComplete: true, restarted: false }])
  expect(await taken(2)).toEqual([[128, 128], { isComplete: true, restarted: false }])
})

test("of the end of a transcript no torn row is read, and one that was written anew begins again", async () => {
  await writeFile(path, `${rows.join("\n")}\n{"event":"torn`)
  const file = new TranscriptFile(await openedDirectory(root))
  const texts: string[] = []
  const read = (bytes: number) =>
    file.read(bytes, async all => {
      texts.push(...all.map(({ text }) => text))
      return true
    })
  expect((await read(200)).value).toEqual({ isComplete: false, restarted: false })
  expect(texts.at(-1)).toBe(rows[299] ?? "")
  expect(texts.length).toBeLessThan(4)
  await appendFile(path, '"}\n')
  expect((await read(20)).value?.restarted).toBe(false)
  await writeFile(path, `${rows[0]}\n`)
  expect((await read(1e6)).value).toEqual({ isComplete: true, restarted: true })
  await writeFile(join(root, "next"), `${rows[0]}\n${rows[1]}\n`)
  await rename(join(root, "next"), path)
  const size = `${rows[0]}\n${rows[1]}\n`.length
  expect((await read(size - 1)).value).toEqual({ isComplete: false, restarted: true })
  expect((await read(size)).value).toEqual({ isComplete: true, restarted: false })
})
