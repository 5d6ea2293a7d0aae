// Reads a whole log while the screen shows only its end, or once a rewind has changed it, and then shows the whole run.
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import { noMarkers, withMarkers } from "../query/timeline-markers.ts"
import { fold } from "../run/fold.ts"
import { Snapshots } from "../run/memory/snapshots.ts"
import { initialRun } from "../run/model/run.ts"
import type { RewrittenRun, TimelinePlayer } from "../timeline/player.ts"
import type { LogSource } from "./log-source.ts"
import type { RunContext } from "./run-context.ts"

/** Goes on as long as the log is followed. Never rejects. */
export async function fillIn(source: LogSource, context: RunContext, player: TimelinePlayer): Promise<void> {
  const { store, notify } = context
  const begun = (): RewrittenRun => {
    const run = initialRun(store.get().run.options)
    return { run, marks: noMarkers, snapshots: new Snapshots(run) }
  }
  try {
    const why = await source.isToBeRead
    let whole = begun()
    await source.readWhole({
      frames(received) {
        const { snapshots } = whole
        const frames = received.map(({ frame }) => frame)
        const run = fold(whole.run, frames)
        snapshots?.keep(run)
        whole = { run, marks: withMarkers(whole.marks, whole.run, run), snapshots }
      },
      restart() {
        whole = begun()
      },
      link() {
        store.dispatch({ type: "show", run: null })
        player.restart()
        player.replaceRun(0, whole)
        notify(why)
        void fillIn(source, context, player)
      },
    })
  } catch (error) {
    notify(`What precedes this is not shown: ${describeFileError(error)}`)
  }
}
