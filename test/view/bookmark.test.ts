// Tests that bookmarks find their rows by epoch and seq, and are read back.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import {
  type Bookmark,
  bookmarkOf,
  bookmarkRows,
  changedMarks,
  indexOfBookmark,
  readBookmarks,
  withBookmark,
} from "../../src/view/bookmark.ts"
import { forAll } from "../for-all.ts"
import { event, rowsOf } from "../run/lines.ts"

const note = (seq: number | null) => event(seq, "test/note", { seq })

test("a bookmark finds its row in its own epoch, also after late rows came before it", () => {
  const mark = { epoch: 0, seq: 7, note: "" }
  const run = fold(emptyRun, [note(2), note(null), note(7), note(null), note(9)])
  expect(rowsOf(run)[indexOfBookmark(run, mark) ?? -1]?.seq).toBe(7)
  const healed = fold(run, [note(5), note(4), event(0, "runner/started", {}), note(7)])
  expect(rowsOf(healed)[indexOfBookmark(healed, mark) ?? -1]).toMatchObject({ seq: 7, epoch: 0 })
  expect(rowsOf(healed)[indexOfBookmark(healed, { ...mark, epoch: 1 }) ?? -1]).toMatchObject({ seq: 7, epoch: 1 })
  expect(indexOfBookmark(run, { ...mark, seq: 10 })).toBe(null)
})

test("a row has one bookmark, and the list is in the order of the log", () => {
  const list = [
    { epoch: 1, seq: 2, note: "c" },
    { epoch: 0, seq: 9, note: "a" },
    { epoch: 1, seq: 2, note: "b" },
  ].reduce(withBookmark, readBookmarks([]))
  expect(list.map(({ note: text }) => text)).toEqual(["a", "b"])
})

test("the rows that are marked stand in the order they came", () => {
  const run = fold(emptyRun, [note(3), note(2), event(9, "x"), event(0, "runner/started", {}), note(2)])
  const marks = [2, 3, 12, 17].map(one => ({ epoch: Math.floor(one / 10), seq: one % 10, note: "" }))
  expect(bookmarkRows(run, marks).map(row => `${row.epoch} ${row.seq}`)).toEqual(["0 3", "0 2", "1 2"])
})

test("marks that another window set, changed and deleted are taken over, and no others", () => {
  const [a, b, c] = [1, 2, 3].map(seq => ({ epoch: 0, seq, note: `${seq}` })) as [Bookmark, Bookmark, Bookmark]
  const changed = { ...b, note: "new" }
  expect(changedMarks([a, b], [a, b], [changed, c])).toEqual([changed, c])
  expect(changedMarks([], [a, b], [a, changed])).toEqual([changed])
  const bare = { ...c, note: "" }
  expect(changedMarks([a, bare], [a, bare], [a, bare])).toEqual([a, bare])
})

test("a written list of bookmarks is read back, and any other text is read without a throw (property)", async () => {
  const mark = fc.record({ epoch: fc.nat(3), seq: fc.nat(), note: fc.string() })
  await forAll([fc.array(mark)], 100, marks => {
    const list = marks.reduce(withBookmark, readBookmarks([]))
    expect(readBookmarks(JSON.parse(JSON.stringify(list)))).toEqual(list)
  })
  await forAll([fc.anything()], 100, value => {
    for (const one of readBookmarks(value)) expect(typeof one.note).toBe("string")
  })
})

test("a file gives so many bookmarks with notes of so many characters, and only those of numbered rows", () => {
  const many = Array.from({ length: 1001 }, (_, i) => ({ epoch: 0, seq: 1000 - i, note: "n".repeat(1001) }))
  const read = readBookmarks(many)
  expect([read.length, read[0]?.seq, read[0]?.note.length]).toEqual([1000, 1, 1000])
  expect(withBookmark(read, { epoch: 1, seq: 0, note: "" })).toEqual(read)
  const bare = (seq: number) => ({ epoch: 1, seq, note: "" })
  const odd = [1.5, "1", null].flatMap(one => [
    { epoch: one, seq: 1, note: "" },
    { epoch: 1, seq: one, note: "" },
  ])
  expect(readBookmarks([bare(1), ...odd, { epoch: 1, seq: 1, note: 7 }, bare(2)])).toEqual([bare(1), bare(2)])
  const run = fold(emptyRun, [note(7), note(null), event(0, "runner/started", {}), note(7)])
  const list = [1, 0].map(epoch => ({ epoch, seq: 7, note: `${epoch}` }))
  expect(rowsOf(run).map(row => bookmarkOf(run, list, row)?.note ?? null)).toEqual(["0", null, null, null, "1"])
})
