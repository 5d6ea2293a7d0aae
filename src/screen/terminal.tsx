import { createCliRenderer } from "@opentui/core"
import { render } from "@opentui/solid"
import { createSignal } from "solid-js"
import { ascii, unicode } from "../ui/glyphs.ts"
import { type Background, makeTheme } from "../ui/theme.ts"
import { isOver } from "../view/state.ts"
import { clipboardSequence } from "./clipboard.ts"
import { fewerColours } from "./color-depth.ts"
import { Exit } from "./exit.ts"
import { openPlain } from "./plain/plain.ts"
import { Screen } from "./Screen.tsx"
import type { Surface, SurfaceOptions } from "./surface.ts"
import { TerminalOutput } from "./terminal-output.ts"

/**
 * Takes the terminal and shows the store in it. Whatever ends the process from now on gives the terminal back; a fault of
 * the screen ends the screen alone, and the run is told in plain lines from then on (docs/decisions.md section 4).
 */
export async function openTerminal(options: SurfaceOptions): Promise<Surface> {
  const output = new TerminalOutput()
  let plain: Surface | null = null
  const exit = new Exit(
    output,
    options.stop,
    (words, fault) => {
      const path = options.fault(fault)
      const kept = path === null ? "" : `; it is written down in ${path}`
      process.stderr.write(`opentui-sidecar: ${words}\nopentui-sidecar: the screen has failed${kept}\n`)
      plain = openPlain(options)
    },
    options.takes,
  )
  try {
    const screen = await showStore(options, output, exit)
    const now = (): Surface => plain ?? screen
    return {
      redraw: () => now().redraw(),
      suspend: () => now().suspend(),
      lend: work => now().lend(work),
      bell: () => now().bell(),
      title: text => now().title(text),
      notify: text => now().notify(text),
      copy: text => now().copy(text),
      focused: () => now().focused(),
      leave: (code, words) => now().leave(code, words),
      agentGone: state => now().agentGone(state),
    }
  } catch (fault) {
    return exit.give(fault)
  }
}

async function showStore(options: SurfaceOptions, output: TerminalOutput, exit: Exit): Promise<Surface> {
  const { look } = options
  const renderer = await createCliRenderer({
    ...(options.keys !== null && { stdin: options.keys }),
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
    // Frames come sixty times a second: one that waited for its turn after that would be drawn a frame late.
    maxFps: 120,
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
      if (look.onAgentExit !== "leave") return
      if (state.link.state === "lost" && isOver(state.run)) exit.leave(0)
      if (state.link.state === "exited") exit.leave(state.link.code)
    },
  }
}
