// Decodes the replies to our requests: conversations and the model catalog.
import type { CatalogFrame, ConversationFrame, ConversationTurn } from "./frame.ts"
import type { JsonObject } from "./json.ts"
import { ObjectReader } from "./object-reader.ts"

/** The captured turns of a visit (docs/contract.md section 3). Messages stay raw: they may be edited and sent back. */
export function decodeConversation(row: JsonObject): ConversationFrame {
  const top = new ObjectReader(row, "", [])
  return {
    kind: "conversation",
    invokeid: top.rawText("invokeid"),
    nodeId: top.rawText("node-id"),
    visit: top.integer("visit"),
    turns: top.children("turns").map(decodeTurn),
  }
}

/** The models that each alias resolves to (docs/contract.md section 3). */
export function decodeCatalog(row: JsonObject): CatalogFrame {
  const top = new ObjectReader(row, "", [])
  const aliases = top.children("aliases").map(entry => {
    const targets = entry.children("targets")
    return {
      alias: entry.text("alias") ?? "",
      targets: targets.map(target => ({ provider: target.text("provider"), model: target.text("model") })),
    }
  })
  return { kind: "model-catalog", aliases, preferences: top.texts("preferences") }
}

function decodeTurn(turn: ObjectReader): ConversationTurn {
  const messages = turn.children("messages").map(message => {
    return { role: message.rawText("role") ?? "", text: message.rawText("text") ?? "" }
  })
  return { turn: turn.integer("turn"), model: turn.text("model"), system: turn.text("system"), messages }
}
