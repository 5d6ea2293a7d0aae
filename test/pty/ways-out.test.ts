// Tests that the terminal is restored on every way out: keys, signals and faults.
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { event, play, prompt } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { until } from "../until.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { modes } from "./modes.ts"
import { shells } from "./shells.ts"
import { faulty, openLive, openSidecar, spawned } from "./sidecar.ts"

/** A run that a closed gate keeps alive. */
const recording = [event("runner/started", { "session-id": "s", "chart-id": "c" }), event("runner/tick")]
const paused = { debug: "paused" } as const
const question = prompt("never#1")

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
      const { before } = sidecar
      await sidecar.waitFor("PAUSED")
      expectTaken(sidecar, before)
      sidecar.kill(signal)
      expect(await sidecar.exited).toBe(code)
      expectAsItWas(sidecar, before)
    })
  }

  test("several signals at once, only once", async () => {
    await using sidecar = await openLive(recording, { agent: paused })
    const { before } = sidecar
    await sidecar.waitFor("PAUSED")
    for (const signal of ["SIGINT", "SIGHUP", "SIGTERM", "SIGTERM"] as const) sidecar.kill(signal)
    expect([129, 130, 143]).toContain(await sidecar.exited)
    expectAsItWas(sidecar, before)
  })

  test("Ctrl-C when the run is over, and the exit code is 0", async () => {
    await using sidecar = await openLive([...recording, event("runner/done", { status: "done" })], {
      agent: { debug: true },
    })
    const { before } = sidecar
    await sidecar.waitFor("Run finished")
    expectTaken(sidecar, before)
    // Reports of the colour scheme would go on if it were killed: an agent that started it doesn't end them.
    expect(sidecar.raw).not.toContain("\x1b[?2031h")
    expect(await sidecar.press("\x03").exited).toBe(0)
    expectAsItWas(sidecar, before)
  })

  test("a replay that is to begin at a moment which the recording lacks, and the exit code is 2", async () => {
    await using sidecar = await openSidecar({ cmd: [...spawned, "replay", fixture("demo"), "--at", "99999"] })
    expect(await sidecar.exited).toBe(2)
    expect(modes(sidecar.raw)).toEqual([])
    expect(sidecar.raw).toContain("--at: the recording doesn't have that moment")
  })

  test("a signal while an editor has the terminal", async () => {
    await using sidecar = await openLive([...recording, question], {
      env: { VISUAL: "sh -c 'echo EDITING; read line'" },
    })
    const { before } = sidecar
    await sidecar.waitFor(/─ .* asks[\s\S]*never#1\?/)
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
    ["case 19: a throw while a frame is drawn outside the panes", "SIGXFSZ", "opentui-sidecar: Error: a fault of all"],
  ] as const) {
    test(`${fault}: the run goes on in plain lines and can be answered, and a second fault ends it`, async () => {
      const said = event("llm/start", { invokeid: "dichterin 詩", "session-id": "s" })
      await using sidecar = await openLive([...recording, said, question], { cmd: faulty })
      const { before } = sidecar
      await sidecar.waitFor(/─ .* asks[\s\S]*never#1\?/)
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

  test("the death of the agent that started the screen, which says how to reopen the run", async () => {
    // The terminal's first program must live on, or the terminal would hang up.
    const agent = `echo $$ > "$HOME/agent"; "$@"; exit 1`
    const first = `sh -c '${agent}' agent "$@"; echo the agent has ended; read line`
    await using sidecar = await openLive(recording, {
      agent: paused,
      cmd: ["sh", "-c", first, "first", ...spawned],
      env: { ESCAPEMENT_SESSION_DIR: "/work/runs/889d 14f8" },
    })
    const { before } = sidecar
    await sidecar.waitFor("PAUSED")
    process.kill(Number(await Bun.file(join(sidecar.home, "agent")).text()), "SIGKILL")
    await sidecar.waitFor("the agent that started this screen has exited")
    await sidecar.waitFor(() => sidecar.raw.includes("escapement open '/work/runs/889d 14f8'\r\n"))
    expectAsItWas(sidecar, before)
  })

  test("the death of an agent whose shell has the terminal again, without a fault", async () => {
    await using sidecar = await openLive(recording, { agent: paused, cmd: shells[0] ?? [], env: { PS1: "shell> " } })
    await sidecar.waitFor("shell>")
    const { before } = sidecar
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
        const { before } = sidecar
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
    const { before } = sidecar
    await sidecar.waitFor(() => sidecar.raw.includes("\x1b]11;?"))
    sidecar.kill("SIGTERM")
    expect(await sidecar.exited).toBe(143)
    expectAsItWas(sidecar, before)
  })
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
