// Tests that the terminal is restored on every way out: keys, signals and faults.
import { beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { event, play } from "../agent/ui.ts"
import { fixture, root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { modes } from "./modes.ts"
import { shells } from "./shells.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"

/** A run that a closed gate keeps alive. */
const recording = [event("runner/started", { "session-id": "s", "chart-id": "c" }), event("runner/tick")]
const paused = { debug: "paused" } as const
const question = JSON.stringify({
  kind: "prompt",
  "prompt-id": "never#1",
  invokeid: "never",
  type: "text",
  opts: { prompt: "Well?" },
})

const KEY = "sk-0123456789abcdefghij"

const scratch = fileScratch()
beforeAll(async () => {
  // Makes the program fail on demand, from outside it.
  await Bun.write(
    join(scratch, "faults.ts"),
    `process.on("SIGUSR2", () => setTimeout(() => { throw new Error("a fault\\x1b[2J of a timer") }, 1))
     process.on("SIGUSR1", () => void Promise.reject(new Error("a promise that nobody keeps")))
     process.on("SIGXCPU", () => setTimeout(() => new Uint8Array(2 ** 52), 1))
     // Those of the program would end it.
     const { on } = process
     process.on = (name, ...rest) => /^SIG(USR|XCPU)/.test(name) ? process : on.call(process, name, ...rest)
     // Every key and every non-ASCII line passes through this.
     const { includes } = Array.prototype
     Array.prototype.includes = function (one, from) {
       if (one === "f9") throw new Error("a fault of a key")
       return includes.call(this, one, from)
     }
     const { stringWidth } = Bun
     process.on("SIGXFSZ", () => {
       // Only after the lines are made, so that it is outside every pane's fault boundary.
       Bun.stringWidth = text => {
         if (/\\bdrawText\\b/.test(new Error().stack ?? "")) throw new Error("a fault of all that is drawn")
         return stringWidth(text)
       }
       process.stdout.emit("resize")
     })
     Bun.stringWidth = stringWidth
     await import(${JSON.stringify(join(root, "src/main.tsx"))})`,
  )
})

describe("the terminal is restored after", () => {
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGQUIT", 131],
    ["SIGABRT", 134],
    ["SIGUSR1", 138],
    ["SIGUSR2", 140],
    ["SIGALRM", 142],
    ["SIGXCPU", 152],
    ["SIGVTALRM", 154],
    ["SIGPROF", 155],
    ["SIGIO", 157],
    ["SIGSYS", 159],
  ] as const) {
    test(`${signal}, and the exit code is ${code}`, async () => {
      await using sidecar = await openLive(recording, { agent: paused })
      const before = sidecar.flags
      await sidecar.waitFor("PAUSED")
      expectTaken(sidecar, before)
      sidecar.kill(signal)
      expect(await sidecar.exited).toBe(code)
      expectAsItWas(sidecar, before)
    })
  }

  test("several signals at once, only once", async () => {
    await using sidecar = await openLive(recording, { agent: paused })
    const before = sidecar.flags
    await sidecar.waitFor("PAUSED")
    for (const signal of ["SIGINT", "SIGHUP", "SIGTERM", "SIGTERM"] as const) sidecar.kill(signal)
    expect([129, 130, 143]).toContain(await sidecar.exited)
    expectAsItWas(sidecar, before)
  })

  test("Ctrl-C when the run is over, and the exit code is 0", async () => {
    await using sidecar = await openLive([...recording, event("runner/done", { status: "done" })], {
      agent: { debug: true },
    })
    const before = sidecar.flags
    await sidecar.waitFor("Run finished")
    expectTaken(sidecar, before)
    expect(await sidecar.press("\x03").exited).toBe(0)
    expectAsItWas(sidecar, before)
  })

  test("Ctrl-C in a recording", async () => {
    await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("prompts") } })
    const before = sidecar.flags
    await sidecar.waitFor("─ LOG")
    expect(await sidecar.press("\x03").exited).toBe(0)
    expectAsItWas(sidecar, before)
  })

  test("a signal while an editor has the terminal", async () => {
    await using sidecar = await openLive([...recording, question], {
      env: { VISUAL: "sh -c 'echo EDITING; read line'" },
    })
    const before = sidecar.flags
    await sidecar.waitFor(/─ .* asks[\s\S]*Well\?/)
    await sidecar.press("\x18\x05").waitFor("EDITING")
    sidecar.kill("SIGTERM")
    expect(await sidecar.exited).toBe(143)
    expectAsItWas(sidecar, before)
  })

  for (const [fault, cause, words] of [
    ["a throw in a timer", "SIGUSR2", "opentui-sidecar: Error: a fault␛[2J of a timer"],
    ["an unhandled rejection", "SIGUSR1", "opentui-sidecar: Error: a promise that nobody keeps"],
    ["memory that is not to be had", "SIGXCPU", "opentui-sidecar: RangeError"],
    ["a throw in a key", "\x1b[20~", "opentui-sidecar: Error: a fault of a key"],
  ] as const) {
    test(`${fault}: the run goes on in plain lines and can be answered, and a second fault ends it`, async () => {
      const cmd = [process.execPath, "run", join(scratch, "faults.ts")]
      await using sidecar = await openLive([...recording, question], { cmd })
      const before = sidecar.flags
      await sidecar.waitFor(/─ .* asks[\s\S]*Well\?/)
      expectTaken(sidecar, before)
      if (cause.startsWith("SIG")) sidecar.kill(cause as NodeJS.Signals)
      else sidecar.press(cause)
      await sidecar.waitFor(() => sidecar.raw.includes("answer 1: type your answer"))
      expectAsItWas(sidecar, before)
      const after = sidecar.raw.slice(sidecar.raw.lastIndexOf("\x1b[?1049l"))
      expect(Buffer.from(after, "latin1").toString()).toContain(words)
      expect(after).not.toContain("a fault\x1b")
      const kept = /written down in (\S+)/.exec(after)?.[1] ?? ""
      expect((await stat(kept)).mode & 0o777).toBe(0o600)
      const [note, ...frames] = (await Bun.file(kept).text()).trimEnd().split("\n")
      expect(JSON.parse(note ?? "")).toMatchObject({ kind: "sidecar", what: "fault" })
      expect(frames.some(line => line.includes("never#1"))).toBe(true)

      sidecar.type("very well\r")
      expect(await sidecar.hears({ "prompt-id": "never#1" })).toMatchObject({ value: "very well" })
      sidecar.kill("SIGUSR2")
      expect(await sidecar.exited).toBe(1)
      expectAsItWas(sidecar, before)
    })
  }

  test("a fault in a recording: its last frames, without secrets and control characters, are where it says and replay", async () => {
    const path = join(scratch, "run.jsonl")
    const said = event("llm/error", { invokeid: "poet", "session-id": "p", message: `tea\x1b[2J\u202e of ${KEY}` })
    await Bun.write(path, `${[...recording, said, question].join("\n")}\n`)
    const cmd = [process.execPath, "run", join(scratch, "faults.ts")]
    await using seen = await openSidecar({ cmd, env: { OPENTUI_REPLAY: path } })
    await seen.waitFor("model error")
    seen.kill("SIGUSR2")
    await seen.waitFor(() => /written down in \S+ with/.test(seen.raw))
    const kept = /written down in (\S+)/.exec(seen.raw)?.[1] ?? ""
    const text = await Bun.file(kept).text()
    const [note = "", ...frames] = text.trimEnd().split("\n")
    expect(JSON.parse(note)).toMatchObject({ stack: expect.stringContaining("of a timer") })
    expect(frames).toHaveLength(4)
    for (const bad of [KEY, "\x1b", "\u202e"]) expect(text).not.toContain(bad)

    await using again = await openSidecar({ cmd: [...spawned, "replay", kept, "--timing", "instant"] })
    await again.waitFor("tea␛[2J\ufffd of [redacted API key]")
    await again.waitFor(" 4/4 ")
  })

  test("case 19: a throw while a frame is drawn outside the panes, and the process and the run go on", async () => {
    const cmd = [process.execPath, "run", join(scratch, "faults.ts")]
    const said = event("llm/start", { invokeid: "dichterin 詩", "session-id": "s" })
    await using sidecar = await openLive([...recording, said, question], { cmd })
    const before = sidecar.flags
    await sidecar.waitFor(/─ .* asks[\s\S]*Well\?/)
    sidecar.kill("SIGXFSZ")
    await sidecar.waitFor(() => sidecar.raw.includes("answer 1: type your answer"))
    expectAsItWas(sidecar, before)
    sidecar.type("very well\r")
    expect(await sidecar.hears({ "prompt-id": "never#1" })).toMatchObject({ value: "very well" })
    sidecar.kill("SIGTERM")
    expect(await sidecar.exited).toBe(143)
    expectAsItWas(sidecar, before)
  })

  test("the death of the agent that started the screen, which says how to reopen the run", async () => {
    // The terminal's first program must live on, or the terminal would hang up.
    const agent = `echo $$ > "$HOME/agent"; "$@"; exit 1`
    const first = `sh -c '${agent}' agent "$@"; echo the agent has ended; read line`
    await using sidecar = await openLive(recording, {
      agent: paused,
      cmd: ["sh", "-c", first, "first", ...spawned],
      env: { ESCAPEMENT_SESSION_DIR: "/work/runs/889d 14f8" },
    })
    const before = sidecar.flags
    await sidecar.waitFor("PAUSED")
    process.kill(Number(await Bun.file(join(sidecar.home, "agent")).text()), "SIGKILL")
    await sidecar.waitFor("the agent that started this screen has exited")
    await sidecar.waitFor(() => sidecar.raw.includes("escapement open '/work/runs/889d 14f8'\r\n"))
    expectAsItWas(sidecar, before)
  })

  test("the death of an agent whose shell has the terminal again, without a fault", async () => {
    await using sidecar = await openLive(recording, { agent: paused, cmd: shells[0] ?? [], env: { PS1: "shell> " } })
    await sidecar.waitFor("shell>")
    const before = sidecar.flags
    sidecar.type(`sh -c 'echo $$ > "$HOME/agent"; "$@"; exit 1' agent ${spawned.join(" ")}\r`)
    await sidecar.waitFor("PAUSED")
    process.kill(Number(await Bun.file(join(sidecar.home, "agent")).text()), "SIGKILL")
    await sidecar.waitFor("the agent that started this screen has exited")
    expect(sidecar.raw).not.toContain("fail")
    expect(existsSync(join(sidecar.home, "state/opentui-sidecar/crash"))).toBe(false)
    expect(modes(sidecar.raw)).toEqual([])
    expect(sidecar.flags).toEqual(before)
  })

  for (const [name, words] of [
    ["a replay's", () => ["replay", fixture("debugger"), "--loop"]],
    ["an attached viewer's", (url: string) => ["attach", url]],
    ["a plain viewer's", (url: string) => ["attach", url, "--plain"]],
  ] as const) {
    test(`${name} terminal is gone without a signal, which ends it`, async () => {
      const agent = await play(recording, { hold: false, debug: "paused" })
      const alone = ["sh", "-c", 'exec 3<&0; setsid "$@" <&3 & echo $! > "$HOME/pid"; sleep 60', "sh", ...spawned]
      const sidecar = await openSidecar({ cmd: [...alone, ...words(agent.url)] })
      await sidecar.waitFor(/─ LOG|connected/)
      const pid = Number(await Bun.file(join(sidecar.home, "pid")).text())
      await sidecar.close()
      await until(() => !existsSync(`/proc/${pid}/fd/0`))
      expect(sidecar.raw).not.toContain("failed")
    })
  }

  for (const shell of shells) {
    test.skipIf(Bun.which("reset") === null)(
      `kill -9 under ${shell[0]}, by the commands that docs/trust.md advises`,
      async () => {
        await using sidecar = await openLive(recording, { agent: paused, cmd: shell, env: { PS1: "shell> ", ENV: "" } })
        await sidecar.waitFor("shell>")
        const before = sidecar.flags
        sidecar.type(`sh -c 'echo $$ > "$HOME/pid"; exec "$@"' as ${spawned.join(" ")}\r`)
        await sidecar.waitFor("PAUSED")
        expectTaken(sidecar, before)
        const taken = sidecar.flags
        process.kill(Number(await Bun.file(join(sidecar.home, "pid")).text()), "SIGKILL")
        await sidecar.waitFor(/Killed/)
        // In raw mode Enter may not end a line, so a newline is typed first.
        await sidecar.press("\nstty sane; reset\n").waitFor(() => modes(sidecar.raw).length === 0)
        // `stty sane` may set more flags than before; at least the removed ones are back.
        const off = (index: number): number => (before[index] ?? 0) & ~(taken[index] ?? 0)
        await sidecar.waitFor(() => sidecar.flags.every((flags, index) => (off(index) & ~flags) === 0))
        await sidecar.type("echo so$((40+2))\r").waitFor("so42")
      },
    )
  }

  test("a signal that comes before the first frame", async () => {
    await using sidecar = await openLive(recording, { agent: paused })
    const before = sidecar.flags
    await sidecar.waitFor(() => sidecar.raw.includes("\x1b]11;?"))
    sidecar.kill("SIGTERM")
    expect(await sidecar.exited).toBe(143)
    expectAsItWas(sidecar, before)
  })
})

describe("a start that cannot work is refused in one line, with exit code 2 and no escape sequence:", () => {
  const cases: readonly (readonly [string, () => Record<string, string>, readonly string[], RegExp])[] = [
    [
      "a recording that is missing",
      () => ({ OPENTUI_REPLAY: join(scratch, "none.jsonl") }),
      [],
      /none\.jsonl: no such file$/,
    ],
    ["an address that is none", () => ({ OPENTUI_WS_URL: "localhost:3737\x1b[2J" }), [], /expected a ws:/],
    ["an unknown flag", () => ({}), ["--colour"], /--colour/],
  ]
  for (const [name, env, args, words] of cases) {
    test(name, async () => {
      await using sidecar = await openSidecar({ env: env(), cmd: [...spawned, ...args] })
      expect(await sidecar.exited).toBe(2)
      expect(sidecar.raw).not.toContain("\x1b")
      const lines = sidecar.raw.trimEnd().split("\r\n")
      expect(lines).toHaveLength(1)
      expect(lines[0]).toStartWith("opentui-sidecar: ")
      expect(lines[0]).toMatch(words)
    })
  }
})

describe("plain lines without escape sequences are printed with", () => {
  for (const [name, redirection] of [
    ["a stdin that is no terminal", "</dev/null"],
    ["a stdout that is no terminal", "| cat"],
  ] as const) {
    test(name, async () => {
      const cmd = ["bash", "-c", `"$@" ${redirection}; exit $((\${PIPESTATUS[0]}))`, "sh", ...spawned]
      await using sidecar = await openSidecar({ cmd, env: { OPENTUI_REPLAY: fixture("prompts") } })
      expect(await sidecar.exited).toBe(0)
      expect(sidecar.raw).toContain("recording: ended\r\n")
      expect(sidecar.raw).not.toContain("\x1b")
    })
  }
})
