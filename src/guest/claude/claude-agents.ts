// Keeps the sessions of a Claude Code run: the main loop's, and those of subagents by the calls that made them.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { GuestSession } from "../common/guest-session.ts"
import type { Output } from "../common/output.ts"
import { type AgentStart, agentSession } from "../common/subagent.ts"
import { wireUsage } from "../common/token-usage.ts"
import { ClaudeSession, tokensOf } from "./claude-session.ts"

/** What is told of a subagent, with the prompt that it got. */
type AgentFacts = Omit<AgentStart, "parent"> & { readonly prompt: string }

class Agent extends ClaudeSession {
  /** The prompt that was shown: the CLI repeats it as a message. */
  prompt = ""
  /** True for a subagent in the background: its call has a result before it has ended. */
  isInBackground = false
  isOver = false
}

export class Agents {
  readonly #out: Output
  /** The ids of all messages, which count once. */
  readonly #seen = new Set<string>()
  readonly #agents = new Map<string, Agent>()
  main: ClaudeSession

  constructor(out: Output, sessionId: string) {
    this.#out = out
    this.main = this.#mainOf(sessionId)
  }

  get all(): readonly ClaudeSession[] {
    return [this.main, ...this.#agents.values()]
  }

  /**
   * Tells the only subagent whose output is not known by its replies what it has put out: what the run has beyond the
   * others. Of several such nobody knows whose it is.
   */
  tellOutput(total: number, main: number): void {
    const agents = [...this.#agents.values()]
    const [one, ...more] = agents.filter(({ uncounted }) => uncounted > 0)
    if (one === undefined || more.length > 0) return
    const others = agents.reduce((sum, agent) => sum + (agent === one ? 0 : agent.output), 0)
    one.output = Math.max(one.output, total - main - others)
    one.uncounted = 0
    one.session.used({ "output-tokens": one.output }, null)
  }

  get hasAgents(): boolean {
    return this.#agents.size > 0
  }

  restart(sessionId: string): void {
    this.main.end()
    this.main = this.#mainOf(sessionId)
  }

  /** The session for a call; the main loop's for none. A subagent that nobody told of is named after its call. */
  speaker(call: Json | undefined, facts: Partial<AgentFacts> = {}): ClaudeSession {
    const key = textOf(call)
    return key === "" ? this.main : this.agent(key, facts)
  }

  agent(key: string, { id = key, type = "", description = "", prompt = "" }: Partial<AgentFacts>): Agent {
    const known = this.#agents.get(key)
    if (known !== undefined) return known
    const facts = { id: id || key, type, description, parent: this.main.session }
    const agent = new Agent(this.#out, this.#seen, agentSession(this.#out, facts))
    this.#agents.set(key, agent)
    this.tellPrompt(agent, prompt)
    return agent
  }

  /** The branch of the main loop that a rewind left behind. */
  branch(number: number): Agent {
    return this.agent(`rewound-${number}`, { type: "rewound" })
  }

  /** A rewind left a branch: the main loop goes on from where that began. */
  leave(number: number): void {
    const branch = this.branch(number)
    branch.end()
    branch.session.exit("rewound", false)
    branch.isOver = true
    this.main.end()
    this.main.session.note("rewound", `what was said meanwhile is the session ${branch.session.id}`)
  }

  tellPrompt(speaker: ClaudeSession, text: string): void {
    if (speaker instanceof Agent) {
      if (speaker.prompt === text) return
      speaker.prompt = text
    }
    speaker.end()
    speaker.session.prompt(text)
  }

  /**
   * A block with the result of a tool, and what the line tells of it beside. What a subagent handed back, or that it
   * has begun in the background, is shown without the words that the CLI puts around it for the model.
   */
  result(speaker: ClaudeSession, block: JsonObject, told: JsonObject): void {
    const notes = countOf(told.harnessNoteCount) ?? 0
    const parts = listOf(told.content)
    const report = partsText(parts.slice(notes, parts.length - (countOf(told.harnessTailCount) ?? 0)))
    const isLaunched = told.status === "async_launched"
    const isAgents = textOf(told.agentId) !== "" && !isLaunched
    if (isAgents) this.#handBack(textOf(block.tool_use_id), told, report)
    const content = isLaunched ? "works in the background" : isAgents ? report : ""
    speaker.result(content === "" ? block : { ...block, content })
  }

  /** The CLI may not have printed a subagent's last reply, whose tokens it tells here. */
  #handBack(key: string, { status, usage, agentId, agentType, prompt }: JsonObject, report: string): void {
    const agent = this.agent(key, { id: textOf(agentId), type: textOf(agentType), prompt: textOf(prompt) })
    if (agent.isOver) return
    agent.end()
    const tokens = tokensOf(objectOf(usage), true)
    if (agent.isAwaited) {
      agent.ask()
      agent.session.say("text", report, { whole: true })
      agent.session.reply({ usage: wireUsage(tokens), stop: "end_turn" })
    } else if (agent.uncounted > 0) {
      // Its last reply was printed while it streamed, when its output was not counted yet.
      agent.session.used({ "output-tokens": agent.output + (tokens.output ?? 0) }, null)
      agent.uncounted--
    }
    agent.output += tokens.output ?? 0
    this.#over(agent, textOf(status) || "completed")
  }

  /** A subagent has ended: `status` is `completed`, or says what became of it. */
  ended(key: string, status: string): void {
    const agent = this.#agents.get(key)
    // What it handed back comes with the result of its call, unless it runs in the background or failed.
    if (agent?.isOver === false && (agent.isInBackground || status !== "completed")) this.#over(agent, status)
  }

  /** The command has ended, and with it all sessions. */
  exit(reason: string, failed: boolean): void {
    for (const agent of this.#agents.values()) if (!agent.isOver) this.#over(agent, reason, failed)
    this.main.session.exit(reason, failed)
  }

  #over(agent: Agent, status: string, failed = status !== "completed" && status !== "success"): void {
    agent.isOver = true
    agent.end()
    agent.session.exit(status, failed)
  }

  #mainOf(sessionId: string): ClaudeSession {
    return new ClaudeSession(this.#out, this.#seen, new GuestSession(this.#out, "claude", sessionId))
  }
}
