// Shows runs on a screen that fills the terminal.
import { type CliRenderer, createCliRenderer, RGBA } from "@opentui/core"
import { render } from "@opentui/solid"
import { createSignal, Show } from "solid-js"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { ascii, unicode } from "../ui/glyphs.ts"
import { type Background, type Depth, makeTheme } from "../ui/theme.ts"
import { isOver } from "../view/state.ts"
import { clipboardSequence } from "./clipboard.ts"
import { PlainSurface } from "./plain/plain.ts"
import { Screen } from "./Screen.tsx"
import type { ShownRun, Surface, SurfaceOptions, Terminal } from "./surface.ts"
import { Exit } from "./terminal-exit.ts"
import { TerminalOutput, writeError } from "./terminal-output.ts"

interface Cells {
  readonly fg: Uint16Array
  readonly bg: Uint16Array
}

const FOREGROUND = RGBA.defaultForeground().buffer
const BACKGROUND = RGBA.defaultBackground().buffer

/** Reduces a frame in place to `depth`; null if nothing needs reducing. */
function fewerColours(depth: Depth): ((frame: { readonly buffers: Cells }) => void) | null {
  if (depth === "truecolor") return null
  return ({ buffers }) => {
    uncolour(buffers.fg, FOREGROUND)
    uncolour(buffers.bg, BACKGROUND)
  }
}

/**
 * Writes the sixteen colours of a frame as every terminal knows them: `31` and `91`, not `38;5;1` and `38;5;9`. Null
 * for another depth.
 */
function sixteenColours(depth: Depth): ((frame: Uint8Array) => Uint8Array) | null {
  if (depth !== "16") return null
  return frame => Buffer.from(Buffer.from(frame).toString("latin1").replace(INDEXED, shortSequence), "latin1")
}

const INDEXED = /\x1b\[([34])8;5;(\d|1[0-5])m/g

function shortSequence(_: string, ground: string, index: string): string {
  const bright = Number(index) >= 8
  return `\x1b[${Number(ground) * 10 + (bright ? 60 : 0) + (Number(index) % 8)}m`
}

/** The high byte of a colour's second number is 1 for an index, 2 for a default, 0 for red, green and blue. */
function uncolour(cells: Uint16Array, plain: Uint16Array): void {
  for (let at = 0; at < cells.length; at += 4) {
    if ((cells[at + 1] ?? 0) < 0x100 && cells[at + 3] !== 0) cells.set(plain, at)
  }
}

/** How long the first picture waits for the terminal to tell its background, ms. */
const ANSWER_MS = 20

/** Figures change ten times a second, a recording that is being read five times, texts with each frame. */
const CALM_MS = 100

/** Takes the terminal until the process ends. After a fault it prints plain lines (docs/decisions.md section 4). */
export async function openTerminal(options: SurfaceOptions): Promise<Surface> {
  const recolour = sixteenColours(options.colors) ?? ((frame: Uint8Array) => frame)
  const rewrite = options.isSpawned ? (frame: Uint8Array) => recolour(withoutSchemeReports(frame)) : recolour
  const output = new TerminalOutput(process.stdout.fd, rewrite)
  let run: ShownRun | null = null
  let plain: Surface | null = null
  const exit = new Exit(output, {
    close: () => run?.close() ?? null,
    forwardSignal: signal => run?.forwardSignal(signal) ?? false,
    afterFault(words, fault) {
      const path = run?.fault(fault) ?? null
      const kept = path === null ? "" : `; it is written down in ${path} with the last frames, which \`replay\` shows`
      writeError(sanitize(`opentui-sidecar: ${words}\nopentui-sidecar: the screen has failed${kept}\n`))
      plain = new PlainSurface(options)
      if (run !== null) plain.show(run)
    },
  })
  const screen = await openScreen(options, output, exit).catch(fault => exit.give(fault))
  const front = (): Surface => plain ?? screen
  return {
    get terminal() {
      return front().terminal
    },
    show(shown) {
      run = shown
      try {
        front().show(shown)
      } catch (fault) {
        exit.give(fault)
      }
    },
    taken: () => front().taken(),
    leave: (code, words) => front().leave(code, words),
    agentGone: state => front().agentGone(state),
  }
}

async function openScreen(options: SurfaceOptions, output: TerminalOutput, exit: Exit): Promise<Surface> {
  const renderer = await openRenderer(options, output)
  exit.guard(renderer)
  // The library listens to the terminal's size only where it writes to the process's own stdout.
  process.stdout.on("resize", () => renderer.resize(process.stdout.columns, process.stdout.rows))
  const reduce = fewerColours(options.colors)
  if (reduce !== null) renderer.addPostProcessFn(reduce)
  const [focused, setFocused] = createSignal(true)
  renderer.on("focus", () => setFocused(true))
  renderer.on("blur", () => setFocused(false))
  const [theme, setTheme] = createSignal(options.theme === "auto" ? options.likelyBackground : options.theme)
  if (options.theme === "auto") {
    renderer.on("theme_mode", (mode: Background) => setTheme(mode))
    holdFirstFrame(renderer, renderer.waitForThemeMode(ANSWER_MS))
  }
  const [run, setRun] = createSignal<ShownRun | null>(null)
  await render(
    () => (
      <Show when={run()} keyed>
        {(shown: ShownRun) => (
          <Screen
            run={shown}
            theme={() => makeTheme(options.colors, theme())}
            glyphs={options.ascii ? ascii : unicode}
            motion={options.motion}
            calmMs={CALM_MS}
            now={options.now}
          />
        )}
      </Show>
    ),
    renderer,
  )
  const terminal: Terminal = {
    redraw() {
      renderer.suspend()
      renderer.resume()
    },
    suspend: words => exit.suspend(words),
    toggleMouse() {
      renderer.useMouse = !renderer.useMouse
      return renderer.useMouse
    },
    lend: work => exit.lend(work),
    bell: () => exit.write("\x07"),
    title: text => exit.title(text),
    notify(text) {
      // An unknown terminal gets the oldest sequence, which others ignore.
      if (!renderer.triggerNotification(text)) exit.write(`\x1b]9;${text}\x07`)
    },
    copy(text) {
      const sequence = clipboardSequence(text, options.multiplexer)
      if (sequence !== null) output.write(sequence)
      return sequence !== null
    },
    focused,
  }
  return {
    terminal,
    show(shown) {
      if (run() !== null) exit.title(null)
      setRun(shown)
    },
    taken: () => undefined,
    leave: (code, words) => exit.leave(code, words),
    agentGone(state) {
      if (options.onAgentExit !== "leave") return
      if (state.link.state === "lost" && isOver(state.present)) exit.leave(0)
      if (state.link.state === "exited") exit.leave(state.link.code)
    },
  }
}

/** What makes the terminal report its colour scheme. Escapement restores all modes of a killed screen but this one. */
const REPORT_SCHEME = "\x1b[?2031h"

function withoutSchemeReports(frame: Uint8Array): Uint8Array {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
  if (!bytes.includes(REPORT_SCHEME)) return frame
  return Buffer.from(bytes.toString("latin1").replaceAll(REPORT_SCHEME, ""), "latin1")
}

/** The first frame waits for `answer`, lest it be drawn for the wrong background. The run opens meanwhile. */
function holdFirstFrame(renderer: CliRenderer, answer: Promise<unknown>): void {
  const hold = async (): Promise<void> => {
    await answer
    renderer.removeFrameCallback(hold)
  }
  renderer.setFrameCallback(hold)
}

function openRenderer({ keys, mouse }: SurfaceOptions, output: TerminalOutput): Promise<CliRenderer> {
  return createCliRenderer({
    ...(keys !== null && { stdin: keys }),
    stdout: output.stream,
    remote: false,
    useThread: false,
    exitOnCtrlC: false,
    exitSignals: [],
    consoleMode: "disabled",
    openConsoleOnError: false,
    autoFocus: false,
    useMouse: mouse,
    enableMouseMovement: false,
    targetFps: 30,
    // Batches come at 60 Hz. The frame of a key is drawn between two of them.
    maxFps: 240,
  })
}
