// Tests how the command line and the environment become options.
import { beforeAll, describe, expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Environment } from "../../src/cli/option-table.ts"
import { readOptions } from "../../src/cli/options.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()
let recording = ""
beforeAll(async () => {
  recording = join(scratch, "run.jsonl")
  await Bun.write(recording, "")
  await mkdir(join(scratch, "session"))
  await Bun.write(join(scratch, "session/transcript.jsonl"), "")
  await mkdir(join(scratch, "empty"))
})

const read = (line: string, env: Environment = {}) =>
  readOptions(
    line
      .split(" ")
      .filter(Boolean)
      .map(arg => arg.replace("@", scratch)),
    env,
    true,
  )

describe("readOptions of a spawned sidecar (docs/contract.md section 1)", () => {
  const source = (env: Environment) => {
    const options = read("", env)
    return options.command === "watch" ? options.source : options
  }

  test("takes the agent's URL, else its port, else the default port", () => {
    const both = { OPENTUI_WS_URL: "ws://127.0.0.1:9/ws", OPENTUI_WS_PORT: "10" }
    expect(source(both)).toEqual({ type: "live", url: "ws://127.0.0.1:9/ws", token: null, warning: null })
    expect(source({ OPENTUI_WS_PORT: "10" })).toMatchObject({ url: "ws://127.0.0.1:10/ws" })
    expect(source({})).toMatchObject({ url: "ws://127.0.0.1:3737/ws" })
    expect(source({ OPENTUI_WS_URL: "", OPENTUI_WS_PORT: "" })).toMatchObject({ url: "ws://127.0.0.1:3737/ws" })
  })

  test("is spawned with any variable that an agent sets; without them, home shows while no agent answers", () => {
    const set = [
      ...["OPENTUI_WS_URL", "OPENTUI_WS_PORT", "OPENTUI_REPLAY", "ESCAPEMENT_SESSION_ID", "ESCAPEMENT_SESSION_DIR"],
      ...["OPENTUI_SESSION_DIR", "OPENTUI_CHART", "OPENTUI_SESSION_SHORT"],
    ]
    const value = (name: string) =>
      name.endsWith("URL") ? "ws://127.0.0.1:9/ws" : name.endsWith("PORT") ? "9" : recording
    for (const name of set) expect(read("", { [name]: value(name) })).toMatchObject({ command: "watch" })
    expect(read("", { OPENTUI_MOUSE: "1" })).toMatchObject({ command: "home", root: ".escapement", attaches: true })
    expect(read("sessions @", { ESCAPEMENT_SESSION_ID: "s" })).toMatchObject({ command: "home", attaches: false })
  })

  test("prefers a replay to an agent, with instant timing unless set", () => {
    const env = { OPENTUI_REPLAY: recording, OPENTUI_WS_URL: "ws://127.0.0.1:9/ws" }
    expect(source(env)).toMatchObject({ type: "replay", path: recording, timing: "instant", loop: false, speed: 1 })
    for (const timing of ["instant", "paced", "wallclock"]) {
      expect(source({ ...env, OPENTUI_REPLAY_TIMING: timing })).toMatchObject({ timing })
    }
    expect(source({ ...env, OPENTUI_REPLAY_LOOP: "1" })).toMatchObject({ loop: true })
    expect(source({ ...env, OPENTUI_REPLAY_LOOP: "0" })).toMatchObject({ loop: false })
  })

  test("takes the sanitized chart and session names, and the session directory", () => {
    const env = { OPENTUI_CHART: "hai\x1bku", OPENTUI_SESSION_SHORT: "889d", ESCAPEMENT_SESSION_DIR: "/runs/1" }
    expect(read("", env)).toMatchObject({
      screen: { chart: "hai␛ku", session: "889d" },
      spawner: { pid: process.ppid, sessionDir: "/runs/1" },
    })
    expect(read("", { OPENTUI_SESSION_DIR: "/runs/2" })).toMatchObject({ spawner: { sessionDir: "/runs/2" } })
    expect(read("attach", env)).toMatchObject({ spawner: null })
  })

  test("takes the session directory from the flag, else the recording, else the environment", () => {
    const env = { ESCAPEMENT_SESSION_DIR: "/runs/1", OPENTUI_SESSION_DIR: "/runs/2" }
    expect(read("", env)).toMatchObject({ sessionDir: "/runs/1" })
    expect(read("attach", {})).toMatchObject({ sessionDir: null })
    expect(read("attach --session-dir /runs/3", env)).toMatchObject({ sessionDir: "/runs/3" })
    expect(read("replay @/session", env)).toMatchObject({ sessionDir: join(scratch, "session") })
    expect(read("replay @/run.jsonl", env)).toMatchObject({ sessionDir: "/runs/1" })
  })
})

describe("readOptions of a command line", () => {
  test("replays at recorded speed by default, a session directory too", () => {
    expect(read("replay @/session --speed 2.5 --loop --idle-limit 0.5")).toMatchObject({
      source: {
        path: join(scratch, "session/transcript.jsonl"),
        timing: "wallclock",
        speed: 2.5,
        loop: true,
        idleLimitMs: 500,
      },
    })
    expect(read("replay @/run.jsonl --timing paced", { OPENTUI_REPLAY_TIMING: "instant" })).toMatchObject({
      source: { timing: "paced" },
    })
  })

  test("chooses plain mode on request and without a capable terminal; a replay into a pipe is instant", () => {
    const plain = (line: string, env: Environment, interactive: boolean) => {
      const options = readOptions(line.split(" ").filter(Boolean), env, interactive)
      return "screen" in options ? options.screen.plain : options
    }
    expect(plain("", {}, true)).toBe(false)
    expect(plain("", {}, false)).toBe(true)
    expect(plain("", { TERM: "dumb" }, true)).toBe(true)
    expect(plain("", { OPENTUI_PLAIN: "1" }, true)).toBe(true)
    expect(plain("attach --plain", {}, true)).toBe(true)
    expect(readOptions(["replay", recording], {}, false)).toMatchObject({ source: { timing: "instant" } })
    expect(readOptions(["replay", recording, "--timing", "paced"], {}, false)).toMatchObject({
      source: { timing: "paced" },
    })
  })

  test("attaches to another machine only if allowed", () => {
    expect(read("attach ws://192.0.2.1/ws --allow-remote")).toMatchObject({ source: { url: "ws://192.0.2.1/ws" } })
    expect(read("attach ws://192.0.2.1/ws", { OPENTUI_ALLOW_REMOTE: "1" })).toMatchObject({ command: "watch" })
    expect(read("attach ws://[::1]:4000/ws")).toMatchObject({ source: { url: "ws://[::1]:4000/ws" } })
  })

  test("takes the colours from the flag, OPENTUI_COLORS, NO_COLOR, then the terminal", () => {
    const colors = (line: string, env: Environment) => {
      const options = read(line, env)
      return "screen" in options ? options.screen.colors : options
    }
    const rich = { TERM: "xterm-256color", COLORTERM: "truecolor" }
    expect(colors("", rich)).toBe("truecolor")
    expect(colors("", { TERM: "xterm-256color", COLORTERM: "24bit" })).toBe("truecolor")
    expect(colors("", { TERM: "screen-256color" })).toBe("256")
    expect(colors("", { TERM: "linux" })).toBe("16")
    expect(colors("", { TERM: "dumb" })).toBe("none")
    expect(colors("", { ...rich, NO_COLOR: "1" })).toBe("none")
    expect(colors("", { ...rich, NO_COLOR: "" })).toBe("truecolor")
    expect(colors("", { ...rich, NO_COLOR: "1", OPENTUI_COLORS: "16" })).toBe("16")
    expect(colors("--colors 256", { ...rich, OPENTUI_COLORS: "16" })).toBe("256")
  })
})

test("readOptions turns off each kind of alert by its flag or variable", () => {
  const ways = (line: string, env: Environment = {}) => {
    const options = read(line, env)
    return options.command === "watch" ? [options.screen.bell, options.screen.title, options.screen.notify] : []
  }
  expect(ways("attach")).toEqual([true, true, true])
  expect(ways("attach --no-bell")).toEqual([false, true, true])
  expect(ways("attach --no-title --no-notify")).toEqual([true, false, false])
  expect(ways("attach", { OPENTUI_BELL: "0", OPENTUI_TITLE: "off", OPENTUI_NOTIFY: "1" })).toEqual([false, false, true])
})

test("readOptions takes the usual words for a variable that is on or off, and an empty one as unset", () => {
  const ascii = (value: string) => read("attach", { OPENTUI_ASCII: value })
  for (const on of ["1", "yes", "true", "on", "YES"]) expect(ascii(on)).toMatchObject({ screen: { ascii: true } })
  for (const off of ["0", "no", "false", "off", ""]) expect(ascii(off)).toMatchObject({ screen: { ascii: false } })
  expect(read("attach", { OPENTUI_BELL: "" })).toMatchObject({ screen: { bell: true } })
})

test("readOptions takes the likely background from what a terminal says in COLORFGBG, and dark from nothing", () => {
  for (const [value, background] of [
    ["15;0", "dark"],
    ["0;15", "light"],
    ["0;default;15", "light"],
    ["12;8", "dark"],
    ["0;7", "light"],
    ["default;default", "dark"],
  ] as const) {
    expect(read("attach", { COLORFGBG: value })).toMatchObject({ screen: { likelyBackground: background } })
  }
})

test("readOptions quotes a wrong word without its terminal codes", () => {
  expect(read("\x1b[2J")).toEqual({ command: "wrong", why: "unknown command ␛[2J; see --help" })
})

test("-h after a command asks for its help as --help does", () => {
  for (const flag of ["-h", "--help"]) expect(read(`hook claude ${flag}`)).toEqual({ command: "help", about: "hook" })
})

test.each([
  ["attach --nonsense", "unknown option --nonsense; see --help"],
  ["attach -z", "unknown option -z; see --help"],
  ["attach --tehme dark", "unknown option --tehme; did you mean --theme?"],
  ["replay @/run.jsonl --speed", "--speed needs a value"],
  ["replay @/run.jsonl --speed -1", "--speed needs a value; write one that begins with - as --speed=-1"],
  ["sessions --as xml", "unknown format xml; use text or json"],
])("readOptions says in its own words what is wrong with `%s`", (line, why) => {
  expect(read(line)).toEqual({ command: "wrong", why })
})
