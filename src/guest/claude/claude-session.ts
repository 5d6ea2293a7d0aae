// Reads the messages of Claude Code, which stand in its printed stream and in its session file alike.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, given, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import type { GuestSession, Words } from "../common/guest-session.ts"
import type { Output } from "../common/output.ts"
import { noTokens, type TokenNames, type Tokens, tokensIn, wireUsage } from "../common/token-usage.ts"

/** How a message's text comes: as whole blocks, or as pieces that the blocks repeat. */
interface Message {
  readonly id: string
  /** False for a message that was counted before, in this file or in the file that was forked. */
  readonly isNew: boolean
  streams: boolean
  /** What its beginning told of its tokens. */
  readonly begun: JsonObject
  usage: Tokens
  stop: string
  isTold: boolean
  firstTs: number | null
}

const REQUEST_TOKENS: TokenNames = [
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "output_tokens",
]

/** The tokens of a request. `isFinal`: its output is counted; lines that are printed while it streams have 1. */
export function tokensOf(usage: JsonObject, isFinal: boolean): Tokens {
  const told = tokensIn(usage, REQUEST_TOKENS)
  if (!isFinal) return { ...told, output: null, reasoning: null }
  return { ...told, reasoning: countOf(objectOf(usage.output_tokens_details).thinking_tokens) || null }
}

/** One session, the main loop's or a subagent's, and the message under way. */
export class ClaudeSession {
  contextWindow: number | null = null
  /** The running estimate of the tokens of the thinking under way. */
  estimate: number | null = null
  /** The known output tokens of its replies, and the number of replies without a count. */
  output = 0
  uncounted = 0
  /** The tokens of the latest request by the model's count; null if there is none. */
  counted: number | null = null
  #message: Message | null = null
  /** When the tools had answered that the model has not spoken after; null if it has. */
  #answered: { readonly ts: number | null } | null = null

  /** `seen` are the ids of the messages of all sessions. */
  constructor(
    private readonly out: Output,
    private readonly seen: Set<string>,
    readonly session: GuestSession,
  ) {}

  /** True if the model has been asked and has not replied. */
  get isAwaited(): boolean {
    return this.session.isAsked || this.#answered !== null
  }

  /** The model was asked, at the latest when the last tool had answered. */
  ask(): void {
    this.end()
    this.session.ask(this.#answered?.ts)
    this.#answered = null
  }

  begin({ id, model, usage }: JsonObject, streams: boolean): Message {
    const known = this.#message
    if (known !== null && known.id === textOf(id)) return known
    this.end()
    const isNew = !this.seen.has(textOf(id))
    // That all tools have answered is often shown only by the next message.
    if (isNew) this.ask()
    this.session.model = textOf(model)
    const message: Message = {
      id: textOf(id),
      isNew,
      streams,
      begun: objectOf(usage),
      stop: "",
      isTold: false,
      firstTs: null,
      usage: tokensOf(objectOf(usage), false),
    }
    this.seen.add(message.id)
    this.#message = message
    return message
  }

  piece(kind: Words, text: Json | undefined): void {
    if (this.#message !== null) this.#message.firstTs ??= this.out.ts
    this.session.say(kind, textOf(text), { tokens: this.estimate })
  }

  finish({ stop_reason }: JsonObject, usage: JsonObject): void {
    const message = this.#message
    if (message === null) return
    message.stop = textOf(stop_reason)
    const { output_tokens: _, ...begun } = message.begun
    message.usage = tokensOf({ ...begun, ...given(usage) }, true)
    this.#tell(message)
  }

  blocks(line: JsonObject): void {
    const { content, stop_reason, usage } = line
    const message = this.begin(line, false)
    if (typeof stop_reason === "string") {
      message.stop = stop_reason
      message.usage = tokensOf(objectOf(usage), true)
    }
    const isFinal = typeof stop_reason === "string"
    for (const block of listOf(content).map(objectOf)) this.#block(message, block, isFinal)
  }

  #block(message: Message, block: JsonObject, isFinal: boolean): void {
    switch (block.type) {
      case "text":
      case "thinking": {
        const said = textOf(block[block.type])
        if (!message.streams) this.session.say(block.type, said, { whole: true })
        return
      }
      case "redacted_thinking":
        return
      case "tool_use":
      case "server_tool_use":
        this.session.call(textOf(block.id), textOf(block.name) || "tool", block.input ?? {})
        // A message that comes in pieces tells its tokens at its end, which comes at once.
        if (message.streams) return
        if (isFinal) this.session.reply()
        else this.#tell(message)
        return
      default:
        if (textOf(block.type).endsWith("tool_result")) this.result(block)
    }
  }

  result({ tool_use_id, content, is_error }: JsonObject): void {
    if (this.#message !== null) this.#close(this.#message, false)
    this.session.result(textOf(tool_use_id), partsText(content), is_error === true)
    this.#answered = { ts: this.out.ts }
  }

  /** Ends the message under way: another line shows that no more of it comes. */
  end(): void {
    if (this.#message !== null) this.#close(this.#message, true)
    this.#message = null
    this.estimate = null
  }

  /** Writes what is open of a message, with its tokens unless they are told, or are to come at its own end. */
  #close(message: Message, isOver: boolean): void {
    if (message.isTold || (message.streams && !isOver)) this.session.reply()
    else this.#tell(message)
  }

  /** Writes the reply so far with what is known of the whole message, once. */
  #tell(message: Message): void {
    const { usage, stop, isTold, isNew, firstTs } = message
    const told = isTold || !isNew ? noTokens : usage
    if (!isTold && isNew && usage.output === null) this.uncounted++
    this.output += told.output ?? 0
    this.counted = told.input ?? this.counted
    const took = firstTs === null || this.out.ts === null ? 0 : this.out.ts - firstTs
    const tps = took > 0 && told.output !== null ? (told.output * 1000) / took : null
    const { contextWindow } = this
    this.session.reply({ usage: wireUsage(told), stop: isTold ? null : stop, tps, contextWindow })
    message.isTold = true
  }
}
