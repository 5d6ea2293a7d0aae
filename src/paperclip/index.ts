// The adapter as a Paperclip server loads it: what it is, and a plain object whose work is imported when it is called.
import type { ServerAdapterModule } from "@paperclipai/adapter-utils"
import { traits } from "./capabilities.ts"

export { agentConfigurationDoc } from "./guide.ts"
export { label, models, type } from "./kind.ts"

/** A new object without a prototype of its own, since the host spreads it. */
export function createServerAdapter(): ServerAdapterModule {
  return {
    ...traits,
    execute: async context => (await import("./server/index.ts")).execute(context),
    testEnvironment: async context => (await import("./server/index.ts")).testEnvironment(context),
    listSkills: async context => (await import("./server/index.ts")).listSkills(context),
    syncSkills: async (context, desired) => (await import("./server/index.ts")).syncSkills(context, desired),
  }
}
