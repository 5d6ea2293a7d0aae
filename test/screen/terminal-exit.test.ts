// Tests every way out of the terminal, with a renderer and an output that only tell what is asked of them.
import { expect, spyOn, test } from "bun:test"
import { constants, openSync } from "node:fs"
import { constants as system } from "node:os"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { isForeground } from "../../src/screen/terminal-control.ts"
import { Exit } from "../../src/screen/terminal-exit.ts"
import { root } from "../fixtures.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { ending, happens, holdProcess, passEnding } from "./held-process.ts"
import { opened } from "./open-screens.ts"

/** The console, which the exit takes over. */
const logs = globalThis.console

/** A fault without a place. */
const broken = Object.assign(new Error("it broke"), { stack: undefined })

const NAMES: readonly (readonly [sequence: string, name: string])[] = [
  ["\x1b[22;2t", "<keeps the title>"],
  ["\x1b[?2026l\x1b[?2027l\x1b[23;2t", "<restores>"],
  ["\x1b[23;2t", "<its own title>"],
]

/** An exit, and what it did, in order. */
class Leaving {
  readonly told: string[] = []
  readonly clock = new ManualClock()
  readonly exit: Exit
  readonly renderer
  forwards = false
  sending: Promise<void> | null = null

  constructor() {
    if (!isForeground()) throw new Error("in the background the end of a test would be the end of all")
    const { told } = this
    holdProcess(this.clock, told)
    const { stdout } = process
    const write = spyOn(stdout, "write").mockImplementation(((text: string) => told.push(`stdout: ${text}`)) as never)
    opened(() => write.mockRestore())
    const named = (text: string) => NAMES.reduce((all, [sequence, name]) => all.replaceAll(sequence, name), text)
    const output = {
      write: (text: string) => told.push(`writes ${JSON.stringify(named(text)).replaceAll("\\u001b", "␛")}`),
      beginEnd: () => told.push("begins the end"),
      flush: () => told.push("flushes"),
    }
    this.exit = new Exit(output as never, {
      close: () => {
        told.push("run closes")
        return this.sending
      },
      afterFault: (words, fault) => void told.push(`after the fault: ${words} ${fault instanceof Error}`),
      forwardSignal: signal => {
        if (this.forwards) told.push(`forwards ${signal}`)
        return this.forwards
      },
    })
    this.renderer = {
      isDestroyed: false,
      stdin: {
        fd: 0,
        setRawMode: (isRaw: boolean) => void told.push(`raw ${isRaw}`),
        pause: () => told.push("pauses keys"),
      },
      suspend: () => told.push("suspends"),
      resume: () => told.push("resumes"),
      destroy: () => {
        told.push("destroys")
        this.renderer.isDestroyed = true
      },
    }
  }

  guard(): this {
    this.exit.guard(this.renderer as never)
    return this
  }

  signal(...names: readonly NodeJS.Signals[]): this {
    for (const name of names) happens(name, name)
    return this
  }

  /** All since the last call. */
  get text(): string {
    return this.told.splice(0).join("\n")
  }
}

test("a signal ends the run, gives the terminal back and ends the process with its code, unless a guest takes it", () => {
  const one = new Leaving().guard()
  one.forwards = true
  one.signal("SIGINT", "SIGTERM")
  one.forwards = false
  expect(one.signal("SIGTERM").text).toMatchSnapshot()
  const early = new Leaving()
  early.told.length = 0
  expect(early.signal("SIGHUP").text).toMatchSnapshot()
  const ended = new Leaving().guard()
  happens("exit", 0)
  expect(ended.text).toMatchSnapshot()
  ended.exit.suspend(null)
  expect(ended.text).toBe("")
  const leaving = new Leaving().guard()
  leaving.exit.leave(5, sanitize("so it is"))
  leaving.exit.leave(6)
  leaving.signal("SIGQUIT")
  passEnding(leaving.clock, 40)
  expect(leaving.text).toMatchSnapshot()
})

test("the title of the window is set, restored, and set again after another program had the terminal", async () => {
  const one = new Leaving().guard()
  one.exit.title(sanitize("a run"))
  one.exit.write("\x07")
  const result = await one.exit.lend(async () => {
    await Promise.resolve()
    one.signal("SIGINT", "SIGQUIT")
    process.stdout.write("theirs")
    return 7
  })
  process.stdout.write("kept\n")
  one.exit.title(null)
  await one.exit.lend(async () => one.exit.write("one")).then(() => undefined)
  expect([result, one.text].join("\n")).toMatchSnapshot()
  await expect(one.exit.lend(() => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(one.text).toContain("resumes")
  one.renderer.isDestroyed = true
  expect(await one.exit.lend(async () => 8)).toBe(8)
  expect(one.text).toBe("")
  expect(one.signal("SIGINT").text).toBe("run closes\nstderr: kept\nexit 130")
  const other = new Leaving().guard()
  await other.exit.lend(async () => void other.signal("SIGTERM"))
  expect(other.text).toEndWith("exit 143")
})

test("while it is suspended nothing touches the terminal, until the shell continues it", () => {
  const one = new Leaving()
  one.exit.suspend(null)
  one.told.length = 0
  one.guard().exit.suspend(sanitize("fg goes on"))
  one.exit.title(sanitize("later"))
  one.exit.write("\x07")
  expect(one.text).toMatchSnapshot()
  happens("SIGCONT")
  expect(one.text).toMatchSnapshot()
  happens("SIGCONT")
  one.clock.advance(1000)
  one.exit.write("on")
  expect(one.text).toBe('writes "on"')
  one.exit.suspend(null)
  one.clock.advance(99)
  expect(one.text).not.toContain("resumes")
  one.clock.advance(1)
  expect(one.text).toContain("resumes")
  one.exit.suspend(null)
  one.text
  expect(one.signal("SIGTERM").text).toBe("run closes\nexit 143")
})

test("in the background the program ignores the stop for writing to the terminal alone; without one it is in front", () => {
  const program = `import { ignoreBackgroundStops, isForeground } from "${root}/src/screen/terminal-control.ts"
    const ignored = () => BigInt("0x" + /SigIgn:\\s*(\\w+)/.exec(require("node:fs").readFileSync("/proc/self/status"))[1])
    const before = ignored()
    ignoreBackgroundStops()
    console.log(isForeground(), ignored() === (before | ${2 ** (system.signals.SIGTTOU - 1)}n))`
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program])
  expect(`${stdout}`).toBe("true true\n")
})

test("the modes of a terminal are changed where it is one", () => {
  const told = ["/dev/ptmx", "/dev/null"].map(path => {
    const one = new Leaving()
    one.renderer.stdin.fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY)
    one.guard().renderer.stdin.setRawMode(true)
    return one.text.includes("raw true")
  })
  expect(told).toEqual([true, false])
})

test("the first fault of the screen closes only the screen, a second one the process", () => {
  const one = new Leaving().guard()
  ending(() => logs.error("no fault", broken))
  expect(one.text).toMatchSnapshot()
  one.clock.advance(0)
  expect(one.text).toBe("after the fault: it broke true")
  expect(one.signal("SIGTERM").text).toBe("")
  happens("unhandledRejection", broken)
  expect(one.text).toMatchSnapshot()
  const early = new Leaving()
  ending(() => early.exit.fail("a text"))
  ending(() => early.exit.give(broken))
  ending(() => logs.error("logged"))
  logs.warn("muted")
  expect(early.text).toMatchSnapshot()
})

test("what libraries write stands below the picture once it has ended, and so much of it", async () => {
  const one = new Leaving().guard().guard()
  const done: string[] = []
  process.stdout.write("to\x1b[2J stdout ", () => void done.push("done"))
  process.stderr.write(new TextEncoder().encode("to stderr"))
  one.signal("SIGTERM")
  await Promise.resolve()
  expect([one.text, ...done].join("\n")).toMatchSnapshot()
  const long = new Leaving().guard()
  for (let i = 0; i < 4; i++) process.stdout.write("x".repeat(30_000))
  long.signal("SIGTERM")
  expect(long.text.replace(/x{9,}/, words => `${words.length} of x`)).toMatchSnapshot()
  process.stdout.write("ours")
  happens("exit", 0)
  expect(long.text).toBe("stdout: ours")
})
