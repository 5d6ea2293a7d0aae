// Waits for home: until an agent is connected, and for questions of hooks while another run is shown.
import { homedir } from "node:os"
import { resolve } from "node:path"
import type { Link } from "../../../packages/wire/src/link.ts"
import type { HookDesk } from "../../hook/hook-desk.ts"
import { shownPath } from "../../stores/stored-session.ts"
import type { RunTarget } from "../../view/home.ts"
import type { Store } from "../../view/store.ts"
import type { RunClock } from "../run-clock.ts"
import type { RunSession } from "../run-session.ts"

/** The link once its agent is connected, or a connection has failed. */
export function connected(store: Store): Promise<Link> {
  return new Promise(resolve => {
    const check = (): void => {
      const { link } = store.get()
      if (link.state !== "open" && link.state !== "lost") return
      unsubscribe()
      resolve(link)
    }
    const unsubscribe = store.subscribe(check)
    check()
  })
}

/** Shows in the open run that another session asks. Home lists that session first. */
export function tellAsked(
  desk: HookDesk,
  clock: RunClock,
  shown: () => { readonly session: RunSession; readonly path: string | null } | null,
): void {
  let before = 0
  desk.listen(() => {
    const { length } = desk.questions
    const [asker, run] = [desk.questions.at(-1), shown()]
    const isNew = length > before
    before = length
    if (!isNew || run === null || asker === undefined || asker.path === run.path) return
    const text = `Claude asks in ${shownPath(asker.directory)}: Enter on its row of home answers`
    const { store } = run.session
    run.session.perform(store.ask({ type: "notice/show", text }, { now: clock.now(), page: 0, lines: 0 }))
  })
}

/** `~/` is the home directory, as in a shell. */
export function fromHomeDirectory(target: RunTarget): RunTarget {
  if (target.type !== "recording" || !target.path.startsWith("~/")) return target
  return { ...target, path: resolve(homedir(), target.path.slice(2)) }
}

/** A demo, which plays until `end` is called. */
export async function playedDemo() {
  const { demoAgent } = await import("../../cli/agent-command.ts")
  const demo = await demoAgent()
  const source = { type: "live", url: demo.agent.url, token: null, warning: null } as const
  return { source, sessionDir: demo.sessionDir, end: () => demo.close() }
}
