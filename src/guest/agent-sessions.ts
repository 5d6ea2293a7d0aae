// Asks an agent for the sessions with which it can go on.
import { startTalk } from "./choose-talk.ts"
import type { EarlierSession } from "./common/talk.ts"
import { GuestParser } from "./guest-parser.ts"
import { GuestSource, guestName } from "./guest-source.ts"

/** Starts an agent for as long as it takes to tell them. Rejects with an Error that says why it didn't. */
export async function agentSessions(command: readonly string[]): Promise<readonly EarlierSession[]> {
  const told = Promise.withResolvers<readonly EarlierSession[]>()
  const name = guestName(command)
  const options = { name, cwd: process.cwd(), prompt: null, once: true, asks: false, lists: told.resolve }
  const talk = startTalk("acp", options)
  const source = new GuestSource({ command, parser: new GuestParser("none", null), stdin: "ignore", talk })
  const end = (): void => told.reject(new Error(`${name}: ${talk.failure ?? "it ended without an answer"}`))
  source.start({
    frames: () => undefined,
    link: ({ state }) => void (state === "exited" && end()),
    restart: () => undefined,
  })
  return await told.promise
}
