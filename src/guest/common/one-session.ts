// The base of the readers of CLIs whose lines are of one session.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError } from "./fields.ts"
import { GuestSession } from "./guest-session.ts"
import type { CliOutcome, Output } from "./output.ts"
import type { Reader, ReaderStart } from "./reader.ts"
import { agentSession } from "./subagent.ts"

export abstract class OneSession implements Reader {
  ending: CliOutcome | null = null
  lateSession: string | null = null
  protected readonly out: Output
  protected readonly known: ReaderStart
  /** Where the lines don't count requests: how many there were, and whether a tool has answered the last. */
  protected requests = 0
  protected isAnswered = false
  /** Names the session's group. */
  protected abstract readonly cli: string
  #session: GuestSession | null = null
  #hasPrompt = false

  constructor(out: Output, known: ReaderStart) {
    this.out = out
    this.known = known
  }

  get owner(): GuestSession | null {
    return this.#session
  }

  abstract read(line: JsonObject): string | null

  pause(): void {
    this.#session?.reply()
  }

  exit(reason: string, failed: boolean): void {
    this.#session?.exit(reason, failed)
  }

  /** The prompt on the command line, of a CLI that doesn't print it, once. */
  protected tellPrompt(): void {
    if (!this.#hasPrompt) this.session().prompt(this.known.prompt ?? "")
    this.#hasPrompt = true
  }

  /** Text after a tool's result belongs to the next request. */
  protected goOn(): void {
    if (this.isAnswered || this.requests === 0) {
      this.requests++
      this.session().ask()
    }
    this.isAnswered = false
  }

  /** The session, named by the first line with an id; `run` if an event comes before the id. */
  protected session(id = ""): GuestSession {
    if (this.#session === null || (id !== "" && id !== this.#session.id && this.#session.id !== "run")) {
      this.#session?.reply()
      const { agent, session } = this.known
      this.#session =
        agent === undefined
          ? new GuestSession(this.out, this.cli, id || session || "run")
          : agentSession(this.out, agent)
    }
    return this.#session
  }

  /** The session's id came after its first events. */
  protected nameLate(id: string): void {
    if (id !== "") this.lateSession = id
  }

  /** Reports once that the run has failed for now. */
  protected fail(words: string): void {
    const message = apiError(words)
    const { ending } = this
    if (!(ending?.failed === true && ending.message === message)) this.session().error(message)
    this.ending = { failed: true, message }
  }
}
