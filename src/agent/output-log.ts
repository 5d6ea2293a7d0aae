// Keeps what a program prints away from the terminal while the screen has it.
import { Console } from "node:console"
import { closeSync, openSync, writeSync } from "node:fs"
import { Writable } from "node:stream"

/** Sends all output to a file until the returned function is called. Throws a file system error. */
export function divertOutput(path: string): () => void {
  const file = openSync(path, "a", 0o600)
  let isOpen = true
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _, done) {
      // Somebody may have kept the console that this stream is behind.
      if (isOpen && typeof chunk === "string") writeSync(file, chunk)
      else if (isOpen && typeof chunk !== "string") writeSync(file, chunk)
      done()
    },
  })
  const { stdout, stderr } = process
  const [console, writeOut, writeError] = [globalThis.console, stdout.write, stderr.write]
  stdout.write = stream.write.bind(stream)
  stderr.write = stream.write.bind(stream)
  // Bun's console does not write through `process.stdout`.
  const diverted = new Console({ stdout: stream, stderr: stream })
  globalThis.console = Object.create(console, Object.getOwnPropertyDescriptors(diverted))
  return () => {
    globalThis.console = console
    stdout.write = writeOut
    stderr.write = writeError
    isOpen = false
    closeSync(file)
  }
}
