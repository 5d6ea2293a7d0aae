// Tests a command as a source, whose parser takes longer to load than the command to end.
import { expect, spyOn, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { GuestParser } from "../../src/guest/guest-parser.ts"
import { GuestSource } from "../../src/guest/guest-source.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { blocksOf, runFrom } from "./reading.ts"

/** A shell that runs `script`, and all that comes of it. `load` loads its parser; `taken` says when frames are taken. */
function shell(
  script: string,
  { cwd, load, taken }: { cwd?: string; load?: () => Promise<never>; taken?: Promise<void> },
) {
  const [parser, told, texts] = [new GuestParser("late", load ?? null), [] as object[], [] as string[]]
  const source = new GuestSource({ command: ["sh", "-c", script], parser, cwd, stdin: "ignore" } as never)
  const sink = (name: string) => ({
    frames: (frames: readonly { readonly text: string }[]) => {
      texts.push(...frames.map(({ text }) => text))
      return taken
    },
    link: (status: object) => void told.push([name, status]),
    restart: () => undefined,
  })
  for (const name of ["first", "second"]) source.start(sink(name))
  return { source, told, texts, says: (text: string) => until(() => texts.some(one => one.includes(text))) }
}

/** One that prints a line, makes a file and exits with 7. */
function start(load: () => Promise<never>) {
  const done = join(fileScratch(), "done")
  return { ...shell(`echo hello; >'${done}'; exit 7`, { load }), printed: () => until(() => existsSync(done)) }
}

test("a command that ends before its parser has failed to load is shown with the warning", async () => {
  const gate = Promise.withResolvers<never>()
  const { texts, told, printed } = start(() => gate.promise)
  expect(told).toEqual([])
  await printed()
  expect([told.length < 2, texts]).toEqual([true, []])
  gate.reject(new Error("it took longer than 5000 ms"))
  await until(() => told.length > 1)
  const run = runFrom(texts)
  expect(told[1]).toEqual(["first", { state: "exited", command: "sh", code: 7 }])
  expect(run.guest.warnings.map(({ why }) => why)).toEqual([
    "can't load late: it took longer than 5000 ms; using the generic parser",
  ])
  expect(blocksOf(run)).toContain("text: hello")
})

test("a command that is told to end doesn't wait for its parser", async () => {
  const { source, told } = shell("exec sleep 100", { load: () => new Promise(() => undefined) })
  expect(source.forwardSignal("SIGTERM")).toBe(true)
  await until(() => told.length > 1)
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
  const { told, texts } = shell("seq 1 200000", { taken: gate.promise })
  const units = () => texts.reduce((sum, text) => sum + text.length, 0)
  await until(() => units() > 0)
  for (let turn = 0; turn < 200; turn++) await new Promise(done => setImmediate(done))
  expect([units() < 1_000_000, told.length]).toEqual([true, 1])
  gate.resolve()
  await until(() => told.length > 1)
  expect(units()).toBeGreaterThan(1_000_000)
})

const send = (source: GuestSource, type: "ui-interrupt" | "pause") => source.send({ command: { type }, text: "" })

test("a command hears an interrupt and no other op, runs where it is told to, and nothing reaches it at its end", async () => {
  const cwd = fileScratch()
  const script = `trap 'echo here; trap "printf end; exit 5" INT' INT; pwd; while :; do sleep 0.01; done`
  const { source, told, texts, says } = shell(script, { cwd })
  await says(cwd)
  const heard = [send(source, "pause"), source.forwardSignal("SIGHUP"), send(source, "ui-interrupt")]
  await says("here")
  heard.push(source.forwardSignal("SIGINT"))
  await until(() => told.length === 2)
  expect(told).toEqual([
    ["first", { state: "running", command: "sh" }],
    ["first", { state: "exited", command: "sh", code: 5 }],
  ])
  expect(blocksOf(runFrom(texts))).toEqual([`text: ${cwd}\nhere\nend`])
  const late = [send(source, "ui-interrupt"), source.forwardSignal("SIGINT"), await source.terminate()]
  expect([...heard, ...late]).toEqual([false, false, true, true, false, false, 5])
  const count = texts.length
  source.stop()
  expect(texts).toHaveLength(count)
})

test.each(["stop", "terminate"] as const)("what a command started ends at a %s, too", async end => {
  const [ends, ignores] = end === "stop" ? ["", ""] : ["trap 'exit 7' TERM;", "trap '' TERM;"]
  const { source, texts, says } = shell(`${ends} (${ignores} echo up; exec sleep 100) & echo "pid $!"; wait`, {})
  await Promise.all([says("up"), says("pid")])
  const pid = Number(/pid (\d+)/.exec(texts.join())?.[1])
  expect([pid > 0, existsSync(`/proc/${pid}`)]).toEqual([true, true])
  // The grace period ends for no shell that is slow to hear.
  const grace = spyOn(Bun, "sleep").mockReturnValueOnce(new Promise(() => undefined))
  if (end === "stop") source.stop()
  else expect([await source.terminate(), grace.mock.calls[0]]).toEqual([7, [2000]])
  grace.mockRestore()
  await until(() => !existsSync(`/proc/${pid}`) || /\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8")))
  const { status, reason } = runFrom(texts)
  if (end === "stop") expect([status, reason]).toEqual(["aborted", "ended by SIGTERM"])
})
