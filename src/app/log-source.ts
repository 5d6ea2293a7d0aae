// Shows the log of an agent CLI as a source: its recording, which grows with it, and what the CLI's hooks ask.
import type { EncodedCommand } from "../../packages/wire/src/encode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import type { LogConversion } from "../guest/convert-log.ts"
import type { HookDesk } from "../hook/hook-desk.ts"
import { HookTalk } from "../hook/hook-talk.ts"
import { type ReplayOptions, replaySource } from "../transport/replay.ts"
import type { Sink, Source } from "../transport/source.ts"

export class LogSource implements Source {
  readonly #talk: HookTalk | null
  #conversion: LogConversion
  #replay: Source | null = null
  #sink: Sink | null = null
  #link: Link | null = null

  /** The conversion is closed with the source. */
  constructor(
    conversion: LogConversion,
    private readonly from: ReplayOptions,
    desk: HookDesk | null,
  ) {
    this.#conversion = conversion
    this.#talk =
      desk === null
        ? null
        : new HookTalk(desk, from.path, Date.now, events => {
            try {
              this.#conversion.tell(events)
            } catch {
              // `failed` says it.
            }
            if (this.#link !== null) this.#tellLink(this.#link)
          })
  }

  start(sink: Sink): void {
    this.#sink = sink
    this.#play(0)
    this.#talk?.look()
  }

  send({ command }: EncodedCommand): boolean {
    return this.#talk?.command(command) ?? false
  }

  stop(): void {
    this.#talk?.close()
    this.#replay?.stop()
    this.#conversion.close()
  }

  /** Goes on with another conversion of the same log, of whose recording the first `offset` bytes are known. */
  goOn(conversion: LogConversion, offset: number): void {
    this.#replay?.stop()
    conversion.replace(this.#conversion)
    this.#conversion = conversion
    this.#play(offset)
  }

  #play(offset: number): void {
    const { path: shownAs } = this.from
    this.#replay = replaySource({ ...this.from, path: this.#conversion.path, shownAs, offset })
    this.#replay.start({
      frames: frames => this.#sink?.frames(frames),
      link: link => this.#tellLink(link),
      restart: () => this.#sink?.restart(),
    })
  }

  #tellLink(link: Link): void {
    this.#link = link
    const isOfFile = link.state === "replaying" || link.state === "ended"
    this.#sink?.link(isOfFile && this.#talk?.isOpen === true ? { ...link, talks: true } : link)
  }
}
