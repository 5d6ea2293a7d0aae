// Tests how the output of a guest is read to its end.
import { expect, test } from "bun:test"
import { drain, exitCode } from "../../src/guest/launch.ts"
import { turn } from "../../src/guest/pieces.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

test("the exit code of a command is its own, or that of its signal as in a shell", () => {
  const codes = [0, 7, null].map(code => exitCode({ code, signal: null }))
  const signals = ["SIGINT", "SIGKILL", "odd"].map(signal => exitCode({ code: null, signal }))
  expect([...codes, ...signals]).toEqual([0, 7, 1, 130, 137, 1])
})

test("a stream that a grandchild keeps open is given up a moment after the command has ended", async () => {
  const read: string[] = []
  let given = ""
  const stream = new ReadableStream<Uint8Array>({
    start: controller => void turn().then(() => controller.enqueue(bytes("last words\n"))),
    cancel: () => {
      given = "up"
    },
  })
  await drain(stream, Promise.resolve(), chunk => void read.push(new TextDecoder().decode(chunk)))
  expect([read, given]).toEqual([["last words\n"], "up"])
})

test("what was read of a command that goes on is not kept in memory", async () => {
  const read: WeakRef<Uint8Array>[] = []
  let held = Infinity
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (read.length < 500) return controller.enqueue(bytes("again\n"))
      await turn()
      Bun.gc(true)
      held = read.filter(one => one.deref() !== undefined).length
      controller.close()
    },
  })
  await drain(stream, new Promise(() => undefined), chunk => void read.push(new WeakRef(chunk)))
  expect(held).toBeLessThan(50)
})

test("what a command printed before it ended is read in full, even if that takes longer than output is waited for", async () => {
  const read: string[] = []
  const ended = Promise.resolve()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const word of ["one", "two", "three"]) controller.enqueue(bytes(word))
    },
  })
  await drain(stream, ended, async chunk => {
    read.push(new TextDecoder().decode(chunk))
    // Another one, in which nothing comes, is given up later than this one would be.
    if (read.length === 1) await drain(new ReadableStream(), ended, () => undefined)
  })
  expect(read).toEqual(["one", "two", "three"])
})
