// What a server may know of this adapter without loading the part that runs anything.
import type { ServerAdapterModule } from "@paperclipai/adapter-utils"
import { configFields } from "./config-fields.ts"
import { agentConfigurationDoc } from "./guide.ts"
import { models, type } from "./kind.ts"
import { sessionCodec } from "./session-codec.ts"

/** Everything of the module object but its work. */
export const traits = {
  type,
  models,
  agentConfigurationDoc,
  supportsLocalAgentJwt: true,
  sessionCodec,
  // The agent compacts its own context; a session is given up only where the host's owner says so.
  sessionManagement: {
    supportsSessionResume: true,
    nativeContextManagement: "unknown",
    defaultSessionCompaction: { enabled: false, maxSessionRuns: 0, maxRawInputTokens: 0, maxSessionAgeHours: 0 },
  },
  getConfigSchema: () => ({ fields: configFields }),
} satisfies Partial<ServerAdapterModule>
