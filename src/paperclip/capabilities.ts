// Describes the adapter without loading the code that runs it.
import type { ServerAdapterModule } from "@paperclipai/adapter-utils"
import { configFields } from "./config-fields.ts"
import { agentConfigurationDoc } from "./guide.ts"
import { models, type } from "./kind.ts"
import { sessionCodec } from "./session-codec.ts"

/** The module object's data, without its functions that do work. */
export const capabilities = {
  type,
  models,
  agentConfigurationDoc,
  supportsLocalAgentJwt: true,
  sessionCodec,
  // The agent compacts its own context, so the host must not rotate sessions unless its owner configures that.
  sessionManagement: {
    supportsSessionResume: true,
    nativeContextManagement: "unknown",
    defaultSessionCompaction: { enabled: false, maxSessionRuns: 0, maxRawInputTokens: 0, maxSessionAgeHours: 0 },
  },
  getConfigSchema: () => ({ fields: configFields }),
} satisfies Partial<ServerAdapterModule>
