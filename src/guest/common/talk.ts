// The conversation with an agent over its stdin and stdout: it reads lines, sends lines, and asks a person. It
// does no I/O and reads no clock.
import type { Command, Op } from "../../../packages/wire/src/command.ts"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { Asking, type GuestOption } from "./asking.ts"
import { textOf } from "./fields.ts"
import type { Output, Owner } from "./output.ts"

/** A session with which the agent can go on. `changed`: its last change, as the agent spells it. */
export interface EarlierSession {
  readonly id: string
  readonly title: string
  readonly directory: string
  readonly changed: string
}

export interface TalkOptions {
  readonly name: string
  readonly cwd: string
  /** The first prompt; null to ask for one. */
  readonly prompt: string | null
  /** The id of the earlier session to go on with; a new one without it. */
  readonly session?: string
  /** Takes the agent's sessions, and nothing else is said. */
  readonly lists?: (sessions: readonly EarlierSession[]) => void
  /** True to end after the first prompt's result. */
  readonly once: boolean
  /** False if nobody can answer: then every request is refused. */
  readonly asks: boolean
}

/** The kind of choice that a person opens, and its session. */
export type Choice = Extract<Op, { readonly type: "choose" }>

/** The base of the conversations over all protocols. They write their events to `out`. */
export abstract class Talk {
  /** True once nothing more will be said, so that the command's stdin can be closed. */
  isOver = false
  protected readonly asking: Asking

  /** `say` sends the agent a line. */
  constructor(
    protected readonly out: Output,
    protected readonly say: (line: JsonObject) => void,
    protected readonly options: TalkOptions,
  ) {
    this.asking = new Asking(out)
  }

  abstract readonly failure: string | null
  /** True while the agent has not said yet that it understands us. */
  abstract readonly isStarting: boolean
  /** True while a prompt is not answered. */
  abstract readonly isBusy: boolean
  abstract heard(line: JsonObject): void
  /** The command has ended: `reason` says how. */
  abstract exit(reason: string, failed: boolean): void
  protected abstract start(): void
  /** Interrupts the work under way. Returns false if there is none. */
  protected abstract interrupt(): boolean
  protected abstract refuseAll(): void
  protected abstract prompt(owner: Owner, text: string): void
  /** The agent's own commands that a prompt may begin with. */
  protected abstract slashCommands(owner: Owner): readonly GuestOption[]
  /** Asks for a choice of this kind. Returns false if the agent offers none. */
  protected abstract choose(choice: Choice): boolean

  begin(): void {
    if (this.options.asks) this.asking.hold(false)
    this.start()
  }

  /** Carries out a person's command. Returns false if the agent can't do it. */
  command(command: Command): boolean {
    if (command.type === "answer" || command.type === "cancel") return this.asking.answered(command)
    const tell = (text: string): void => this.out.ofRun("adapter/control", { text })
    if (command.type === "ui-interrupt") {
      if (!this.interrupt()) tell("nothing is under way that could be interrupted")
    } else if (command.type === "pause" || command.type === "continue") this.asking.hold(command.type === "pause")
    else if (command.type !== "choose") return false
    else if (!this.choose(command)) tell(`it offers no other ${command.what}`)
    return true
  }

  leave(): void {
    this.refuseAll()
    this.isOver = true
  }

  /** The prompt is answered: asks for the next one, unless there shall be none. */
  protected ended(owner: Owner): void {
    if (this.options.once || !this.options.asks) this.isOver = true
    else this.askNext(owner)
  }

  /** Asks for a prompt. The first is asked in front; nothing waits for another one. */
  protected askNext(owner: Owner, isFirst = false): void {
    const prompt = isFirst ? "What shall it do?" : "What shall it do next?"
    const options = this.slashCommands(owner)
    this.asking.ask(owner, { type: "text", prompt, waits: !isFirst, yields: true, options }, answer => {
      const text = textOf(answer).trim()
      if (text === "") this.askNext(owner)
      else this.prompt(owner, text)
    })
  }

  protected askWhich(
    owner: Owner,
    question: { readonly prompt: string; readonly options: readonly GuestOption[]; readonly current?: string },
    chosen: (value: string) => void,
  ): void {
    const { prompt, options, current } = question
    const isKnown = options.some(({ value }) => value === current)
    const preset = isKnown && current !== undefined ? { default: current } : {}
    this.asking.ask(owner, { type: "select", prompt, options, ...preset }, answer => {
      if (typeof answer === "string") chosen(answer)
    })
  }
}

/** The agent's commands as they are typed, each with its description. */
export function slashOptions(commands: readonly JsonObject[]): readonly GuestOption[] {
  return commands.flatMap(({ name, description }) => {
    const word = textOf(name).replace(/^\//, "")
    if (word === "" || word.startsWith("__")) return []
    const about = textOf(description).split("\n")[0]?.slice(0, 200)
    return [{ label: [`/${word}`, about].filter(Boolean).join(" – "), value: `/${word}` }]
  })
}

export type MakeTalk = (out: Output, say: (line: JsonObject) => void, options: TalkOptions) => Talk
