// Keeps what a program prints away from the terminal while the screen has it.
import { Console } from "node:console"
import { closeSync, openSync, writeSync } from "node:fs"
import { Writable } from "node:stream"

/** Sends all output to a file until the returned function is called. Throws a file system error. */
export function divertOutput(path: string): () => void {
  const file = openSync(path, "a", 0o600)
  let isOpen = true
  const streamInstead = (target: NodeJS.WriteStream): Writable =>
    new Writable({
      write(chunk: Uint8Array, _, done) {
        // Somebody may keep the console that this stream is behind.
        if (isOpen) writeSync(file, chunk)
        else target.write(chunk)
        done()
      },
    })
  const { stdout, stderr } = process
  const [console, writeOut, writeError] = [globalThis.console, stdout.write, stderr.write]
  const [out, error] = [streamInstead(stdout), streamInstead(stderr)]
  stdout.write = out.write.bind(out)
  stderr.write = error.write.bind(error)
  // Bun's console does not write through `process.stdout`.
  const diverted = new Console({ stdout: out, stderr: error })
  globalThis.console = Object.create(console, Object.getOwnPropertyDescriptors(diverted))
  return () => {
    globalThis.console = console
    stdout.write = writeOut
    stderr.write = writeError
    isOpen = false
    closeSync(file)
  }
}
