// Reads what the agent sends when asked: a conversation, and the models it knows.
import type { CatalogFrame, ConversationFrame, ConversationTurn } from "./frame.ts"
import type { JsonObject } from "./json.ts"
import { ObjectReader } from "./object-reader.ts"

/** The captured turns of one visit (docs/contract.md section 3). Messages stay raw, since they may be edited and sent back. */
export function decodeConversation(row: JsonObject): ConversationFrame {
  const top = new ObjectReader(row, "", [])
  return {
    kind: "conversation",
    invokeid: top.id("invokeid"),
    nodeId: top.id("node-id"),
    visit: top.whole("visit"),
    turns: top.inners("turns").map(decodeTurn),
  }
}

/** The models behind each alias (docs/contract.md section 3). */
export function decodeCatalog(row: JsonObject): CatalogFrame {
  const top = new ObjectReader(row, "", [])
  return {
    kind: "model-catalog",
    aliases: top.inners("aliases").map(alias => ({
      alias: alias.text("alias") ?? "",
      targets: alias.inners("targets").map(target => ({
        provider: target.text("provider"),
        model: target.text("model"),
      })),
    })),
    preferences: top.texts("preferences"),
  }
}

function decodeTurn(turn: ObjectReader): ConversationTurn {
  return {
    turn: turn.whole("turn"),
    model: turn.text("model"),
    system: turn.text("system"),
    messages: turn.inners("messages").map(message => ({
      role: message.id("role") ?? "",
      text: message.id("text") ?? "",
    })),
  }
}
