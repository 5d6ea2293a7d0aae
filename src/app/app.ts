// The whole loop: frames come from a source, the store folds them, the screen shows them; a key becomes a wish, the
// store decides what it comes to, and perform does it.
import { basename, join } from "node:path"
import { type Options, readOptions, withTermFallback } from "../cli/options.ts"
import { zone } from "../cli/zone.ts"
import { plan } from "../panels/plan.ts"
import { notifyEffects } from "../panels/prompt/notify.ts"
import { wantArtifacts, wantCaptures, wantLog } from "../panels/wants.ts"
import { added, noBreakpoints } from "../query/breakpoints.ts"
import { TEXTS } from "../run/memory/pack-entries.ts"
import { LOG_WINDOW } from "../run/memory/pack-rows.ts"
import { recordingName } from "../timeline/recorder.ts"
import { recordingLine } from "../transport/message.ts"
import { sessionDirectoryOf } from "../transport/recording-path.ts"
import { urlWarning } from "../transport/url.ts"
import type { Bookmark } from "../view/bookmark.ts"
import type { Intent } from "../view/intent.ts"
import { wantTexts, withRecalledTexts } from "../view/recalled-texts.ts"
import type { State } from "../view/state.ts"
import { createStore, type Store } from "../view/store.ts"
import { atPresent } from "../view/time.ts"
import { writeCrash } from "./crash.ts"
import { agentGoneMessage, end, endOnFault, quitMessage } from "./exit-messages.ts"
import { BookmarkFile } from "./handlers/bookmark-file.ts"
import { exporter } from "./handlers/exporter.ts"
import { externalPrograms } from "./handlers/external-programs.ts"
import { type Hands, perform } from "./handlers/perform.ts"
import { recaller } from "./handlers/recaller.ts"
import { reopenReport } from "./handlers/reopen.ts"
import { resender } from "./handlers/resend.ts"
import { RunDirectory } from "./handlers/run-directory.ts"
import { RunSearch } from "./handlers/run-search.ts"
import { keyboard } from "./keyboard.ts"
import { loadSurface } from "./load-surface.ts"
import { openPlayer, openRecorder, startPlaying } from "./open-player.ts"
import { firstLink, openSource, recordedLog } from "./open-source.ts"
import { watchParent } from "./parent.ts"

type Watched = Omit<Extract<Options, { readonly command: "watch" }>, "command">

/** Shows a run, live or recorded, until the person leaves or the agent that started us dies. */
async function watch({ source: from, screen: look, spawner, sessionDir, record }: Watched): Promise<void> {
  const keys = from.type === "run" ? keyboard(look.plain) : process.stdin
  const openSurface = await loadSurface(look.plain || keys === null)

  // What is known, and what may be asked of it.
  const { source, eql, guest } = openSource(from)
  const store = createStore({
    link: firstLink(from),
    plan,
    given: { strategy: look.segments, window: LOG_WINDOW, texts: TEXTS },
    keep: lines => spool?.append(lines),
    zone: zone(),
  })
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
    ...externalPrograms({ get: store.get, terminal: () => terminal, look, directory, want }),
    ...exporter({
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
      if (guest === null) terminal.leave(code, quitMessage(atPresent(store.get())))
      else void guest.finish().then(own => terminal.leave(own))
    },
  }

  // What is kept of it.
  const { player, spool } = openPlayer(from, look.stateDir, { store, tell, hit: () => want({ type: "hits" }) })
  const recorder = spool && openRecorder(spool, record ?? recordingName(look.stateDir, Date.now()), { store, tell })
  if (record !== null) recorder?.toggle()
  const hunter = new RunSearch({
    recording: () => (from.type === "replay" ? from.path : (spool?.path ?? null)),
    directory: sessionDir,
    dispatch: store.dispatch,
  })
  const marks = new BookmarkFile(join(look.stateDir, "bookmarks"), why => tell(`Bookmarks are not kept: ${why}`))

  if (look.pauseAt !== null) {
    store.dispatch({ type: "view", change: { breakpoints: added(noBreakpoints, look.pauseAt) } })
  }
  startPlaying(store, from, look.pauseAt !== null)
  if (from.type === "replay" && from.left !== null) reopenReport(store, from.left)

  // Whoever sent the command a signal waits for its end, not for a reader's.
  let signalled = false
  const terminal = await withTermFallback(look.colors, () =>
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
        const taken = guest?.forwardSignal(signal) ?? false
        signalled ||= taken
        return taken
      },
      fault: fault => writeCrash(look.stateDir, fault, Date.now(), spool),
    }),
  )
  follow(store, (before, after) => {
    perform(notifyEffects(atPresent(before), atPresent(after), { ...look, focused: terminal.focused() }), hands)
    perform([...wantTexts(before, after), ...wantLog(before, after), ...wantArtifacts(before, after)], hands)
    perform(wantCaptures(withRecalledTexts(before), withRecalledTexts(after)), hands)
  })
  await directory.open(sessionDir, { player, spool, tell })
  const unsafe = from.type === "live" ? urlWarning(from.url) : null
  if (unsafe !== null) tell(unsafe)
  if (spawner !== null) watchParent(spawner.pid, () => terminal.leave(0, agentGoneMessage(spawner)))

  const resend = resender(() => want({ type: "resend" }))
  source.start({
    frames(arrivals) {
      spool?.append(arrivals.map(recordingLine))
      const lines = arrivals.map(({ frame }) => frame)
      store.dispatch({ type: "frames", lines })
      player.framesAdded()
      if (store.get().view.breakpoints.pending.length > 0) want({ type: "hits" })
      const key = from.type !== "replay" ? store.get().run.chart.sessionId : (arrivals[0]?.text ?? null)
      const known = (list: readonly Bookmark[]): void => want({ type: "bookmark", wish: { to: "known", list } })
      marks.name(key, known)
      // The rows of a transcript are numbered otherwise than those of the line.
      if (from.type === "replay" && sessionDirectoryOf(from.path) === null)
        marks.also(store.get().run.chart.sessionId, known)
      resend.frames(lines)
      directory.folded()
    },
    link(link) {
      store.dispatch({ type: "link", link, now: Date.now() })
      player.framesAdded()
      if (link.state === "ended") player.sourceEnded()
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
    const { demoAgent } = await import("../cli/demo-command.ts")
    const { agent, sessionDir } = await demoAgent()
    const source = { type: "live", url: agent.url, token: null } as const
    await watch({ ...options, source, spawner: null, sessionDir })
  } else if (options.command === "sessions") {
    const { sessionsCommand } = await import("../cli/sessions-command.ts")
    const chosen = await sessionsCommand(options.root)
    if (typeof chosen === "string") await act(options.open(chosen))
    else process.exitCode = chosen
  } else {
    const { runCommand } = await import("../cli/run-command.ts")
    process.exitCode = await runCommand(options)
  }
}
