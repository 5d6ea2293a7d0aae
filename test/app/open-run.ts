// Opens runs as the program does, on a surface that only remembers what it was asked for.
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type OpenedSource, openSource } from "../../src/app/open-source.ts"
import type { SessionOptions } from "../../src/app/run-context.ts"
import { RunSession } from "../../src/app/run-session.ts"
import { readOptions } from "../../src/cli/options.ts"
import type { ScreenOptions } from "../../src/cli/screen-options.ts"
import type { SourceOptions } from "../../src/cli/source-options.ts"
import type { GuestSource } from "../../src/guest/guest-source.ts"
import type { ShownRun, Surface, Terminal } from "../../src/screen/surface.ts"
import { decodeLine } from "../../src/transport/message.ts"
import type { Sink } from "../../src/transport/source.ts"
import { decodeRequest, type ReceivedSpan } from "../otlp/decode-request.ts"
import { url } from "../panels/planned.ts"
import { fileScratch } from "../scratch.ts"
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

/** What of a directory, and below it, is not its owner's alone. */
export function notPrivate(directory: string): readonly string[] {
  return [".", ...readdirSync(directory, { recursive: true, encoding: "utf8" })].filter(name => {
    const found = statSync(join(directory, name))
    return (found.mode & 0o7777) !== (found.isDirectory() ? 0o700 : 0o600)
  })
}

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

export const ASKED = '{"kind":"prompt","prompt-id":"q#1","type":"confirm","opts":{"prompt":"Well?"}}'

/** A run whose source and surface the test holds, with a session directory and programs of its own. */
export async function held(
  from: SourceOptions = live(url),
  flags: readonly string[] = [],
  more = {},
  guest: object | null = null,
) {
  const home = fileScratch()
  const program = (name: string, script: string): string => {
    writeFileSync(join(home, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(home, name), 0o700)
    return join(home, name)
  }
  mkdirSync(join(home, "run/artifacts"), { recursive: true })
  writeFileSync(join(home, "run/artifacts/a.txt"), "one")
  const env = {
    EDITOR: program("editor", 'printf "edited" > "$1"'),
    OPENTUI_VIEWER: program("viewer", `echo "$@" > ${home}/viewed`),
    PAGER: program("pager", `cat > ${home}/paged; exit 4`),
  }
  const surface = new FakeSurface()
  const source = new FakeSource(from, guest)
  const screen = screenOptions(home, flags, env)
  const run = sessionOf(source.opened, { screen, surface, sessionDir: join(home, "run"), ...more })
  opened(() => run.close())
  await run.start()
  const { store } = run
  const come = (...lines: readonly string[]) => void run.frames(lines.map(text => ({ text, frame: decodeLine(text) })))
  const notice = () => store.get().view.notice?.text ?? null
  const ask = (intent: Parameters<typeof store.ask>[0]) =>
    run.perform(store.ask(intent, { now: Date.now(), page: 0, lines: 0 }))
  return { home, run, store, source, surface, come, notice, ask, state: stateDirectory(home) }
}
