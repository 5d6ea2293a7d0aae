// Opens runs as the program does, on a surface that only remembers what it was asked for.
import { join } from "node:path"
import { type OpenedSource, openSource } from "../../src/app/open-source.ts"
import type { SessionOptions } from "../../src/app/run-context.ts"
import { RunSession } from "../../src/app/run-session.ts"
import { readOptions } from "../../src/cli/options.ts"
import type { ScreenOptions } from "../../src/cli/screen-options.ts"
import type { SourceOptions } from "../../src/cli/source-options.ts"
import type { GuestSource } from "../../src/guest/guest-source.ts"
import type { ShownRun, Surface, Terminal } from "../../src/screen/surface.ts"
import type { Sink } from "../../src/transport/source.ts"
import { decodeRequest, type ReceivedSpan } from "../otlp/decode-request.ts"
import { opened } from "../screen/open-screens.ts"

export class FakeSurface implements Surface {
  readonly shown: ShownRun[] = []
  readonly calls: string[] = []
  terminal: Terminal | null = {
    redraw: () => this.calls.push("redraw"),
    suspend: words => this.calls.push(`suspend ${words}`),
    toggleMouse: () => this.calls.push("mouse") % 2 === 0,
    lend: work => work(),
    bell: () => this.calls.push("bell"),
    title: text => this.calls.push(`title ${text}`),
    notify: text => this.calls.push(`notify ${text}`),
    copy: text => text.length < 100,
    focused: () => true,
  }
  get front(): ShownRun | undefined {
    return this.shown.at(-1)
  }
  show(run: ShownRun): void {
    this.shown.push(run)
  }
  taken(): undefined {}
  leave(code: number, words?: string): void {
    this.calls.push(`leave ${code}${words === undefined ? "" : `: ${words}`}`)
  }
  agentGone(): void {}
}

/** Plain lines. */
export class PlainFake extends FakeSurface {
  override terminal = null
}

/** A replay at once of what a person did not ask for more of. */
export const REPLAY = {
  type: "replay",
  timing: "instant",
  speed: 1,
  idleLimitMs: 2000,
  loop: false,
  keepsIndex: false,
  at: null,
  parser: null,
} as const

export const live = (url: string): SourceOptions => ({ type: "live", url, token: null, warning: null })

export const stateDirectory = (home: string): string => join(home, "state/opentui-sidecar")

export function screenOptions(home: string, flags: readonly string[] = [], more: object = {}): ScreenOptions {
  const env = { XDG_STATE_HOME: join(home, "state"), ...more }
  const options = readOptions(["attach", "ws://127.0.0.1:1/ws", ...flags], env, true)
  if (options.command !== "watch") throw new Error("expected options of a run")
  return options.screen
}

type Rest = Partial<Pick<SessionOptions, "sessionDir" | "record" | "isAttached" | "goHome">> & {
  readonly screen: ScreenOptions
  readonly surface?: Surface
}

/** A run that is shown, and not yet started. */
export function sessionOf(opened: OpenedSource, { surface = new FakeSurface(), ...rest }: Rest): RunSession {
  const run = new RunSession({ opened, sessionDir: null, record: null, surface, ...rest })
  surface.show(run)
  return run
}

/** A run that was started. */
export async function open(source: SourceOptions, rest: Rest): Promise<RunSession> {
  const run = sessionOf(await openSource(source, rest.screen), rest)
  await run.start()
  return run
}

/** A source that says and hears what a test says. */
export class FakeSource {
  readonly sent: string[] = []
  sink: Sink | null = null
  isStopped = false

  constructor(
    private readonly from: SourceOptions,
    private readonly guest: object | null = null,
  ) {}

  readonly #start = (sink: Sink): void => {
    this.sink = sink
  }
  readonly #stop = (): void => {
    this.isStopped = true
  }

  get opened(): OpenedSource {
    const send = ({ text }: { readonly text: string }) => this.sent.push(text) > 0
    const source = { start: this.#start, send, stop: this.#stop }
    return { from: this.from, source, eql: null, guest: this.guest as GuestSource | null, close: this.#stop }
  }
}

/** A receiver of spans, the first of which come once `before` has resolved. */
export function spanReceiver(before: Promise<void> = Promise.resolve()) {
  const spans: ReceivedSpan[] = []
  let wait = before
  const fetch = async (request: Request): Promise<Response> => {
    const waited = wait
    wait = Promise.resolve()
    const { spans: received } = decodeRequest(await request.bytes(), request.headers.get("content-type") ?? "")
    await waited
    spans.push(...received)
    return new Response()
  }
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch })
  opened(() => server.stop(true))
  return { spans, url: server.url }
}
