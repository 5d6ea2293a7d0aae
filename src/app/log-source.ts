// Shows the log of an agent CLI as a source: its recording, which grows with it, and the questions of the CLI's hooks.
import type { EncodedCommand } from "../../packages/wire/src/encode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import type { LogConversion } from "../guest/convert-log.ts"
import type { HookDesk } from "../hook/hook-desk.ts"
import { HookTalk } from "../hook/hook-talk.ts"
import { type ReplayOptions, replaySource } from "../transport/replay.ts"
import type { Sink, Source } from "../transport/source.ts"

/** Owns the conversion of a log, and passes the frames of its replay on. */
export class LogSource implements Source {
  readonly #talk: HookTalk | null
  #replay: Source
  #sink: Sink | null = null
  #link: Link | null = null
  /** Ends the reading of a whole log of which the end is shown. */
  #stopReading: (() => void) | null = null
  #isStopped = false
  /** What was told, which another conversion of the log lacks. */
  #told: Parameters<LogConversion["tell"]>[0] = []

  /** `from.path` is the log; `convertAll` converts all of it anew. */
  constructor(
    private conversion: LogConversion,
    private readonly from: ReplayOptions,
    desk: HookDesk | null,
    private readonly convertAll: () => Promise<LogConversion>,
  ) {
    this.#replay = this.#replayOf(conversion)
    const tell: LogConversion["tell"] = events => {
      this.conversion.tell(events)
      this.#told = [...this.#told, ...events]
      if (this.#link !== null) this.link(this.#link)
    }
    this.#talk = desk && new HookTalk(desk, from.path, Date.now, tell)
  }

  start(sink: Sink): void {
    this.#sink = sink
    this.#replay.start({
      frames: frames => sink.frames(frames),
      link: link => this.link(link),
      restart: () => sink.restart(),
    })
    this.#talk?.look()
  }

  send({ command }: EncodedCommand): boolean {
    return this.#talk?.command(command) ?? false
  }

  stop(): void {
    this.#isStopped = true
    this.#stopReading?.()
    this.#talk?.close()
    this.#replay.stop()
    this.conversion.close()
  }

  link(link: Link): void {
    this.#link = link
    const isOfFile = link.state === "replaying" || link.state === "ended"
    this.#sink?.link(isOfFile && this.#talk?.isOpen === true ? { ...link, talks: true } : link)
  }

  /** Resolves when the whole log is to be read; the value says why. */
  get isToBeRead(): Promise<string> {
    if (this.conversion.isPart) return Promise.resolve("The whole log is read")
    return this.conversion.rewound.then(() => "The session was rewound: what was left is a session of its own")
  }

  /**
   * Reads the whole log anew. `unseen` receives it up to its present end, and then it takes the place of what is
   * shown, before `unseen.link` tells that. Rejects if it can't be converted.
   */
  async readWhole(unseen: Sink): Promise<void> {
    const whole = await this.convertAll()
    const replay = this.#replayOf(whole)
    this.#stopReading = () => {
      replay.stop()
      whole.close()
    }
    if (this.#isStopped) return this.#stopReading()
    let isSeen = false
    const to = () => (isSeen ? this.#sink : unseen)
    replay.start({
      frames: frames => to()?.frames(frames),
      restart: () => to()?.restart(),
      link: link => {
        if (isSeen) this.link(link)
        if (isSeen || link.state !== "ended") return
        isSeen = true
        this.#stopReading = null
        this.#replay.stop()
        whole.replace(this.conversion)
        this.#replay = replay
        this.conversion = whole
        whole.tell(this.#told)
        unseen.link(link)
      },
    })
  }

  #replayOf({ path }: LogConversion): Source {
    return replaySource({ ...this.from, path, shownAs: this.from.path })
  }
}
