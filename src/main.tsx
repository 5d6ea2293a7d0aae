// The whole loop: frames come from a source, the store folds them, the screen shows them; a key becomes a wish, the
// store decides what it comes to, and perform does it. The agent starts this file (contract.md section 1).

import { basename, join } from "node:path"
import { BookmarkFile } from "./bookmarks.ts"
import { prepareBundle, readyBundle } from "./bundle.ts"
import { writeCrash } from "./crash.ts"
import { Directory } from "./disk/directory.ts"
import { editText, showFile } from "./editor.ts"
import { goneWords, quitWords } from "./farewell.ts"
import { Filler, fillerHands } from "./filler.ts"
import { Hunter } from "./hunter.ts"
import { Inspection } from "./inspect.ts"
import { keyboard } from "./keyboard.ts"
import { namedFor, type Options, readOptions, type SourceOptions } from "./options.ts"
import { watchParent } from "./parent.ts"
import { type Hands, perform } from "./perform.ts"
import { resender } from "./resend.ts"
import { firstLink, openSource, recordedLog } from "./source.ts"
import { attention } from "./store/attention.ts"
import { added, noBreakpoints } from "./store/breakpoint.ts"
import type { Intent } from "./store/intent.ts"
import { wantCaptures, wantLog } from "./store/plan-capture.ts"
import { answerable } from "./store/state.ts"

import { createStore, type Store } from "./store/store.ts"
import { atPresent } from "./store/time.ts"
import { takeout } from "./takeout.ts"
import { FileTape } from "./tape/file.ts"
import { Player } from "./tape/player.ts"
import { Spool } from "./tape/spool.ts"
import type { Surface, SurfaceOptions } from "./ui/surface.ts"
import { systemClock } from "./wire/clock.ts"
import { recorded } from "./wire/message.ts"
import { zone } from "./zone.ts"

type Watched = Omit<Extract<Options, { readonly command: "watch" }>, "command">

/** Shows a run, live or recorded, until the person leaves or the agent that started us dies. */
async function watch(watched: Watched): Promise<void> {
  const { source: from, screen: look, spawner, sessionDir } = watched
  const keys = from.type === "run" ? keyboard(look.plain) : process.stdin
  const openTerminal = look.plain || keys === null ? await loadPlain() : (await loadScreen()).openTerminal
  const { source, eql, guest } = openSource(from)
  // Whoever sent the command a signal waits for its end, not for a reader's.
  let signalled = false
  const store = createStore(firstLink(from), look.segments, lines => spool?.append(lines), zone())
  const hands: Hands = {
    send: line => source.send(line),
    redraw: () => terminal.redraw(),
    suspend: () => terminal.suspend(),
    edit: (key, text) => void edit(key, text),
    seek: moment => player.seek(moment),
    search: (filter, step) => player.search(filter, step),
    // Where it cannot be had, the outline is made of what was seen.
    define: () =>
      void eql?.readChart().then(
        definition => store.dispatch({ type: "defined", definition }),
        () => undefined,
      ),
    ...takeout({
      get: store.get,
      terminal: () => terminal,
      directory: look.stateDir,
      title: basename(sessionDir ?? (from.type === "replay" ? from.path : (look.chart ?? "run"))),
      recording: from.type === "replay" ? from.path : null,
      tape: () => spool,
      keys,
      tell: (text, level) => tell(text, level),
    }),
    look: wish => inspection?.look(wish),
    show: name => void show(name),
    hunt: (text, scope) => hunter.hunt(text, scope),
    bell: () => terminal.bell(),
    title: text => terminal.title(text),
    notify: text => terminal.notify(text),
    keep: bookmarks => void marks.write(bookmarks),
    sift: () => setTimeout(() => want({ type: "sift" }), 0).unref(),
    wake: at =>
      setTimeout(() => store.dispatch({ type: "tick", now: Date.now() }), Math.max(0, at - Date.now())).unref(),
    exit: code => {
      if (guest === null) terminal.leave(code, quitWords(atPresent(store.get())))
      else void guest.finish().then(own => terminal.leave(own))
    },
  }
  const want = (intent: Intent): void => perform(store.ask(intent, { now: Date.now(), page: 0, lines: 0 }), hands)
  const tell = (text: string, level?: "info"): void => want({ type: "tell", text, ...(level && { level }) })
  const marks = new BookmarkFile(join(look.stateDir, "bookmarks"), why => tell(`Bookmarks are not kept: ${why}`))
  const spool =
    from.type !== "replay"
      ? new Spool(join(look.stateDir, "spool"), why => tell(`The past of this run is not kept from here on: ${why}`))
      : null
  const hunter = new Hunter({
    recording: () => (from.type === "replay" ? from.path : (spool?.path ?? null)),
    directory: sessionDir,
    dispatch: store.dispatch,
  })
  const player = new Player({
    store,
    open: () => (from.type === "replay" ? new FileTape(from.path) : spool),
    clock: systemClock,
    timing: from.type === "replay" ? from.timing : "wallclock",
    at: from.type === "replay" ? from.at : null,
    tell,
    hit: () => want({ type: "hits" }),
  })
  if (look.pauseAt !== null) {
    store.dispatch({ type: "view", change: { breakpoints: added(noBreakpoints, look.pauseAt) } })
  }
  if (from.type === "replay") roll(store, from, look.pauseAt !== null)
  const terminal = await namedFor(look.colors, () =>
    openTerminal({
      store,
      look,
      now: Date.now,
      perform: effects => perform(effects, hands),
      stop: () => {
        source.stop()
        player.close()
        hunter.stop()
        filler?.stop()
        spool?.close()
      },
      keys,
      takes: signal => {
        const taken = guest?.takes(signal) ?? false
        signalled ||= taken
        return taken
      },
      fault: fault => writeCrash(look.stateDir, fault, Date.now(), spool),
    }),
  )
  let filler: Filler | null = null
  const edit = async (key: number, text: string): Promise<void> => {
    const keeps = () => !answerable(atPresent(store.get())).some(prompt => prompt.key === key)
    const edited = await terminal.lend(() => editText(text, { editor: look.editor, directory: look.stateDir, keeps }))
    perform(store.ask({ type: "edited", key, edited }, { now: Date.now(), page: 0, lines: 0 }), hands)
  }
  const show = async (name: string): Promise<void> => {
    const path = (await directory?.find(name))?.value?.path
    const why =
      path === undefined ? `${name}: cannot be opened` : await terminal.lend(() => showFile(path, look.viewer))
    if (why !== null) tell(why)
  }
  let directory: Directory | undefined
  let inspection: Inspection | null = null
  let seen = store.get()
  store.subscribe(() => {
    const before = seen
    seen = store.get()
    perform(attention(atPresent(before), atPresent(seen), { ...look, focused: terminal.focused() }), hands)
    perform([...wantCaptures(before, seen), ...wantLog(before, seen)], hands)
  })
  if (sessionDir !== null) {
    const { error = null, value } = await Directory.open(sessionDir)
    directory = value
    if (directory !== undefined) inspection = new Inspection(directory, store.dispatch)
    store.dispatch({ type: "directory", directory: { path: directory?.path ?? sessionDir, error } })
    if (spool !== null && directory !== undefined)
      filler = new Filler(
        directory,
        fillerHands(store, spool, tell, kept => player.cut(kept)),
      )
  }
  if (spawner !== null) watchParent(() => terminal.leave(0, goneWords(spawner)))
  const resend = resender(() => want({ type: "resend" }))
  source.start({
    frames(arrivals) {
      spool?.append(arrivals.map(recorded))
      const lines = arrivals.map(({ frame }) => frame)
      store.dispatch({ type: "frames", lines })
      player.taken()
      if (store.get().view.breakpoints.pending.length > 0) want({ type: "hits" })
      const key = from.type !== "replay" ? store.get().run.chart.sessionId : (arrivals[0]?.text ?? null)
      if (!marks.isOpen && key !== null) {
        void marks.open(key.slice(0, 65_536)).then(list => want({ type: "bookmark", wish: { to: "known", list } }))
      }
      resend.frames(lines)
      filler?.folded()
    },
    link(link) {
      store.dispatch({ type: "link", link, now: Date.now() })
      player.taken()
      if (link.state === "ended") player.ended()
      resend.link(link)
      filler?.link(link)
      if (signalled && link.state === "exited") terminal.leave(link.code)
      terminal.agentGone(atPresent(store.get()))
    },
    restart() {
      store.dispatch({ type: "restart", now: Date.now() })
      player.restart()
    },
  })
}

/** Lines need nothing of the screen's. */
async function loadPlain(): Promise<(options: SurfaceOptions) => Promise<Surface>> {
  const { openPlain } = await import("./ui/plain/plain.ts")
  return async options => openPlain(options)
}

/** Sets a recording to what was asked for: its end as it is read, or its beginning, to be played from there. */
function roll(store: Store, from: Extract<SourceOptions, { type: "replay" }>, stops: boolean): void {
  const { timing, speed, idleLimitMs, loop, at } = from
  const instant = timing === "instant"
  store.dispatch({ type: "time", change: { speed: instant ? Number.POSITIVE_INFINITY : speed, idleLimitMs, loop } })
  if (instant && !loop && !stops && at === null) return
  store.dispatch({ type: "show", run: store.get().run })
  store.dispatch({ type: "time", change: { playing: at === null } })
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

const options = readOptions(process.argv.slice(2))
if (options.command === "watch")
  await watch({ ...options, source: await recordedLog(options.source, options.screen.stateDir) })
else if (options.command === "demo") {
  const { demoAgent } = await import("./commands/demo.ts")
  const { agent, sessionDir } = await demoAgent()
  const source = { type: "live", url: agent.url, token: null } as const
  await watch({ source, screen: options.screen, spawner: null, sessionDir })
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
