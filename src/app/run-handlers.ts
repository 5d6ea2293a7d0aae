// Makes the handlers of a run's effects, one for each type, and calls them.
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import type { Eql } from "../eql/eql.ts"
import type { Effect } from "../view/effect.ts"
import { isOver, type State } from "../view/state.ts"
import { editAnswer, openFile, showInPager } from "./handlers/external-programs.ts"
import { copyText, terminalHandlers } from "./handlers/terminal-handlers.ts"
import type { EffectHandlers, EffectOf, RunContext, SessionOptions } from "./run-context.ts"
import type { RunParts } from "./run-parts.ts"
import { reportOutcome } from "./state-files.ts"

/** The handlers of a run's effects; each reports its own failures. */
export function runHandlers(context: RunContext, options: SessionOptions, parts: RunParts): EffectHandlers {
  const { store, clock } = context
  const { opened, surface, screen } = options
  const { source, eql, guest } = opened
  const { player, recorder, recall, directory, search, bookmarks } = parts
  return {
    "agent/send": effect => void (screen.readOnly || source.send(effect)),
    "answer/hold": ({ until }) =>
      void clock.after(until - clock.now(), () => {
        if (store.get().view.questions.heldAnswer?.until === until) context.ask({ type: "prompt/release" })
      }),
    // Without a definition, the outline consists of the visits seen so far.
    "chart/read": () => void readChart(context, eql).catch(() => undefined),
    "program/exit"({ code }) {
      const words = quitMessage(store.shown())
      if (guest === null) surface.leave(code, words === undefined ? undefined : sanitize(words))
      // The guest's command ends first, and its exit code is ours.
      else void guest.terminate().then(own => surface.leave(own))
    },
    ...terminalHandlers(context.notify, surface),
    "clipboard/copy": ({ what, text }) => copyText(context, options, what, text),
    "pager/show": ({ text }) => void showInPager(context, options, sanitize(text)),
    "run/export": ({ format, session }) =>
      void reportOutcome(context, "Can't export", async () => {
        const { exportRun } = await import("./handlers/export-run.ts")
        return await exportRun(context, options, parts, { format, session })
      }),
    "moment/export": ({ moment }) =>
      void reportOutcome(context, "Can't save the moment", async () => {
        const { exportMoment } = await import("./handlers/export-run.ts")
        return await exportMoment(context, options, parts, moment)
      }),
    // Runs are opened from home alone.
    "run/open": () => undefined,
    "session/terminal": () => undefined,
    "sessions/list": () => undefined,
    "run/forget": () => undefined,
    "run/leave": () => options.goHome?.(),
    "recording/toggle": () => recorder?.toggle(),
    "bug-report/write": () =>
      void reportOutcome(context, "Can't save the bug report", async () => {
        const { writeBugReport } = await import("./handlers/bug-report.ts")
        return await writeBugReport(context, parts, screen.stateDir)
      }),
    "bookmarks/write": effect => bookmarks.write(effect.bookmarks),
    "answer/edit": ({ key, text }) => void editAnswer(context, options, key, text),
    "file/open": ({ name }) => void openFile(context, options, directory, name),
    "time/seek": ({ moment }) => player.seek(moment),
    "time/search": ({ filter, step }) => player.search(filter, step),
    "directory/read": ({ request }) => directory.read(request),
    "runs/search": ({ text, scope }) => search.search(text, scope),
    "log/scan": ({ lines }) => recall.scan(lines),
    "frames/recall": ({ lines }) => recall.frames(lines),
    "texts/recall": ({ sessions }) => recall.texts(sessions),
  }
}

/** A quit that the agent did not receive is not sent later (docs/decisions.md 3.1), so the person must know. */
function quitMessage({ link, present, view }: State): string | undefined {
  const isUnsent = !view.setup.isAttached && link.state === "lost" && link.everOpen && !isOver(present)
  return isUnsent ? "The agent was disconnected, so it was not told to quit" : undefined
}

async function readChart({ store, signal }: RunContext, eql: Eql | null): Promise<void> {
  const definition = await eql?.readChart()
  if (definition !== undefined && !signal.aborted) store.dispatch({ type: "defined", definition })
}

/** Makes a function that handles effects in their order until `signal` aborts, and calls `other` without a handler. */
export function performer(
  handlers: Partial<EffectHandlers>,
  { signal, other = () => undefined }: { readonly signal?: AbortSignal; readonly other?: () => void },
): (effects: readonly Effect[]) => void {
  return effects => {
    if (signal?.aborted !== true) for (const effect of effects) handle(handlers, effect, other)
  }
}

function handle<T extends Effect["type"]>(
  handlers: Partial<EffectHandlers>,
  effect: EffectOf<T>,
  other: () => void,
): void {
  const type: T = effect.type
  const known: Partial<EffectHandlers>[T] = handlers[type]
  if (known === undefined) other()
  else known(effect)
}
