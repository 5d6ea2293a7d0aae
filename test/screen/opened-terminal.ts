// Opens a terminal as the program does, in a process of its own, and carries out each line of stdin.
import { PassThrough } from "node:stream"
import type { Link } from "../../packages/wire/src/link.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { features } from "../../src/panels/plan.ts"
import { openTerminal } from "../../src/screen/terminal.tsx"
import { readTheme } from "../../src/ui/theme-file.ts"
import { createStore } from "../../src/view/store.ts"
import { event } from "../run/lines.ts"

/** This file, to be run: whoever imports it opens nothing. */
export const PROGRAM = import.meta.path
/** The console, which the screen takes over. */
const logs = globalThis.console
/** What the terminal says, and its keys. */
const typed = new PassThrough()
const keys = Object.assign(typed, { setRawMode: () => typed, fd: 0, isTTY: true }) as never
const url = "ws://127.0.0.1:1/ws"
const { says = "", isGrey, ...options } = JSON.parse((import.meta.main && process.argv[2]) || "{}")
typed.write(says)
const given = {
  ...{ theme: "dark", likelyBackground: "dark", colors: "truecolor", ascii: false, motion: false, mouse: true },
  ...{ onAgentExit: "leave", multiplexer: null, times: "no", keys, isSpawned: false },
  ...{ now: () => 0, after: () => () => undefined },
  ...{ ...options, ...(isGrey && { theme: readTheme("own", { base: "dark", 16: { error: 8 } }) }) },
}
const surface = import.meta.main ? await openTerminal(given) : null

/** A run of which everything is told on stderr. */
function shown(name: string) {
  const store = createStore({ ...features, link: { state: "open", url, since: 0 } })
  store.dispatch({ type: "frames", frames: [event(0, "llm/error", { invokeid: name, "session-id": "s" })] })
  const tell = (words: string) => process.stderr.write(`${name} ${words}\n`)
  return {
    ...{ store, title: { chart: name, session: null }, perform() {}, showRows() {} },
    keyPressed: () => tell("gets a key"),
    forwardSignal: (signal: string) => tell(`gets ${signal}`),
    fault() {
      tell("has a fault")
      return "fault.jsonl"
    },
    close() {
      tell("closes")
      return null
    },
  }
}

const over = { state: "lost", url, since: 0, retryAt: 9, why: "closed", everOpen: true } as const
const DO: Readonly<Record<string, (rest: string) => unknown>> = {
  show: name => surface?.show(shown(name) as never),
  bell: () => surface?.terminal?.bell(),
  title: text => surface?.terminal?.title(text === "" ? null : sanitize(text)),
  notify: text => surface?.terminal?.notify(sanitize(text)),
  copy: length => process.stderr.write(`copies ${surface?.terminal?.copy("y".repeat(Number(length)))}\n`),
  mouse: () => process.stderr.write(`mouse ${surface?.terminal?.toggleMouse()}\n`),
  type: text => typed.write(text),
  redraw: () => surface?.terminal?.redraw(),
  focus: () => process.stderr.write(`focused ${surface?.terminal?.focused()}\n`),
  lend: () => surface?.terminal?.lend(async () => process.stdout.write("theirs")),
  throw: () => queueMicrotask(() => logs.error(Object.assign(new Error("it broke"), { stack: undefined }))),
  leave: code => surface?.leave(Number(code), sanitize("so it is")),
  gone(link) {
    const { store } = shown("gone")
    if (link === "over") store.dispatch({ type: "frames", frames: [event(1, "runner/done")] })
    const to = link === "exited" ? { state: "exited", command: "claude", code: 4 } : over
    surface?.agentGone({ ...store.shown(), link: to as Link })
  },
}
for await (const line of surface === null ? [] : console) {
  const [word = "", ...rest] = line.split(" ")
  await DO[word]?.(rest.join(" "))
}
