// Tests what a terminal gets that takes it piece by piece, on a pipe that is full after 64 KB.
import { expect, test } from "bun:test"
import { constants, openSync, readSync } from "node:fs"
import { join } from "node:path"
import { TerminalOutput } from "../../src/screen/terminal-output.ts"
import { scratch } from "../scratch.ts"
import { until } from "../until.ts"

test("a picture that the terminal takes in several pieces reaches it whole, though nothing is written after it", async () => {
  using place = scratch()
  const path = join(place.path, "pipe")
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0)
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const picture = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
  let isTaken = false
  expect(
    new TerminalOutput(pipe).write(picture, () => {
      isTaken = true
    }),
  ).toBe(false)
  const seen: Buffer[] = []
  await until(() => {
    try {
      const piece = Buffer.alloc(65_536)
      seen.push(piece.subarray(0, readSync(pipe, piece)))
    } catch {
      // Nothing more has come yet.
    }
    return seen.reduce((sum, { length }) => sum + length, 0) === picture.length
  })
  expect([isTaken, Buffer.concat(seen).equals(picture)]).toEqual([true, true])
})
