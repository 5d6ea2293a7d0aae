// Exports the adapter's server half.
import type { ServerAdapterModule } from "@paperclipai/adapter-utils"
import { capabilities } from "../capabilities.ts"
import { execute } from "./execute.ts"
import { testEnvironment } from "./preflight.ts"
import { listSkills, syncSkills } from "./skills.ts"

export { sessionCodec } from "../session-codec.ts"
export { isEscapementUnknownSessionError, parseEscapementOutput } from "./agent-output.ts"
export { execute, listSkills, syncSkills, testEnvironment }

/** The module object for Paperclip's server (docs/paperclip.md). */
export const escapementAdapter: ServerAdapterModule = {
  ...capabilities,
  execute,
  testEnvironment,
  listSkills,
  syncSkills,
}
