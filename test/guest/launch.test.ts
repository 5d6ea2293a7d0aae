// Tests how the output of a guest is read to its end.
import { expect, test } from "bun:test"
import { drain } from "../../src/guest/launch.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

test("a stream is read until it ends, without waiting for the command", async () => {
  const read: string[] = []
  const stream = new Blob(["one\n"]).stream()
  await drain(stream, new Promise(() => undefined), chunk => void read.push(new TextDecoder().decode(chunk)))
  expect(read).toEqual(["one\n"])
})

test("a stream that a grandchild keeps open is given up a moment after the command has ended", async () => {
  const read: string[] = []
  let given = ""
  const stream = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(bytes("last words\n")),
    cancel: () => {
      given = "up"
    },
  })
  await drain(stream, Promise.resolve(), chunk => void read.push(new TextDecoder().decode(chunk)))
  expect([read, given]).toEqual([["last words\n"], "up"])
})
