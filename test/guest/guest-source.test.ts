// Tests a command as a source, whose parser takes longer to load than the command to end.
import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { GuestParser } from "../../src/guest/guest-parser.ts"
import { GuestSource } from "../../src/guest/guest-source.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { blocksOf, runFrom } from "./reading.ts"

/** What arrives of a command that prints a line, makes a file and exits with 7. */
function start(load: () => Promise<never>) {
  const done = join(fileScratch(), "done")
  const parser = new GuestParser("late", load)
  const source = new GuestSource({ command: ["sh", "-c", `echo hello; >'${done}'; exit 7`], parser, stdin: "ignore" })
  const texts: string[] = []
  const ends: (number | undefined)[] = []
  source.start({
    frames: frames => void texts.push(...frames.map(({ text }) => text)),
    link: status => void (status.state === "exited" && ends.push(status.code)),
    restart: () => undefined,
  })
  return { source, texts, ends, printed: () => until(() => existsSync(done)) }
}

test("a command that ends before its parser has failed to load is shown with the warning", async () => {
  const gate = Promise.withResolvers<never>()
  const { texts, ends, printed } = start(() => gate.promise)
  await printed()
  expect({ ends, texts }).toEqual({ ends: [], texts: [] })
  gate.reject(new Error("it took longer than 5000 ms"))
  await until(() => ends.length > 0)
  const run = runFrom(texts)
  expect(ends).toEqual([7])
  expect(run.guest.warnings.map(({ why }) => why)).toEqual([
    "can't load late: it took longer than 5000 ms; using the generic parser",
  ])
  expect(blocksOf(run)).toContain("text: hello")
})

test("a command that is told to end doesn't wait for its parser", async () => {
  const { source, ends } = start(() => new Promise(() => undefined))
  expect(source.forwardSignal("SIGTERM")).toBe(true)
  await until(() => ends.length > 0)
})

test("a source that was stopped tells no more, whatever its command says as it ends", async () => {
  const gate = Promise.withResolvers<never>()
  const { source, texts, printed } = start(() => gate.promise)
  await printed()
  source.stop()
  const told = texts.length
  gate.reject(new Error("late"))
  await source.terminate()
  for (let turn = 0; turn < 50; turn++) await new Promise(over => setImmediate(over))
  expect(texts).toHaveLength(told)
})

test("a command that prints faster than the screen takes it is held back", async () => {
  const gate = Promise.withResolvers<void>()
  let units = 0
  let isOver = false
  const command = ["sh", "-c", "seq 1 200000"]
  const source = new GuestSource({ command, parser: new GuestParser("none", null), stdin: "ignore" })
  source.start({
    frames: frames => {
      units += frames.reduce((sum, { text }) => sum + text.length, 0)
      return gate.promise
    },
    link: ({ state }) => {
      isOver = state === "exited"
    },
    restart: () => undefined,
  })
  await until(() => units > 0)
  for (let turn = 0; turn < 200; turn++) await new Promise(done => setImmediate(done))
  expect([units < 1_000_000, isOver]).toEqual([true, false])
  gate.resolve()
  await until(() => isOver)
  expect(units).toBeGreaterThan(1_000_000)
})
