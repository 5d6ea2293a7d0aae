// Attaches to an agent as the program does, without a screen: a real connection, store and gap filler.
import type { Link } from "../../packages/wire/src/link.ts"
import { GapFiller } from "../../src/app/gap-filler.ts"
import { GreetingEnd } from "../../src/app/greeting-end.ts"
import { features } from "../../src/panels/plan.ts"
import type { Run } from "../../src/run/model/run.ts"
import { SessionDirectory } from "../../src/session-dir/session-directory.ts"
import { TimelinePlayer } from "../../src/timeline/player.ts"
import { Spool } from "../../src/timeline/spool.ts"
import { type Clock, systemClock } from "../../src/transport/clock.ts"
import { recordingLine } from "../../src/transport/message.ts"
import { type SocketTiming, socketSource } from "../../src/transport/socket.ts"
import type { Effect } from "../../src/view/effect.ts"
import type { Intent } from "../../src/view/intent.ts"
import { presentOf } from "../../src/view/state.ts"
import { createStore } from "../../src/view/store.ts"

export type Attached = Awaited<ReturnType<typeof attach>>

export interface AttachOptions {
  readonly url: string
  /** Null if none was named. */
  readonly sessionDir: string | null
  /** The directory of the spool. */
  readonly scratch: string
  readonly timing?: Partial<SocketTiming>
  /** Returns numbers in [0, 1). */
  readonly random?: () => number
  /** Called with each line sent over an open connection. */
  readonly sent?: (line: string) => void
  readonly link?: (link: Link) => void
}

/** What a live run is made of besides its connection and its directory. */
export function liveParts(spoolDirectory: string, clock: Clock, tell: (text: string) => void) {
  const spool = new Spool(spoolDirectory)
  const store = createStore({
    ...features,
    link: { state: "connecting", url: "ws://127.0.0.1:1/ws", attempt: 1 },
    keep: frames => spool.append(frames.map(({ text }) => text)),
  })
  const shown = { store, openLog: () => spool, notify: tell, onHit: () => undefined }
  const player = new TimelinePlayer({ ...shown, clock, timing: "wallclock", at: null })
  return { spool, store, player }
}

export async function attach(options: AttachOptions) {
  const { url, sessionDir, scratch, timing, random, sent, link: tellLink } = options
  const notices: string[] = []
  const tell = (text: string): void => {
    notices.push(text)
    ask({ type: "notice/show", text })
  }
  const { spool, store, player } = liveParts(scratch, systemClock, tell)
  spool.onFailure(why => notices.push(why))
  const source = socketSource({ url, ...(timing && { timing }), ...(random && { random }) })
  /** Plans an intent and performs its effects; returns them. */
  const ask = (intent: Intent): readonly Effect[] => {
    const effects = store.ask(intent, { now: Date.now(), page: 0, lines: 0 })
    for (const effect of effects) {
      if (effect.type !== "agent/send") continue
      if (source.send(effect)) sent?.(effect.text)
    }
    return effects
  }
  const directory = sessionDir === null ? null : (await SessionDirectory.open(sessionDir)).value
  if (directory === undefined) throw new Error("no session directory")
  const filler = directory === null ? null : new GapFiller(directory, { store, spool, player, notify: tell })
  const greetingEnd = new GreetingEnd(systemClock, store, ask)
  source.start({
    frames(received) {
      spool.append(received.map(recordingLine))
      const frames = received.map(({ frame }) => frame)
      store.dispatch({ type: "frames", frames })
      player.framesAdded()
      filler?.folded()
    },
    link(link) {
      tellLink?.(link)
      store.dispatch({ type: "link", link, now: Date.now() })
      greetingEnd.link(link)
      filler?.link(link)
    },
    restart: () => undefined,
  })
  /** Resolves with the run once the condition holds. */
  const until = (condition: (run: Run) => boolean): Promise<Run> =>
    new Promise(resolve => {
      const look = (): boolean => {
        const run = presentOf(store.get())
        if (!condition(run)) return false
        end()
        resolve(run)
        return true
      }
      const end = store.subscribe(look)
      look()
    })
  return {
    store,
    player,
    notices,
    lines: () => spool.lines(0, spool.length).map(String),
    ask,
    until,
    stop() {
      source.stop()
      filler?.stop()
      player.close()
      spool.close()
    },
  }
}
