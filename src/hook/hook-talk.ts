// Asks a person what the hooks of one session ask, as questions in the run of the session's file.
import type { Command } from "../../packages/wire/src/command.ts"
import { askForTool } from "../guest/claude/claude-permission.ts"
import { Asking } from "../guest/common/asking.ts"
import { objectOf, textOf } from "../guest/common/fields.ts"
import { type GuestEvent, Output } from "../guest/common/output.ts"
import type { HookDesk, HookQuestion } from "./hook-desk.ts"

interface Asked {
  readonly question: HookQuestion
  id: string
}

/** The questions of one session. `tell` gets the events that show them. */
export class HookTalk {
  readonly #out = new Output()
  readonly #asking = new Asking(this.#out)
  #asked: readonly Asked[] = []
  readonly #stop: () => void

  /** `path` is the session's file. */
  constructor(
    private readonly desk: HookDesk,
    private readonly path: string,
    private readonly now: () => number,
    private readonly tell: (events: readonly GuestEvent[]) => void,
  ) {
    this.#stop = desk.listen(() => this.look())
  }

  get isOpen(): boolean {
    return this.#asked.length > 0
  }

  /** Asks new questions, and takes back those that the terminal answered first. */
  look(): void {
    const open = this.desk.questions.filter(({ path }) => path === this.path)
    this.#out.begin(this.now(), null)
    const gone = this.#asked.filter(({ question }) => !open.includes(question))
    this.#asked = this.#asked.filter(one => !gone.includes(one))
    for (const { id } of gone) this.#asking.end(id, "interrupted")
    for (const question of open) {
      if (this.#asked.some(one => one.question === question)) continue
      this.#ask(question)
    }
    this.#flush()
  }

  /** False if the command answers no question of a hook. A question that is cancelled is left to the terminal. */
  command(command: Command): boolean {
    if (command.type !== "answer" && command.type !== "cancel") return false
    this.#out.begin(this.now(), null)
    const isOurs = this.#asking.answered(command)
    this.#flush()
    return isOurs
  }

  close(): void {
    this.#stop()
  }

  #flush(): void {
    const events = this.#out.take()
    if (events.length > 0) this.tell(events)
  }

  #ask(question: HookQuestion): void {
    const { request } = question
    const asked: Asked = { question, id: "" }
    this.#asked = [...this.#asked, asked]
    const decide = (decision: Parameters<HookQuestion["decide"]>[0]): void => {
      this.#asked = this.#asked.filter(one => one !== asked)
      question.decide(decision)
    }
    askForTool(
      { ...request, input: objectOf(request.tool_input) },
      {
        ask: (step, take) => {
          const owner = { invokeid: "claude", id: textOf(request.session_id) }
          asked.id = this.#asking.ask(owner, step, answer => (answer === undefined ? decide(null) : take(answer)))
        },
        reply: decide,
        edited: () => undefined,
      },
    )
  }
}
