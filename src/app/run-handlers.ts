// Builds the handlers of one run's effects.
import { basename } from "node:path"
import { bugReportHandler } from "./handlers/bug-report.ts"
import { chartHandler } from "./handlers/chart.ts"
import { clipboardHandlers } from "./handlers/copy-text.ts"
import type { EffectHandlers } from "./handlers/effect-handlers.ts"
import { exitHandler } from "./handlers/exit.ts"
import { exportHandler } from "./handlers/export.ts"
import { externalProgramHandlers } from "./handlers/external-programs.ts"
import { Recall } from "./handlers/recall.ts"
import { sendHandler } from "./handlers/send.ts"
import { terminalHandlers } from "./handlers/terminal-control.ts"
import { timelineHandlers } from "./handlers/timeline.ts"
import { wakeHandler } from "./handlers/wake.ts"
import type { RunContext, SessionOptions } from "./run-context.ts"
import type { RunParts } from "./run-parts.ts"

export function runHandlers(context: RunContext, options: SessionOptions, parts: RunParts): EffectHandlers {
  const { opened, surface, screen, keys, sessionDir } = options
  const { from, source, eql, guest } = opened
  const { stateDir } = screen
  const { spool, player, recorder, directory, search, bookmarks } = parts
  const recording = from.type === "replay" ? from.path : null
  const title = basename(sessionDir ?? recording ?? screen.chart ?? "run")
  const recall = new Recall(context, player)
  return {
    ...sendHandler(source),
    ...terminalHandlers(surface),
    ...exitHandler(context.store, surface, guest),
    ...wakeHandler(context),
    ...chartHandler(context, eql),
    ...timelineHandlers(player, recorder),
    ...clipboardHandlers(context, { surface, stateDir, keys }),
    ...exportHandler(context, { stateDir, title, recording, frameLog: spool, recall, directory }),
    ...bugReportHandler(context, { stateDir, recording, frameLog: spool, directory }),
    ...externalProgramHandlers(context, { surface, screen, directory }),
    ...recall.handlers,
    ...directory.handlers,
    ...search.handlers,
    ...bookmarks.handlers,
  }
}
