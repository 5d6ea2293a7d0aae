// Keeps the sessions that agents have told of, as runs of home.
import { acpCommand, agentSessions } from "../../guest/choose-talk.ts"
import { guestName } from "../../guest/guest-source.ts"
import type { Prices } from "../../run/model/prices.ts"
import { noFacts } from "../../stores/stored-session.ts"
import type { EarlierTalk, HomeFacts } from "../../view/home.ts"
import { type SizedRun, sessionFacts } from "../stored-runs.ts"

export interface ToldSession {
  readonly run: SizedRun & { readonly talk: EarlierTalk }
  readonly facts: HomeFacts
}

export class ToldSessions {
  #told: readonly ToldSession[] = []

  get all(): readonly ToldSession[] {
    return this.#told
  }

  /** Asks the typed agent for its sessions; returns the words of its command. Rejects with a one-line Error. */
  async ask(typed: string, prices: Prices): Promise<readonly string[]> {
    const command = acpCommand(typed)
    const cli = guestName(command)
    const told = (await agentSessions(command)).map(({ id, title, directory, changed }): ToldSession => {
      const [name, changedAt] = [`${command.join(" ")} ${id}`, Date.parse(changed) || 0]
      const talk = { command, sessionId: id, directory }
      const facts = sessionFacts({ ...noFacts, id, title, directory, cli, activeAt: changedAt, path: name }, prices)
      return { run: { name, directory, cli, changedAt, size: 0, talk }, facts }
    })
    if (told.length === 0) throw new Error(`${cli} tells of no sessions`)
    this.#told = [...this.#told.filter(({ run }) => run.cli !== cli), ...told]
    return command
  }
}
