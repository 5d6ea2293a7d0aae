// Exports the run, or one session of it, to a file of its own.
import type { RunContext } from "../run-context.ts"
import type { HandlersOf } from "./effect-handlers.ts"
import type { ExportOptions } from "./export-run.ts"
import { reportOutcome } from "./report-outcome.ts"

export function exportHandler(context: RunContext, options: ExportOptions): HandlersOf<"run/export"> {
  return {
    "run/export": ({ format, session }) =>
      void reportOutcome(context, "The export", async () => {
        const { exportRun } = await import("./export-run.ts")
        return await exportRun(context, options, { format, session })
      }),
  }
}
