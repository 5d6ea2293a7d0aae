// Tests which call a result belongs to: by its id, or without one if only one call is possible.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { type Carded, CardList } from "../../src/transcript/tool-card.ts"
import { root } from "../fixtures.ts"

/** `c1` is a call, `r1` a result, `t` a text; then its id behind `#`, its turn behind `@`, its tool behind `:`. */
function blockOf(written: string): Carded {
  const [, key = "", id, turn = "1", tool = "read"] = /^(\w+)(?:#(\w+))?(?:@(\d))?(?::(\w*))?$/.exec(written) ?? []
  const type = key.startsWith("c") ? "tool-call" : key.startsWith("r") ? "tool-result" : "text"
  const called = id === undefined ? {} : { callId: id }
  return { key, card: key, type, name: tool === "" ? null : tool, turn: Number(turn), ...called }
}

function paired(blocks: string): readonly Carded[] {
  const list = new CardList<Carded>()
  for (const block of blocks.split(" ")) list.add(blockOf(block))
  return list.blocks
}

/** The blocks in their order, and below which call a result folds: `r>c`. */
const shown = (blocks: string) =>
  paired(blocks)
    .map(({ key, card }) => (key === card ? key : `${key}>${card}`))
    .join(" ")

const CARDS = (await Bun.file(join(root, "fixtures/scripts/cards.txt")).text()).trimEnd().split("\n")

test.each(CARDS.map(one => one.split(" = ")))("a tool result %s", (_, blocks = "", all = "") => {
  expect(shown(blocks)).toBe(all)
  for (const { card, turn } of paired(blocks))
    expect(turn).toBe(blockOf(blocks.split(" ").find(one => blockOf(one).key === card) ?? "").turn)
})
