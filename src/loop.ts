// The whole loop: frames come from a source, the store folds them, the screen shows them; a key becomes a wish, the
// store decides what it comes to, and perform does it.
import { basename, join } from "node:path"
import { BookmarkFile } from "./bookmarks.ts"
import { writeCrash } from "./crash.ts"
import { RunDirectory } from "./directory.ts"
import { end, endOnFault, goneWords, quitWords } from "./farewell.ts"
import { Hunter } from "./hunter.ts"
import { keyboard } from "./keyboard.ts"
import { lender } from "./lender.ts"
import { namedFor, type Options, readOptions } from "./options.ts"
import { watchParent } from "./parent.ts"
import { type Hands, perform } from "./perform.ts"
import { openPlayer, openRecorder, roll } from "./player.ts"
import { recaller } from "./recall.ts"
import { reopen } from "./reopen.ts"
import { resender } from "./resend.ts"
import { firstLink, openSource, recordedLog } from "./source.ts"
import { attention } from "./store/attention.ts"
import type { Bookmark } from "./store/bookmark.ts"
import { added, noBreakpoints } from "./store/breakpoint.ts"
import type { Intent } from "./store/intent.ts"
import { LOG_WINDOW } from "./store/pack.ts"
import { TEXTS } from "./store/pack-entry.ts"
import { wantArtifacts, wantCaptures, wantLog } from "./store/plan-capture.ts"
import { wantTexts, withTexts } from "./store/recall-entry.ts"
import type { State } from "./store/state.ts"
import { createStore, type Store } from "./store/store.ts"
import { atPresent } from "./store/time.ts"
import { loadSurface } from "./surface.ts"
import { takeout } from "./takeout.ts"
import { recordingName } from "./tape/recorder.ts"
import { recorded } from "./wire/message.ts"
import { directoryOf } from "./wire/recording.ts"
import { urlWarning } from "./wire/url.ts"
import { zone } from "./zone.ts"

type Watched = Omit<Extract<Options, { readonly command: "watch" }>, "command">

/** Shows a run, live or recorded, until the person leaves or the agent that started us dies. */
async function watch({ source: from, screen: look, spawner, sessionDir, record }: Watched): Promise<void> {
  const keys = from.type === "run" ? keyboard(look.plain) : process.stdin
  const openSurface = await loadSurface(look.plain || keys === null)

  // What is known, and what may be asked of it.
  const { source, eql, guest } = openSource(from)
  const store = createStore(
    firstLink(from),
    { strategy: look.segments, window: LOG_WINDOW, texts: TEXTS },
    lines => spool?.append(lines),
    zone(),
  )
  const directory = new RunDirectory(store)
  const want = (intent: Intent): void => perform(store.ask(intent, { now: Date.now(), page: 0, lines: 0 }), hands)
  const tell = (text: string, level?: "info"): void => want({ type: "tell", text, ...(level && { level }) })

  const back = recaller({ get: store.get, past: () => player.past(), dispatch: store.dispatch, want, tell })
  const hands: Hands = {
    send: line => source.send(line),
    redraw: () => terminal.redraw(),
    suspend: () => terminal.suspend(),
    record: () => recorder?.toggle(),
    bell: () => terminal.bell(),
    title: text => terminal.title(text),
    notify: text => terminal.notify(text),
    seek: moment => player.seek(moment),
    search: (filter, step) => player.search(filter, step),
    look: wish => directory.look(wish),
    hunt: (text, scope) => hunter.hunt(text, scope),
    keep: bookmarks => void marks.write(bookmarks),
    ...back,
    wake: at =>
      setTimeout(() => store.dispatch({ type: "tick", now: Date.now() }), Math.max(0, at - Date.now())).unref(),
    // Where the chart cannot be had, the outline is made of what was seen.
    define: () =>
      void eql?.readChart().then(
        definition => store.dispatch({ type: "defined", definition }),
        () => undefined,
      ),
    ...lender({ get: store.get, terminal: () => terminal, look, directory, want }),
    ...takeout({
      get: store.get,
      terminal: () => terminal,
      directory: look.stateDir,
      title: basename(sessionDir ?? (from.type === "replay" ? from.path : (look.chart ?? "run"))),
      recording: from.type === "replay" ? from.path : null,
      tape: () => spool,
      read: (name, bytes) => directory.text(name, bytes),
      whole: back.whole,
      capture: ref => directory.capture(ref),
      keys,
      tell,
    }),
    exit: code => {
      if (guest === null) terminal.leave(code, quitWords(atPresent(store.get())))
      else void guest.finish().then(own => terminal.leave(own))
    },
  }

  // What is kept of it.
  const { player, spool } = openPlayer(from, look.stateDir, { store, tell, hit: () => want({ type: "hits" }) })
  const recorder = spool && openRecorder(spool, record ?? recordingName(look.stateDir, Date.now()), { store, tell })
  if (record !== null) recorder?.toggle()
  const hunter = new Hunter({
    recording: () => (from.type === "replay" ? from.path : (spool?.path ?? null)),
    directory: sessionDir,
    dispatch: store.dispatch,
  })
  const marks = new BookmarkFile(join(look.stateDir, "bookmarks"), why => tell(`Bookmarks are not kept: ${why}`))

  if (look.pauseAt !== null) {
    store.dispatch({ type: "view", change: { breakpoints: added(noBreakpoints, look.pauseAt) } })
  }
  roll(store, from, look.pauseAt !== null)
  if (from.type === "replay" && from.left !== null) reopen(store, from.left)

  // Whoever sent the command a signal waits for its end, not for a reader's.
  let signalled = false
  const terminal = await namedFor(look.colors, () =>
    openSurface({
      store,
      look,
      now: Date.now,
      perform: effects => perform(effects, hands),
      stop: () => {
        source.stop()
        directory.stop()
        player.close()
        recorder?.close()
        hunter.stop()
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
  follow(store, (before, after) => {
    perform(attention(atPresent(before), atPresent(after), { ...look, focused: terminal.focused() }), hands)
    perform([...wantTexts(before, after), ...wantLog(before, after), ...wantArtifacts(before, after)], hands)
    perform(wantCaptures(withTexts(before), withTexts(after)), hands)
  })
  await directory.open(sessionDir, { player, spool, tell })
  const unsafe = from.type === "live" ? urlWarning(from.url) : null
  if (unsafe !== null) tell(unsafe)
  if (spawner !== null) watchParent(spawner.pid, () => terminal.leave(0, goneWords(spawner)))

  const resend = resender(() => want({ type: "resend" }))
  source.start({
    frames(arrivals) {
      spool?.append(arrivals.map(recorded))
      const lines = arrivals.map(({ frame }) => frame)
      store.dispatch({ type: "frames", lines })
      player.taken()
      if (store.get().view.breakpoints.pending.length > 0) want({ type: "hits" })
      const key = from.type !== "replay" ? store.get().run.chart.sessionId : (arrivals[0]?.text ?? null)
      const known = (list: readonly Bookmark[]): void => want({ type: "bookmark", wish: { to: "known", list } })
      marks.name(key, known)
      // The rows of a transcript are numbered otherwise than those of the line.
      if (from.type === "replay" && directoryOf(from.path) === null) marks.also(store.get().run.chart.sessionId, known)
      resend.frames(lines)
      directory.folded()
    },
    link(link) {
      store.dispatch({ type: "link", link, now: Date.now() })
      player.taken()
      if (link.state === "ended") player.ended()
      resend.link(link)
      directory.link(link)
      if (signalled && link.state === "exited") terminal.leave(link.code)
      terminal.agentGone(atPresent(store.get()))
    },
    restart() {
      store.dispatch({ type: "restart", now: Date.now() })
      player.restart()
    },
  })
}

/** Calls `changed` after each change of the state, with the state that it was called with last and the one now. */
function follow(store: Store, changed: (before: State, after: State) => void): void {
  let seen = store.get()
  store.subscribe(() => {
    const before = seen
    seen = store.get()
    changed(before, seen)
  })
}

/** Does what the words of the command line and the environment ask for. */
export function main(words: readonly string[]): Promise<void> {
  endOnFault()
  return act(readOptions(words)).catch(end)
}

async function act(options: Options): Promise<void> {
  if (options.command === "watch") {
    await watch({ ...options, source: await recordedLog(options.source, options.screen.stateDir) })
  } else if (options.command === "demo") {
    const { demoAgent } = await import("./commands/demo.ts")
    const { agent, sessionDir } = await demoAgent()
    const source = { type: "live", url: agent.url, token: null } as const
    await watch({ ...options, source, spawner: null, sessionDir })
  } else if (options.command === "sessions") {
    const { sessionsCommand } = await import("./commands/sessions.ts")
    const chosen = await sessionsCommand(options.root)
    if (typeof chosen === "string") await act(options.open(chosen))
    else process.exitCode = chosen
  } else {
    const { runCommand } = await import("./commands/run.ts")
    process.exitCode = await runCommand(options)
  }
}
