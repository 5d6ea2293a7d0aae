// Fakes a Paperclip server's context, and an executable in place of the agent.
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AdapterExecutionContext, AdapterInvocationMeta, CreateConfigValues } from "@paperclipai/adapter-utils"
import { fileScratch } from "../../../test/scratch.ts"

const FAKE = join(import.meta.dir, "fake-escapement.ts")

export interface Host {
  /** The working directory of its runs, links resolved. */
  readonly cwd: string
  /** The fake agent's executable. */
  readonly command: string
  context(chart: string, more?: Partial<AdapterExecutionContext>): Context
  /** A file in the agent's directory of a session, or of the one that a run begins. */
  fileOf(session: string | Context, name: string): string
  /** The fake agent's view of a session. */
  seen(session: string | Context): { argv: string[]; env: Record<string, string>; cwd: string }
}

/** A context that records the adapter's calls. */
export interface Context extends AdapterExecutionContext {
  readonly log: { readonly stream: string; readonly chunk: string }[]
  readonly metas: AdapterInvocationMeta[]
  readonly pids: number[]
}

export function openHost(): Host {
  const cwd = realpathSync(fileScratch())
  const command = join(cwd, "bin/escapement")
  mkdirSync(join(cwd, "bin"))
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' --config=/dev/null '${FAKE}' "$@"\n`)
  chmodSync(command, 0o755)
  let runs = 0
  const fileOf: Host["fileOf"] = (session, name) =>
    join(cwd, ".escapement", typeof session === "string" ? session : `paperclip-${session.runId}`, name)
  return {
    cwd,
    command,
    context(chart, more = {}) {
      const log: Context["log"] = []
      const metas: AdapterInvocationMeta[] = []
      const pids: number[] = []
      return {
        runId: `run-${++runs}`,
        agent: {
          id: "agent-1",
          companyId: "company-1",
          name: "Ada",
          adapterType: "escapement_local",
          adapterConfig: {},
        },
        runtime: { sessionId: null, sessionParams: null, sessionDisplayId: null, taskKey: null },
        context: {},
        onLog: async (stream, chunk) => void log.push({ stream, chunk }),
        onMeta: async meta => void metas.push(meta),
        onSpawn: async ({ pid }) => void pids.push(pid),
        ...more,
        config: { command, cwd, chart, ...more.config },
        log,
        metas,
        pids,
      }
    },
    fileOf,
    seen: session => JSON.parse(readFileSync(fileOf(session, "seen.json"), "utf8")),
  }
}

/** The host's empty form for a new agent. */
export const FORM: CreateConfigValues = {
  ...{ adapterType: "escapement_local", cwd: "", promptTemplate: "", model: "", thinkingEffort: "", chrome: false },
  ...{ dangerouslySkipPermissions: false, search: false, fastMode: false, dangerouslyBypassSandbox: false },
  ...{ command: "", args: "", extraArgs: "", envVars: "", envBindings: {}, url: "", bootstrapPrompt: "" },
  ...{ maxTurnsPerRun: 0, heartbeatEnabled: false, intervalSec: 0 },
}
