// Tests how it is found out whether an agent is there, and where our own files are.
import { expect, mock, test } from "bun:test"
import { EventEmitter } from "node:events"
import { answers } from "../../src/transport/look.ts"
import { programPath, root } from "../../src/transport/package-files.ts"
import { root as ours } from "../fixtures.ts"

const LOOKS = ["ws://h/ws connect h:80 true", "wss://[::1]/ error ::1:443 false", "wss://h:8/ connect h:8 true"]

test.each([...LOOKS, "ws://h/ 1000 h:80 false"])("a look at an agent, and what comes of it: %s", async look => {
  const [url = "", happens = "", place, isThere] = look.split(" ")
  const told: unknown[] = []
  const socket = Object.assign(new EventEmitter(), {
    setTimeout: (ms: number, late: () => void) => socket.once(`${ms}`, late),
    destroy: () => told.push("closed"),
  })
  const connect = ({ host, port }: { host: string; port: number }) => told.push(`${host}:${port}`) && socket
  mock.module("node:net", () => ({ connect }))
  const is = answers(url)
  while (told.length === 0) await Promise.resolve()
  queueMicrotask(() => socket.emit(happens, new Error("no")))
  expect([...told, String(await is), ...told.slice(1)]).toEqual([place, isThere, "closed"])
})

test("our own programs are found as they were written, else as JavaScript", () => {
  expect(root).toBe(`${ours}/`)
  expect(["build", "bin/none"].map(programPath)).toEqual([`${root}build.ts`, `${root}bin/none.js`])
})
