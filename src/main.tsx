// The whole loop: frames come from a source, the store folds them, the screen shows them; a key becomes a wish, the
// store decides what it comes to, and perform does it. The agent starts this file (contract.md section 1).

import { basename, join } from "node:path"
import { prepareBundle, readyBundle } from "./bundle.ts"

import { CaptureReader } from "./disk/capture.ts"
import { Directory } from "./disk/directory.ts"
import type { Told } from "./disk/told.ts"

import { editText } from "./editor.ts"

import { goneWords, quitWords } from "./farewell.ts"
import { namedFor, type Options, readOptions, type SourceOptions } from "./options.ts"
import { watchParent } from "./parent.ts"
import { type Hands, perform } from "./perform.ts"
import type { Capture } from "./protocol/capture.ts"
import { resender } from "./resend.ts"
import { attention } from "./store/attention.ts"
import type { Intent } from "./store/intent.ts"
import { wantCaptures } from "./store/plan-capture.ts"
import { answerable } from "./store/state.ts"

import { createStore } from "./store/store.ts"
import { takeout } from "./takeout.ts"
import { Spool } from "./tape/spool.ts"
import { type Eql, eqlClient } from "./wire/eql.ts"
import { withFallback } from "./wire/eql-fallback.ts"
import { recorded } from "./wire/message.ts"
import { replaySource } from "./wire/replay.ts"
import { socketSource } from "./wire/socket.ts"
import type { Source } from "./wire/source.ts"

type Watched = Omit<Extract<Options, { readonly command: "watch" }>, "command">

/** Shows a run, live or recorded, until the person leaves or the agent that started us dies. */
async function watch({ source: from, screen: look, spawner, sessionDir }: Watched): Promise<void> {
  const openTerminal = look.plain ? (await import("./ui/plain/plain.ts")).openPlain : (await loadScreen()).openTerminal
  const { source, eql } = openSource(from)
  const store = createStore(
    from.type === "live"
      ? { state: "connecting", url: from.url, attempt: 1 }
      : { state: "replaying", path: from.path, torn: 0 },
    look.segments,
    lines => spool?.append(lines),
  )
  const hands: Hands = {
    send: line => source.send(line),
    redraw: () => terminal.redraw(),
    suspend: () => terminal.suspend(),
    edit: (key, text) => void edit(key, text),
    // Where it cannot be had, the outline is made of what was seen.
    define: () =>
      void eql?.readChart().then(
        definition => store.dispatch({ type: "defined", definition }),
        () => undefined,
      ),
    capture: refs => captures?.read(refs),
    ...takeout({
      get: store.get,
      terminal: () => terminal,
      directory: look.stateDir,
      title: basename(sessionDir ?? (from.type === "replay" ? from.path : (look.chart ?? "run"))),
      recording: from.type === "replay" ? from.path : null,
      tape: () => spool,
      tell: (text, level) => tell(text, level),
    }),
    bell: () => terminal.bell(),
    title: text => terminal.title(text),
    notify: text => terminal.notify(text),
    wake: at =>
      setTimeout(() => store.dispatch({ type: "tick", now: Date.now() }), Math.max(0, at - Date.now())).unref(),
    exit: code => terminal.leave(code, quitWords(store.get())),
  }
  const want = (intent: Intent): void => perform(store.ask(intent, { now: Date.now(), page: 0, lines: 0 }), hands)
  const tell = (text: string, level?: "info"): void => want({ type: "tell", text, ...(level && { level }) })
  const spool =
    from.type === "live"
      ? new Spool(join(look.stateDir, "spool"), why => tell(`The past of this run is not kept from here on: ${why}`))
      : null
  const terminal = await namedFor(look.colors, () =>
    openTerminal({
      store,
      look,
      now: Date.now,
      perform: effects => perform(effects, hands),
      stop: () => {
        source.stop()
        spool?.close()
      },
    }),
  )
  const edit = async (key: number, text: string): Promise<void> => {
    const keeps = () => !answerable(store.get()).some(prompt => prompt.key === key)
    const edited = await terminal.lend(() => editText(text, { editor: look.editor, directory: look.stateDir, keeps }))
    perform(store.ask({ type: "edited", key, edited }, { now: Date.now(), page: 0, lines: 0 }), hands)
  }
  let captures: CaptureReader | null = null
  const keepCapture = (ref: string, { value: capture, error: why }: Told<Capture>): void => {
    const captured = capture === undefined ? { why } : { capture }
    store.dispatch({ type: "captured", ref, captured })
  }
  let seen = store.get()
  store.subscribe(() => {
    const before = seen
    seen = store.get()
    perform(attention(before, seen, { ...look, focused: terminal.focused() }), hands)
    perform(wantCaptures(before, seen), hands)
  })
  if (sessionDir !== null) {
    const { error = null, value: directory } = await Directory.open(sessionDir)
    if (directory !== undefined) captures = new CaptureReader(directory, keepCapture)
    store.dispatch({ type: "directory", directory: { path: directory?.path ?? sessionDir, error } })
  }
  if (spawner !== null) watchParent(() => terminal.leave(0, goneWords(spawner)))
  const resend = resender(() => want({ type: "resend" }))
  source.start({
    frames(arrivals) {
      spool?.append(arrivals.map(recorded))
      const lines = arrivals.map(({ frame }) => frame)
      store.dispatch({ type: "frames", lines })
      if (store.get().view.breakpoints.pending.length > 0) want({ type: "hits" })
      resend.frames(lines)
    },
    link(link) {
      store.dispatch({ type: "link", link, now: Date.now() })
      resend.link(link)
      terminal.agentGone(store.get())
    },
    restart: why => store.dispatch({ type: "restart", why, now: Date.now() }),
  })
}

/** The screen comes late, since nothing else needs it: from its bundle, or from its files, which Solid must transform. */
async function loadScreen(): Promise<typeof import("./ui/terminal.tsx")> {
  const ready = readyBundle()
  if (ready !== null) return await import(ready)
  prepareBundle()
  const { ensureSolidTransformPlugin } = await import("@opentui/solid/bun-plugin")
  ensureSolidTransformPlugin()
  return await import("./ui/terminal.tsx")
}

function openSource(from: SourceOptions): { readonly source: Source; readonly eql: Eql | null } {
  if (from.type === "replay") return { source: replaySource(from), eql: null }
  const { url } = from
  const agent = from.token === null ? { url } : { url, token: from.token }
  // The options have judged the address already, so a remote one was allowed.
  const eql = eqlClient({ ...agent, allowRemote: true })
  return { source: withFallback(socketSource(agent), eql), eql }
}

const options = readOptions(process.argv.slice(2))
if (options.command === "watch") await watch(options)
else if (options.command === "demo") {
  const { demoAgent } = await import("./commands/demo.ts")
  const { url } = await demoAgent()
  const source = { type: "live", url, token: null } as const
  await watch({ source, screen: options.screen, spawner: null, sessionDir: null })
} else if (options.command === "sessions") {
  const { sessionsCommand } = await import("./commands/sessions.ts")
  const chosen = await sessionsCommand(options.root)
  const opened = typeof chosen === "string" ? options.open(chosen) : null
  if (opened?.command === "watch") await watch(opened)
  else process.exitCode = typeof chosen === "number" ? chosen : 2
} else {
  const { runCommand } = await import("./commands/run.ts")
  process.exitCode = await runCommand(options)
}
