// Tests what goes out to which stream of the process.
import { expect, spyOn, test } from "bun:test"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { printData, printError, printOut } from "../../src/ui/standard-streams.ts"

test("data goes out as it is, to a terminal without control characters, and each text to its own stream", () => {
  const told: string[] = []
  const write = (name: string) => (text: unknown) => told.push(`${name} ${text}`) > 0
  using _ = spyOn(process.stdout, "write").mockImplementation(write("out"))
  using __ = spyOn(process.stderr, "write").mockImplementation(write("err"))
  const { isTTY } = process.stdout
  for (const terminal of [true, false]) {
    process.stdout.isTTY = terminal
    printData("data\u001b[1m\n")
  }
  process.stdout.isTTY = isTTY
  printOut(sanitize("text"))
  printError(sanitize("error"))
  expect(told).toEqual(["out data␛[1m\n", "out data\u001b[1m\n", "out text", "err error"])
})
