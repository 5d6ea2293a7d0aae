// Starts the sidecar in a terminal as an agent does (docs/contract.md section 1).
import { expect, test } from "bun:test"
import { join } from "node:path"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { type ScriptedAgent, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import type { AgentKind, ScriptedOptions } from "../../src/scripted-agent/scripted-options.ts"
import { inboundOf } from "../agent/ui.ts"
import { root } from "../fixtures.ts"
import { openTerminal, type Terminal, type TerminalOptions } from "./terminal.ts"

/** What the agent runs, in the directory `root`. */
export const spawned = [process.execPath, "run", join(root, "src/main.tsx")] as const

/** The same, but it fails on demand: at SIGUSR2 in a timer, and at other signals and a key (faulty.ts). */
export const faulty = [process.execPath, "run", join(import.meta.dir, "faulty.ts")] as const

type Size = Pick<TerminalOptions, "cols" | "rows" | "env" | "held" | "replyMs">

/** Wide enough for all three panes. */
const WIDE = { cols: 120, rows: 36 }
/** For how long an answer of one key can be taken back. */
const HELD_ANSWER_MS = 2000

/** The sidecar in a terminal, configured by `env` alone. */
export function openSidecar(options: Size & { readonly cmd?: readonly string[] } = {}): Promise<Terminal> {
  return openTerminal({ cmd: spawned, cwd: root, ...WIDE, ...options })
}

export interface Live extends Terminal {
  readonly agent: ScriptedAgent
  /** Answers the question in front by one key, once it can no longer be taken back; resolves as `hears`. */
  answers(key: string, entries: JsonObject): Promise<JsonObject>
  /** Resolves with the first inbound frame that has all these entries. */
  hears(entries: JsonObject): Promise<JsonObject>
}

type LiveOptions = Size & { readonly agent?: Omit<ScriptedOptions, "recording">; readonly cmd?: readonly string[] }

/** Opens a live run; see `openLive`. */
export type OpenLive = (recording: ScriptedOptions["recording"], options?: LiveOptions) => Promise<Live>

/**
 * A test for each kind of scripted agent: of questions, the debugger, re-runs, a connection that is cut, and leaving,
 * since prompts, `debug` frames and node ids differ. Every other test of a live run has the agent with Escapement's
 * habits alone, the less kind of the two: what it looks at is the same for both.
 */
export function onEachAgent(name: string, run: (open: OpenLive, as: AgentKind) => Promise<void>): void {
  test.each(["scripted", "escapement"] as const)(`${name} (%s agent)`, async as => {
    const kinds = new Set<unknown>()
    await run(async (recording, options) => {
      const live = await openLive(recording, { ...options, agent: { ...options?.agent, as } })
      kinds.add(as)
      return live
    }, as)
    expect([...kinds]).toEqual([as])
  })
}

/**
 * A scripted agent that plays `recording` at once, and a sidecar spawned by it. Both end with the terminal. The agent
 * has the habits of Escapement unless `agent` says otherwise. The test holds the sidecar's clock unless `held` is false
 * or it runs another command.
 */
export async function openLive(recording: ScriptedOptions["recording"], options: LiveOptions = {}): Promise<Live> {
  const { agent: play, env, ...rest } = options
  const agent = await startAgent({ recording, speed: 0, as: "escapement", ...play })
  try {
    const terminal = await openSidecar({
      held: rest.cmd === undefined,
      ...rest,
      env: {
        OPENTUI_WS_URL: agent.url,
        OPENTUI_CHART: "tournament",
        OPENTUI_SESSION_SHORT: "889d14f8",
        ESCAPEMENT_SESSION_ID: "session/889d14f8",
        ...env,
      },
    })
    const close = async (): Promise<void> => {
      await terminal.close()
      await agent.stop()
    }
    const hears = async (entries: JsonObject): Promise<JsonObject> => {
      const frame = await inboundOf(agent, one => isObject(one) && has(one, entries))
      return isObject(frame) ? frame : {}
    }
    const answers = async (key: string, entries: JsonObject): Promise<JsonObject> => {
      await terminal.press(key).waitFor("Backspace takes it back", { early: true })
      await terminal.pass(HELD_ANSWER_MS)
      return hears(entries)
    }
    // The terminal's getters must stay getters, so it becomes the prototype.
    return Object.create(
      terminal,
      Object.getOwnPropertyDescriptors({ agent, answers, hears, close, [Symbol.asyncDispose]: close }),
    )
  } catch (error) {
    await agent.stop()
    throw error
  }
}

function has(frame: JsonObject, entries: JsonObject): boolean {
  return Object.entries(entries).every(([key, value]) => Bun.deepEquals(frame[key], value))
}
