// Tests that what a benchmark awaits of a program fails as soon as it can't come, and says why.
import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { start } from "../../tools/bench/process.ts"
import { FRAME_END, Watched } from "../../tools/bench/watched.ts"
import { root } from "../fixtures.ts"
import { isRunning } from "../running.ts"
import { until } from "../until.ts"

const said = (awaited: Promise<unknown>): Promise<string> => awaited.then(String, error => String(error.message))

describe("a program that ends without what is awaited", () => {
  test("rejects, with the command, what it printed and how it exited", async () => {
    await using program = start(["sh", "-c", "echo no room; exit 3"])
    expect(await said(program.seen(FRAME_END, "a whole frame"))).toBe(
      "Never saw a whole frame of sh -c echo no room; exit 3: it has ended (exit code 3). It printed:\nno room",
    )
    expect(await said(program.seen("room", "the room"))).toContain("Never saw the room")
    expect(() => program.rss()).toThrow("it has ended")
  })

  test("has what it printed last seen first", async () => {
    await using program = start(["sh", "-c", "printf 'late words'"])
    expect(await program.seen("late words", "its words")).toBeGreaterThan(0)
  })
})

test("a program that never prints it rejects after a while", async () => {
  const watched = new Watched("sidecar")
  watched.take("\x1b[31mhello\x1b[0m", 0)
  expect(await said(watched.seen(FRAME_END, "a frame", 1))).toBe(
    "Never saw a frame of sidecar: it still runs after 0.001 s. It printed:\nhello",
  )
})

test("what is cut in two is seen, and a frame that has ended is counted once", async () => {
  const watched = new Watched("sidecar")
  const both = Promise.all([watched.seen("ferry", "a word"), watched.seen("ferry", "the same word")])
  watched.take(`${FRAME_END}fer`, 1)
  watched.take("ry", 2)
  expect(await both).toEqual([2, 2])
  expect(watched.frames).toBe(1)
})

test("stopping ends the program with its children, twice if need be, and removes its home", async () => {
  const program = start(["sh", "-c", 'sleep 1000 & echo $! > "$HOME/child"; echo ready; wait'])
  await program.seen("ready", "that it is ready")
  const home = /\0HOME=([^\0]+)/.exec(`\0${readFileSync(`/proc/${program.pid}/environ`, "utf8")}`)?.[1] ?? root
  const child = Number(readFileSync(join(home, "child"), "utf8"))
  expect(await isRunning(child)).toBe(true)
  await program.stop()
  await program.stop()
  expect(existsSync(home)).toBe(false)
  await until(async () => !(await isRunning(child)))
  expect(await isRunning(program.pid)).toBe(false)
})
