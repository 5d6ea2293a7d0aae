// Tests a log that is shown while it is read anew: which of two conversions is shown, and what an end leaves.
import { expect, test } from "bun:test"
import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { LogSource } from "../../src/app/log-source.ts"
import type { LogConversion } from "../../src/guest/convert-log.ts"
import type { HookDesk, HookQuestion } from "../../src/hook/hook-desk.ts"
import { eventText } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { Collector } from "../transport/collector.ts"
import { until } from "../until.ts"

/** Two conversions of a log that notes what is done with them, and what a hook asks beside it. */
function twice() {
  const directory = fileScratch()
  const done: string[] = []
  const rewound = Promise.withResolvers<void>()
  const conversion = (name: string, isPart: boolean) => {
    const path = join(directory, name)
    writeFileSync(path, `${eventText(1, name, {})}\n`)
    const tell: LogConversion["tell"] = events => done.push(`${name} is told ${events.length}`)
    const replace = (other: { readonly path: string }) => done.push(`${name} replaces ${other.path.at(-1)}`)
    return { path, isPart, tell, replace, rewound: rewound.promise, close: () => done.push(`${name} closes`) } as never
  }
  let tellHook = (): void => undefined
  const decide = (decision: object | null) => done.push(`answered ${decision !== null}`)
  const request = { session_id: "s", tool_name: "Bash", tool_input: { command: "ls" } }
  const question: HookQuestion = { path: join(directory, "log"), directory, request, decide }
  const desk = {
    questions: [] as HookQuestion[],
    listen: (told: () => void) => {
      tellHook = told
      return () => done.push("hears no more")
    },
  }
  const whole = Promise.withResolvers<LogConversion>()
  const from = { path: question.path, pollMs: 1 }
  const open = (isPart: boolean, hook: HookDesk | null = desk as never) =>
    new LogSource(conversion("a", isPart), from, hook, () => whole.promise)
  const ask = () => {
    desk.questions.push(question)
    tellHook()
  }
  const takeBack = () => {
    desk.questions.pop()
    tellHook()
  }
  const grow = (name: string, seq: number) => appendFileSync(join(directory, name), `${eventText(seq, name, {})}\n`)
  return {
    ...{ done, rewound, whole, open, ask, takeBack, grow },
    shrink: (name: string) => writeFileSync(join(directory, name), ""),
    convert: () => whole.resolve(conversion("b", false)),
    path: from.path,
  }
}

const names = ({ all }: Collector) => all.map(frame => (frame.kind === "event" ? `${frame.name}${frame.seq}` : ""))

test("a log read anew takes the place of the one shown at its end, with what hooks asked meanwhile; then it alone is shown", async () => {
  const { done, open, ask, takeBack, grow, shrink, convert, path } = twice()
  const source = open(true)
  const [shown, unseen] = [new Collector(), new Collector()]
  opened(() => source.stop())
  source.start(shown)
  await shown.until(({ last }) => last?.state === "ended")
  expect(shown.last).toEqual({ state: "ended", path, incompleteLength: 0 })
  ask()
  expect(shown.last).toEqual({ state: "ended", path, incompleteLength: 0, talks: true } as never)
  takeBack()
  expect(shown.last).not.toHaveProperty("talks")
  convert()
  expect(await source.isToBeRead).toBe("The whole log is read")
  await source.readWhole(unseen)
  await unseen.until(({ links }) => links.length > 0)
  expect([names(shown), names(unseen), unseen.states]).toEqual([["a1"], ["b1"], ["ended"]])
  expect(done.splice(0)).toEqual(["a is told 2", "a is told 1", "b replaces a", "b is told 3"])
  grow("a", 2)
  grow("b", 2)
  await shown.until(({ all }) => all.length === 2)
  expect([names(shown), unseen.all.length, unseen.links.length]).toEqual([["a1", "b2"], 1, 1])
  ask()
  grow("b", 3)
  await shown.until(({ all }) => all.length === 3)
  expect(shown.links.findLast(({ state }) => state === "replaying")).toMatchObject({ talks: true })
  takeBack()
  done.splice(0)
  shrink("b")
  await shown.until(({ restarts }) => restarts > 0)
  expect(unseen.restarts).toBe(0)
  expect(source.send({ command: { type: "pause" }, text: "" })).toBe(false)
  source.stop()
  expect(done).toEqual(["hears no more", "b closes"])
})

test("a source that stops while the log is read anew closes both, and shows no more of either", async () => {
  for (const isStarted of [false, true]) {
    const { done, rewound, open, convert } = twice()
    const source = open(false, null)
    const [shown, unseen] = [new Collector(), new Collector()]
    source.start(shown)
    await shown.until(({ last }) => last?.state === "ended")
    rewound.resolve()
    expect(await source.isToBeRead).toBe("The session was rewound: what was left is a session of its own")
    const reading = source.readWhole(unseen)
    if (!isStarted) source.stop()
    convert()
    await reading
    if (isStarted) source.stop()
    const links = shown.links.length
    await until(() => done.length === 2)
    await new Promise(setImmediate)
    const ends = ["a closes", "b closes"]
    const told = [done, unseen.links, unseen.all, shown.links.length]
    expect(told).toEqual([isStarted ? ends.toReversed() : ends, [], [], links])
    expect(source.send({ command: { type: "pause" }, text: "" })).toBe(false)
  }
})
