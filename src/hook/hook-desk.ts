// Receives the questions of Claude Code's hooks: each screen has a socket, on which each hook waits for a decision.
import { chmod, mkdir, rm } from "node:fs/promises"
import { createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { textOf } from "../guest/common/fields.ts"

/** UTF-16 units of a request at most: a tool may write a long file. */
const MOST = 16 * 1024 * 1024

export interface HookQuestion {
  readonly request: JsonObject
  /** The file of the session that asks, and where it works. */
  readonly path: string
  readonly directory: string
  /** Answers it; null leaves it to the CLI. */
  decide(decision: JsonObject | null): void
}

/** The directory of the sockets, one for each screen. */
export function hookDirectory(stateDir: string): string {
  return join(stateDir, "hook")
}

export class HookDesk {
  readonly #server: Server
  readonly #open = new Map<Socket, HookQuestion>()
  readonly #told = new Set<() => void>()

  private constructor() {
    this.#server = createServer(socket => this.#take(socket))
    this.#server.unref()
  }

  /** Null if no socket can be opened. Never rejects. */
  static async open(stateDir: string): Promise<HookDesk | null> {
    const path = join(hookDirectory(stateDir), `${process.pid}.sock`)
    const desk = new HookDesk()
    try {
      // Nobody else may look into the directory, so that the socket's mode is never seen too late.
      await mkdir(hookDirectory(stateDir), { recursive: true, mode: 0o700 })
      await rm(path, { force: true })
      await new Promise<void>((listens, fails) => desk.#server.once("error", fails).listen(path, listens))
      await chmod(path, 0o600)
      process.on("exit", desk.close)
      return desk
    } catch {
      desk.close()
      return null
    }
  }

  get questions(): readonly HookQuestion[] {
    return [...this.#open.values()]
  }

  /** Calls `told` whenever a question comes or goes, until the returned function is called. */
  listen(told: () => void): () => void {
    this.#told.add(told)
    return () => this.#told.delete(told)
  }

  readonly close = (): void => {
    process.off("exit", this.close)
    for (const socket of this.#open.keys()) socket.destroy()
    this.#server.close()
  }

  #take(socket: Socket): void {
    let text = ""
    socket.setEncoding("utf8")
    socket.on("data", (piece: string) => {
      text += piece
      if (text.length > MOST) return void socket.destroy()
      if (!text.endsWith("\n") || this.#open.has(socket)) return
      const request = parseJson(text)
      if (!isObject(request)) return void socket.destroy()
      const [path, directory] = [textOf(request.transcript_path), textOf(request.cwd)]
      const decide = (decision: JsonObject | null): void => this.#decide(socket, decision)
      this.#open.set(socket, { request, path, directory, decide })
      this.#tell()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => this.#open.delete(socket) && this.#tell())
  }

  #decide(socket: Socket, decision: JsonObject | null): void {
    socket.end(decision === null ? "" : `${JSON.stringify(decision)}\n`)
    if (this.#open.delete(socket)) this.#tell()
  }

  #tell(): void {
    for (const told of this.#told) told()
  }
}
