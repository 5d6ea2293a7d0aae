// What the server takes from this adapter.
import type { ServerAdapterModule } from "@paperclipai/adapter-utils"
import { traits } from "../traits.ts"
import { execute } from "./execute.ts"
import { testEnvironment } from "./preflight.ts"
import { listSkills, syncSkills } from "./skills.ts"

export { sessionCodec } from "../session.ts"
export { isEscapementUnknownSessionError, parseEscapementOutput } from "./output.ts"
export { execute, listSkills, syncSkills, testEnvironment }

/** The module object of the seed's section 4.1. */
export const escapementAdapter: ServerAdapterModule = { ...traits, execute, testEnvironment, listSkills, syncSkills }
