// Exports the adapter's command-line half: the printer of a run's lines.
import type { CLIAdapterModule } from "@paperclipai/adapter-utils"
import { type } from "../capabilities.ts"
import { formatStdoutEvent } from "./format-event.ts"

export { formatStdoutEvent, formatStdoutEvent as printEscapementStreamEvent } from "./format-event.ts"

/** The module object for Paperclip's command line (docs/paperclip.md). */
export const escapementCLIAdapter: CLIAdapterModule = { type, formatStdoutEvent }
