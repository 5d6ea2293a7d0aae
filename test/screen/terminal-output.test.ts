// Tests what a terminal gets that takes it piece by piece, or not at all, on a pipe that is full after 64 KB.
import { expect, spyOn, test } from "bun:test"
import { closeSync, constants, openSync, readSync } from "node:fs"
import { join } from "node:path"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { TerminalOutput, writeError } from "../../src/screen/terminal-output.ts"
import { watchResources } from "../app/resources.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { opened } from "./open-screens.ts"

const scratch = fileScratch()
let pipes = 0

/** An output into a pipe, whose other end reads when it is told to. */
class Piped {
  readonly pipe: number
  readonly output: TerminalOutput
  readonly done: string[] = []
  seen = Buffer.alloc(0)

  constructor(rewrite: ((frame: Uint8Array) => Uint8Array) | null = null) {
    const path = join(scratch, `pipe-${pipes++}`)
    Bun.spawnSync(["mkfifo", path])
    this.pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    // Its reader stays to the end of the process: what is written to a pipe without one would end it.
    this.output = new TerminalOutput(this.pipe, rewrite)
  }

  write(name: string, bytes: number): boolean {
    return this.output.write(Buffer.alloc(bytes, name), () => void this.done.push(name))
  }

  /** Reads what is there, up to so many bytes. */
  read(most = 1_000_000): number {
    const before = this.seen.length
    try {
      while (this.seen.length - before < most) {
        const piece = Buffer.alloc(Math.min(65_536, most))
        this.seen = Buffer.concat([this.seen, piece.subarray(0, readSync(this.pipe, piece))])
      }
    } catch {
      // Nothing more has come yet.
    }
    return this.seen.length - before
  }
}

/** Each wait of the output, ms; `during` happens meanwhile. */
function waits(during: () => unknown = () => undefined): number[] {
  const slept: number[] = []
  const sleep = spyOn(Bun, "sleepSync").mockImplementation(ms => {
    slept.push(Number(ms))
    during()
  })
  opened(() => sleep.mockRestore())
  return slept
}

test("a picture that the terminal takes in several pieces reaches it whole and in order, though nothing follows", async () => {
  const slept = waits()
  const piped = new Piped()
  expect([piped.write("a", 300_000), slept]).toEqual([false, [0.5, 0.5, 0.5]])
  piped.read(8192)
  expect([piped.write("b", 10), piped.done]).toEqual([false, []])
  await until(() => {
    piped.read()
    return piped.seen.length === 300_010
  })
  expect([piped.done, piped.seen.toString()]).toEqual([["a", "b"], `${"a".repeat(300_000)}${"b".repeat(10)}`])
  expect([piped.write("c", 10), piped.done]).toEqual([true, ["a", "b", "c"]])
  piped.read()
  using resources = watchResources()
  expect(piped.write("d", 65_537)).toBe(false)
  await until(() => {
    piped.read()
    return piped.seen.length === 365_557
  })
  expect(resources.timers()).toEqual([])
})

test("a terminal that is gone takes everything", () => {
  const full = openSync("/dev/full", constants.O_RDWR)
  opened(() => closeSync(full))
  const done: string[] = []
  expect(new TerminalOutput(full).write(Buffer.alloc(300_000), () => void done.push("e"))).toBe(true)
  expect(done).toEqual(["e"])
})

test("the rest of a picture waits a moment for a terminal that takes more at once", () => {
  const piped = new Piped()
  waits(() => piped.read())
  expect([piped.write("a", 150_000), piped.done]).toEqual([true, ["a"]])
})

test("a frame is rewritten, a text is not, and bytes that the renderer uses again stay as they were", async () => {
  waits()
  const piped = new Piped(frame => Buffer.from(Buffer.from(frame).toString().toUpperCase()))
  piped.output.stream.write(Buffer.from("frame "))
  piped.output.stream.write("text ")
  piped.write("-", 65_536)
  const own = new TextEncoder().encode("kept")
  piped.output.write(own)
  own.fill(63)
  await until(() => piped.read() >= 0 && piped.seen.includes("kept"))
  expect(piped.seen.toString().replace(/-+/, "…")).toBe("FRAME text …kept")
})

test("at the end it waits for a terminal as long as that reads, and half a second for one that doesn't", () => {
  const [slow, own] = [new Piped(), process.stderr]
  let slept = waits(() => slow.read(1024))
  Object.defineProperty(process, "stderr", { value: { isTTY: true, fd: slow.pipe }, configurable: true })
  writeError(sanitize("a".repeat(200_000)))
  Object.defineProperty(process, "stderr", { value: own })
  slow.read()
  expect(slow.seen.length).toBe(200_000)
  expect(slept.length).toBeGreaterThan(63)
  const last = new Piped()
  waits()
  last.write("a", 65_537)
  slept = waits(() => last.read())
  for (let times = 0; times < 2; times++) last.output.flush()
  expect([last.done, slept]).toEqual([["a"], [8]])
  const stuck = new Piped()
  slept = waits()
  stuck.write("a", 200_000)
  slept.length = 0
  stuck.output.flush()
  expect([new Set(slept), slept.length, stuck.done]).toEqual([new Set([8]), 63, []])
})

test("a terminal that never reads gets what was written at the end alone, behind what it had taken", async () => {
  waits()
  const stuck = new Piped()
  stuck.write("a", 200_000)
  stuck.output.beginEnd()
  stuck.write("y", 5)
  const own = new TextEncoder().encode("zzzzz")
  stuck.output.write(own)
  own.fill(63)
  stuck.output.flush()
  await until(() => stuck.read() >= 0 && stuck.seen.includes("z"))
  expect(stuck.seen.toString()).toBe(`${"a".repeat(65_536)}yyyyyzzzzz`)
})
