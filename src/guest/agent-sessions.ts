// Asks an agent for the sessions with which it can go on, over the Agent Client Protocol.
import { LineSplitter } from "../../packages/wire/src/files/line-splitter.ts"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { AcpTraffic, INTRODUCTION } from "./acp/acp-traffic.ts"
import { printMessage, readMessage } from "./acp/rpc.ts"
import { type EarlierSession, earlierSessions } from "./acp/session-options.ts"
import { objectOf, textOf } from "./common/fields.ts"
import { Output } from "./common/output.ts"
import { guestName, PATIENCE_MS } from "./guest-source.ts"
import { drain, launch } from "./launch.ts"

/** The most pages of a list that are read. */
const MAX_PAGES = 20

/** Starts the command, and ends it once it has told its sessions. Rejects with a one-line Error if it tells none. */
export async function agentSessions(command: readonly string[]): Promise<readonly EarlierSession[]> {
  const child = launch(command, "pipe")
  const traffic = new AcpTraffic(new Output(), guestName(command))
  const splitter = new LineSplitter()
  let reply = Promise.withResolvers<JsonObject>()
  const fail = (why: string): void => reply.reject(new Error(`${guestName(command)}: ${why}`))
  void drain(child.stdout, child.ended, bytes => {
    for (const line of splitter.push(bytes)) {
      const value = typeof line === "string" ? parseJson(line) : null
      const message = isObject(value) ? readMessage(value) : null
      if (message?.type !== "result" && message?.type !== "error") continue
      traffic.fromAgent(message)
      if (message.type === "error" || traffic.failure !== null) fail(traffic.failure ?? "it failed")
      else reply.resolve(message.result)
    }
  }).then(() => fail("it has ended without an answer"))
  void drain(child.stderr, child.ended, () => undefined)
  const patience = setTimeout(() => fail(`no answer within ${PATIENCE_MS / 1000} s`), PATIENCE_MS)
  const ask = (id: number, method: string, params: JsonObject): Promise<JsonObject> => {
    reply = Promise.withResolvers()
    const message = { type: "request", id, method, params } as const
    traffic.toAgent(message)
    child.write(JSON.stringify(printMessage(message)))
    return reply.promise
  }
  try {
    const { agentCapabilities } = await ask(1, "initialize", INTRODUCTION)
    const { loadSession, sessionCapabilities } = objectOf(agentCapabilities)
    if (loadSession !== true || !isObject(objectOf(sessionCapabilities).list))
      throw new Error(`${guestName(command)} lists no sessions`)
    const found: EarlierSession[] = []
    let cursor = ""
    for (let page = 0; page === 0 || (cursor !== "" && page < MAX_PAGES); page++) {
      const reply = await ask(2 + page, "session/list", cursor === "" ? {} : { cursor })
      found.push(...earlierSessions(reply))
      cursor = textOf(reply.nextCursor)
    }
    return found
  } finally {
    clearTimeout(patience)
    child.closeStdin()
    void child.terminate()
  }
}
