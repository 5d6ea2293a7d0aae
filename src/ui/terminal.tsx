import { createCliRenderer } from "@opentui/core"
import { render } from "@opentui/solid"
import { createSignal } from "solid-js"
import type { Effect } from "../store/effect.ts"
import { isOver, type State } from "../store/state.ts"
import type { Store } from "../store/store.ts"
import { clipboardSequence, type Multiplexer } from "./clipboard.ts"
import { fewerColours } from "./depth.ts"
import { Exit } from "./exit.ts"
import { ascii, unicode } from "./glyphs.ts"
import { Output } from "./output.ts"
import { Screen } from "./Screen.tsx"
import { type Background, type Depth, makeTheme } from "./theme.ts"

export interface TerminalOptions {
  readonly store: Store
  readonly look: {
    readonly theme: Background | "auto"
    readonly colors: Depth
    readonly ascii: boolean
    readonly motion: boolean
    readonly mouse: boolean
    readonly onAgentExit: "stay" | "leave"
    readonly multiplexer: Multiplexer
    readonly chart: string | null
    readonly session: string | null
  }
  /** Epoch ms. */
  readonly now: () => number
  readonly perform: (effects: readonly Effect[]) => void
  /** Ends the source. */
  readonly stop: () => void
}

/** The terminal while it is ours. */
export interface Terminal {
  redraw(): void
  suspend(): void
  /** Gives the terminal to another program until `work` is done. */
  lend<T>(work: () => Promise<T>): Promise<T>
  bell(): void
  /** Names the window; null gives it back the name that it had. */
  title(text: string | null): void
  /** Has the desktop tell it, where the terminal knows how. */
  notify(text: string): void
  /** Sends a text to the clipboard; false where it is too long for that. */
  copy(text: string): boolean
  /** False once the terminal has said that another window has the keyboard. */
  focused(): boolean
  /** Gives the terminal back and ends the process; `words` go to stderr as one line. */
  leave(code: number, words?: string): void
  /** Leaves where that was asked for and the run is over with nobody at the other end. */
  agentGone(state: State): void
}

/** Takes the terminal and shows the store in it. Whatever ends the process from now on gives the terminal back. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const output = new Output()
  const exit = new Exit(output, options.stop)
  try {
    return await showStore(options, output, exit)
  } catch (fault) {
    return exit.fail(fault)
  }
}

async function showStore(options: TerminalOptions, output: Output, exit: Exit): Promise<Terminal> {
  const { look } = options
  const renderer = await createCliRenderer({
    stdout: output.stream,
    remote: false,
    useThread: false,
    exitOnCtrlC: false,
    exitSignals: [],
    consoleMode: "disabled",
    openConsoleOnError: false,
    autoFocus: false,
    useMouse: look.mouse,
    enableMouseMovement: false,
    targetFps: 30,
    maxFps: 60,
  })
  exit.guard(renderer)
  // The library listens to the terminal's size only where it writes to the process's own stdout.
  process.stdout.on("resize", () => renderer.resize(process.stdout.columns, process.stdout.rows))
  const reduce = fewerColours(look.colors)
  if (reduce !== null) renderer.addPostProcessFn(reduce)
  let focused = true
  renderer.on("focus", () => {
    focused = true
  })
  renderer.on("blur", () => {
    focused = false
  })
  const [background, setBackground] = createSignal<Background>(
    look.theme === "auto" ? (renderer.themeMode ?? "dark") : look.theme,
  )
  if (look.theme === "auto") renderer.on("theme_mode", (mode: Background) => setBackground(mode))
  await render(
    () => (
      <Screen
        store={options.store}
        title={{ chart: look.chart, session: look.session }}
        theme={() => makeTheme(look.colors, background())}
        glyphs={look.ascii ? ascii : unicode}
        motion={look.motion}
        now={options.now}
        perform={options.perform}
      />
    ),
    renderer,
  )
  return {
    redraw() {
      renderer.suspend()
      renderer.resume()
    },
    suspend: () => exit.suspend(),
    lend: work => exit.lend(work),
    bell: () => void output.write("\x07"),
    title: text => exit.title(text),
    notify(text) {
      // A terminal whose way of telling is not known gets the oldest one, which others ignore.
      if (!renderer.triggerNotification(text)) output.write(`\x1b]9;${text}\x07`)
    },
    copy(text) {
      const sequence = clipboardSequence(text, look.multiplexer)
      if (sequence !== null) output.write(sequence)
      return sequence !== null
    },
    focused: () => focused,
    leave: (code, words) => exit.leave(code, words),
    agentGone(state) {
      if (look.onAgentExit === "leave" && state.link.state === "lost" && isOver(state.run)) exit.leave(0)
    },
  }
}
