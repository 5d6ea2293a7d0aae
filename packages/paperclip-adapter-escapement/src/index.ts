// Exports the adapter that a Paperclip server loads; the code that runs agents is imported on first use.
import type { ServerAdapterModule } from "@paperclipai/adapter-utils"
import { capabilities } from "./capabilities.ts"

export { label, models, type } from "./capabilities.ts"
export { agentConfigurationDoc } from "./guide.ts"

/** Returns a plain object, because the host spreads it. */
export function createServerAdapter(): ServerAdapterModule {
  return {
    ...capabilities,
    execute: async context => (await server()).execute(context),
    testEnvironment: async context => (await server()).testEnvironment(context),
    listSkills: async context => (await server()).listSkills(context),
    syncSkills: async (context, desired) => (await server()).syncSkills(context, desired),
  }
}

/** The server half, with the query by which the host's reload gets a new copy of this file, and so of that. */
async function server(): Promise<typeof import("./server/index.ts")> {
  const { pathname, search } = new URL(import.meta.url)
  return await import(`./server/index${pathname.slice(pathname.lastIndexOf("."))}${search}`)
}
