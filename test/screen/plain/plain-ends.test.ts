// Tests how plain mode ends, with a process and streams that only tell what is asked of them.
import { expect, spyOn, test } from "bun:test"
import { PassThrough } from "node:stream"
import { sanitize } from "../../../packages/wire/src/sanitize.ts"
import { features } from "../../../src/panels/plan.ts"
import { PlainSurface } from "../../../src/screen/plain/plain.ts"
import type { ShownRun, SurfaceOptions } from "../../../src/screen/surface.ts"
import { createStore } from "../../../src/view/store.ts"
import { lost, open } from "../../panels/planned.ts"
import { event, line } from "../../run/lines.ts"
import { opened } from "../../screen/open-screens.ts"
import { ManualClock } from "../../transport/manual-clock.ts"
import { ending, happens, holdProcess, passEnding } from "../held-process.ts"

const started = event(0, "runner/started")
const done = event(1, "runner/done")

/** Plain mode in a process that does not end, and what it did, in order. */
class Plain {
  readonly told: string[] = []
  readonly clock = new ManualClock()
  readonly keys = new PassThrough()
  readonly surface: PlainSurface
  readonly store = createStore({ link: open, ...features })
  /** What was written and not read yet, with what its reading calls. */
  readonly unread: (() => void)[] = []
  forwards = false
  sending: Promise<void> | null = null
  /** A reader takes all at once. */
  isRead = true

  constructor(onAgentExit: SurfaceOptions["onAgentExit"] = "stay", hasKeys = true) {
    const { stdout } = process
    const terminal = Object.getOwnPropertyDescriptor(stdout, "isTTY")
    Object.defineProperty(stdout, "isTTY", { value: false, configurable: true })
    const faults = stdout.listeners("error")
    holdProcess(this.clock, this.told)
    const spies = [
      spyOn(stdout, "write").mockImplementation(((text: string, read: () => void) => this.#write(text, read)) as never),
      spyOn(stdout, "end").mockImplementation(((ended: () => void) => {
        this.told.push("stdout ends")
        this.#write("", ended)
      }) as never),
    ]
    opened(() => {
      for (const spy of spies) spy.mockRestore()
      for (const one of stdout.listeners("error")) if (!faults.includes(one)) stdout.off("error", one as () => void)
      if (terminal === undefined) Reflect.deleteProperty(stdout, "isTTY")
      else Object.defineProperty(stdout, "isTTY", terminal)
    })
    const after = this.clock.after.bind(this.clock)
    const keys = hasKeys ? (this.keys as unknown as NodeJS.ReadStream) : null
    this.surface = new PlainSurface({ now: () => this.clock.now(), after, times: "no", keys, onAgentExit })
  }

  #write(text: string, read: () => void): void {
    for (const row of text.split("\n").filter(Boolean)) this.told.push(row.slice(0, 80))
    if (this.isRead) ending(read)
    else this.unread.push(read)
  }

  /** The reader takes all that was written. */
  read(): void {
    for (const taken of this.unread.splice(0)) ending(taken)
  }

  show(store = this.store): this {
    const run: ShownRun = {
      store,
      title: { chart: null, session: null },
      perform: effects => void this.told.push(...effects.map(one => `! ${one.type}`)),
      showRows: () => undefined,
      keyPressed: () => undefined,
      forwardSignal: signal => {
        if (this.forwards) this.told.push(`forwards ${signal}`)
        return this.forwards
      },
      fault: () => null,
      close: () => {
        this.told.push("run closes")
        return this.sending
      },
    }
    this.surface.show(run)
    return this
  }

  tell(...lines: readonly ReturnType<typeof line>[]): this {
    this.store.dispatch({ type: "frames", frames: lines })
    this.clock.advance(20)
    return this
  }

  signal(...names: readonly NodeJS.Signals[]): this {
    for (const name of names) {
      happens(name, name)
      passEnding(this.clock, 20)
    }
    return this
  }

  /** All since the last call. */
  get text(): string {
    return this.told.splice(0).join("\n")
  }
}

test("the first Ctrl-C asks whether to quit, and a signal ends the run: once, with its code, within a second", () => {
  const plain = new Plain().show().tell(started).signal("SIGINT")
  plain.isRead = false
  expect(plain.signal("SIGTERM", "SIGHUP", "SIGINT").text).toMatchSnapshot()
  plain.read()
  expect(plain.text).toBe("exit 143")
  passEnding(plain.clock, 899)
  expect(plain.text).toBe("")
  passEnding(plain.clock, 100)
  // Each further signal ends it as late as the first, with the first one's code after Ctrl-C.
  expect(plain.text).toBe("exit 143\nexit 129\nexit 143")
})

test("Ctrl-C twice quits, and every signal goes to a guest that takes it", () => {
  const plain = new Plain().show().tell(started).signal("SIGINT", "SIGINT")
  plain.forwards = true
  expect(plain.signal("SIGINT", "SIGTERM").text).toMatchSnapshot()
  expect(new Plain().signal("SIGQUIT").text).toBe("stdout ends\nexit 131")
})

test("leaving says why on stderr, prints what was told last, and waits for what is still sent", () => {
  const plain = new Plain().show().tell(started)
  let sent = (): void => undefined
  const kept = {
    finally(then: () => void) {
      sent = then
    },
  }
  plain.sending = kept as unknown as Promise<void>
  plain.store.dispatch({ type: "frames", frames: [done] })
  plain.surface.leave(5, sanitize("so it is"))
  plain.surface.leave(6)
  expect(plain.text).toMatchSnapshot()
  ending(sent)
  expect(plain.text).toBe("exit 5")
})

test.each([
  ["stay", "lost", true, ""],
  ["leave", "lost", true, "exit 0"],
  ["leave", "lost", false, ""],
  ["leave", "open", true, ""],
  ["stay", "exited", false, "exit 7"],
] as const)(
  "with --on-agent-exit %s, a link that is %s and a run that is over %p, ends so: %p",
  (onAgentExit, state, isOver, ends) => {
    const plain = new Plain(onAgentExit, false).show().tell(started, ...(isOver ? [done] : []))
    const link = { lost, open, exited: { state: "exited", command: "x", code: 7 } as const }[state]
    plain.store.dispatch({ type: "link", link, now: 0 })
    ending(() => plain.surface.agentGone(plain.store.shown()))
    expect(plain.told.filter(one => one.startsWith("exit")).join()).toBe(ends)
  },
)

test("nothing more is printed while a mebibyte is unread, and a source that can wait does", async () => {
  const plain = new Plain().show().tell(started)
  expect(plain.surface.taken()).toBeUndefined()
  plain.isRead = false
  const long = (id: number) =>
    line({ kind: "prompt", "prompt-id": `${id}`, type: "text", opts: { prompt: "x".repeat(300_000) } })
  for (let id = 1; id < 9 && plain.surface.taken() === undefined; id++) plain.tell(long(id))
  const relief = plain.surface.taken()
  expect(plain.surface.taken()).toBe(relief)
  plain.told.length = 0
  plain.tell(event(1, "app/last"))
  expect(plain.text).toBe("")
  plain.read()
  await relief
  expect(plain.text).toContain("app/last")
  expect(plain.surface.taken()).toBeUndefined()
  plain.isRead = false
  for (let id = 9; id < 17 && plain.surface.taken() === undefined; id++) plain.tell(long(id))
  expect(plain.surface.taken()).not.toBe(relief)
  // What was told last is printed at the end, read or not.
  plain.tell(event(2, "app/end")).surface.leave(0)
  expect(plain.text).toContain("app/end")
  plain.tell(event(3, "app/after")).read()
  expect(plain.text).not.toContain("app/after")
})

test("a reader that is gone ends it with 0, and another run takes the place of the first", () => {
  const plain = new Plain().show()
  const second = createStore({ link: open, ...features })
  plain.show(second).tell(started)
  second.dispatch({ type: "frames", frames: [started] })
  plain.clock.advance(20)
  ending(() => process.stdout.emit("error", new Error("EPIPE")))
  expect(plain.text).toMatchSnapshot()
})

test("a line that ends with a backslash goes on in the next, and once stdin has ended nobody answers", async () => {
  const plain = new Plain().show()
  const ask = (id: string) =>
    line({ kind: "prompt", "prompt-id": id, invokeid: id, type: "text", opts: { prompt: id } })
  plain.tell(started, ask("a"), ask("b"))
  plain.keys.write("one\\\n two\\\n\n#2 whole\n")
  plain.keys.end()
  await new Promise(resolve => plain.keys.once("close", resolve))
  await new Promise(resolve => setImmediate(resolve))
  plain.tell(ask("c"), done)
  expect(plain.text).toMatchSnapshot()
  const other = createStore({ link: open, ...features })
  other.dispatch({ type: "frames", frames: [ask("d")] })
  expect(plain.show(other).text).toMatchSnapshot()
})
