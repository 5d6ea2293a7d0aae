// Exports the adapter that a Paperclip server loads; the code that runs agents is imported on first use.
import type { ServerAdapterModule } from "@paperclipai/adapter-utils"
import { capabilities } from "./capabilities.ts"

export { label, models, type } from "./capabilities.ts"
export { agentConfigurationDoc } from "./guide.ts"

/** Returns a plain object, because the host spreads it. */
export function createServerAdapter(): ServerAdapterModule {
  return {
    ...capabilities,
    execute: async context => (await import("./server/index.ts")).execute(context),
    testEnvironment: async context => (await import("./server/index.ts")).testEnvironment(context),
    listModels: async () => (await import("./server/index.ts")).listModels(),
    listSkills: async context => (await import("./server/index.ts")).listSkills(context),
    syncSkills: async (context, desired) => (await import("./server/index.ts")).syncSkills(context, desired),
  }
}
