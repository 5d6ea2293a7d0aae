// The base of the readers of CLIs whose lines are of one session, and of what a person left by going back in it.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError } from "./fields.ts"
import { GuestSession } from "./guest-session.ts"
import type { CliOutcome, Output } from "./output.ts"
import type { LateStart, Reader, ReaderStart } from "./reader.ts"
import { agentSession } from "./subagent.ts"

export abstract class OneSession implements Reader {
  ending: CliOutcome | null = null
  late: LateStart | null = null
  /** Where the lines don't count requests: how many there were, and whether a tool has answered the last. */
  protected requests = 0
  protected isAnswered = false
  protected abstract readonly cli: string
  #session: GuestSession | null = null
  #hasPrompt = false
  /** The branches that are being read, the innermost last: a branch may have a rewind of its own. */
  readonly #branches: { readonly number: number; readonly session: GuestSession }[] = []
  /** The prompts of the conversation as it stands, by their keys, and the branches of those that a rewind left. */
  readonly #prompts: string[] = []
  #promptCount = 0
  readonly #left: Map<string, number>

  constructor(
    protected readonly out: Output,
    protected readonly known: ReaderStart,
  ) {
    this.#left = new Map(known.left)
  }

  get owner(): GuestSession | null {
    return this.#session
  }

  abstract read(line: JsonObject): string | null

  pause(): void {
    for (const { session } of this.#branches) session.reply()
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

  /** A prompt. What follows is of the branch that a later rewind leaves, if it is known to leave the prompt. */
  protected prompt(text: string, key = `${this.#promptCount}`): void {
    this.#promptCount++
    this.#prompts.push(key)
    const number = this.#left.get(key)
    if (number !== undefined && number !== this.#branches.at(-1)?.number) {
      const facts = { id: `rewound-${number}`, type: "rewound", description: "", parent: this.session() }
      this.#branches.push({ number, session: agentSession(this.out, facts) })
    }
    this.session().prompt(text)
  }

  /** A person went back to before a prompt, or by a number of prompts: the log is to be read with what that left. */
  protected rewind(to: string | number): void {
    const at = typeof to === "string" ? this.#prompts.indexOf(to) : Math.max(0, this.#prompts.length - to)
    const left = at < 0 ? [] : this.#prompts.splice(at)
    const [first] = left
    if (first === undefined) return
    const number = this.#left.get(first) ?? new Set(this.#left.values()).size + 1
    if (left.some(key => !this.#left.has(key))) this.late = { ...this.late, left: this.#left }
    for (const key of left) this.#left.set(key, number)
    while (this.#branches.some(one => one.number === number)) this.#branches.pop()?.session.exit("rewound", false)
    this.session().note("rewound", `what was said meanwhile is the session rewound-${number}`)
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
    return this.#branches.at(-1)?.session ?? this.#session
  }

  /** The session's id came after its first events. */
  protected nameLate(id: string): void {
    if (id !== "" && this.known.session === null) this.late = { session: id }
  }

  protected fail(words: string): void {
    const message = apiError(words)
    const { ending } = this
    if (!(ending?.failed === true && ending.message === message)) this.session().error(message)
    this.ending = { failed: true, message }
  }
}
