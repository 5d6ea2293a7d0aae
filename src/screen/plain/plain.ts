// Shows the store without a screen: lines to stdout as things happen, and answers from stdin.
import type { Intent } from "../../view/intent.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import type { Surface, SurfaceOptions } from "../surface.ts"
import { linesUntold, newLines, plainStatusLines } from "./run-lines.ts"
import { readTypedAnswer } from "./typed-answer.ts"

/** As soon as this after a change the lines are told, ms: frames of one batch belong together. */
const SOON_MS = 20

const SIGNALS = { SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 } as const

type PlainOptions = Pick<SurfaceOptions, "store" | "now" | "perform" | "stop" | "takes" | "keys">

/** Starts telling; what it gives stands in for a screen. stdin may end: then nobody answers, and the run is still told. */
export function openPlain(options: PlainOptions): Surface {
  const { store } = options
  let leaving = false
  const leave = (code: number, words?: string): void => {
    if (leaving) return
    leaving = true
    tell()
    options.stop()
    if (words !== undefined) process.stderr.write(`opentui-sidecar: ${words}\n`)
    // What a pipe has not taken yet is waited for.
    process.stdout.end(() => process.exit(code))
  }
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`)
  }
  const wish = (intent: Intent): void => options.perform(store.ask(intent, { now: options.now(), page: 0, lines: 0 }))
  /** stdin has ended: nobody can quit once the run is over. */
  let silent = false
  let told: State = { ...store.get(), link: { state: "closed" } }
  let soon: ReturnType<typeof setTimeout> | null = null
  const tell = (): void => {
    if (soon !== null) clearTimeout(soon)
    soon = null
    const before = told
    const lines = linesUntold(before, store.get())
    if (lines.length > 0) wish({ type: "recall", lines })
    told = store.get()
    print(newLines(before, told))
    if (silent && isLive(told) && isOver(told.run)) wish({ type: "quit" })
  }
  store.subscribe(() => {
    soon ??= setTimeout(tell, SOON_MS)
  })
  // After a screen that failed much has been told already.
  if (told.run.frames.lines > 0) {
    told = store.get()
    print(plainStatusLines(told))
  }
  tell()

  const want = (line: string): void => {
    const meaning = readTypedAnswer(store.get(), line)
    if ("say" in meaning) print(meaning.say)
    else wish(meaning.intent)
  }
  let begun = ""
  // A screen has this at hand for when it fails, and is not to load a reader of lines at each start.
  const { createInterface } = process.getBuiltinModule("node:readline")
  const input = options.keys === null ? null : createInterface({ input: options.keys, terminal: false })
  input?.on("line", line => {
    const text = begun + line
    begun = text.endsWith("\\") ? `${text.slice(0, -1)}\n` : ""
    if (begun === "") want(text)
  })
  input?.on("close", () => {
    silent = true
    if (answerable(store.get()).length > 0) print(["sidecar: stdin has ended, so nobody can answer here"])
    tell()
  })

  // Whoever reads us may go first: then there is nobody left to tell.
  process.stdout.on("error", () => process.exit(0))
  process.on("SIGINT", () => void (options.takes("SIGINT") || wish({ type: "quit" })))
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, (name: NodeJS.Signals) => void (options.takes(name) || leave(code)))
  }
  return {
    redraw() {},
    suspend() {},
    lend: work => work(),
    bell() {},
    title() {},
    notify() {},
    // Nothing asks for a copy here: there are no keys.
    copy: () => false,
    focused: () => true,
    leave,
    agentGone({ link, run }) {
      if (link.state === "exited") leave(link.code)
      if (link.state === "ended" || (link.state === "lost" && isOver(run))) leave(0)
    },
  }
}
