// Tests which call a result belongs to: by its id, or without one if only one call is possible.
import { expect, test } from "bun:test"
import { type Carded, CardList } from "../../src/transcript/tool-card.ts"

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

test.each([
  [
    ...["with an id is shown below its own call, whatever came in between", "c1#a c2#b c3#c r2#b t r3#c r1#a"],
    "c1 r1>c1 c2 r2>c2 c3 r3>c3 t",
  ],
  ["with an id is not joined to a call with another", "c1#a r#z", "c1 r"],
  ["with an id, in parts, is one card", "c#a r1#a t r2#a", "c r1>c r2>c t"],
  ["belongs to the later call if its id comes again after an answer", "c1#a r1#a c2#a r2#a", "c1 r1>c1 c2 r2>c2"],
  ["belongs to no call if two that wait share its id", "c1#a c2#a r1#a r2#a", "c1 c2 r1 r2"],
  ["without an id belongs to the turn's only open call of its tool", "c r", "c r>c"],
  ["without an id or a tool belongs to the only call", "c t r:", "c r>c t"],
  ["without an id is told from that of another tool", "c1 c2:list r2:list r1:", "c1 r1>c1 c2 r2>c2"],
  ["without an id may be of two calls", "c1 c2 r1 r2", "c1 c2 r1 r2"],
  ["without an id is not of another tool's call", "c r:list", "c r"],
  ["without an id is not of another turn's call", "c r@2", "c r"],
  ["without an id is not of an answered call", "c r1 r2", "c r1>c r2"],
  ["that came before its call stays there", "r c", "r c"],
  ["without an id belongs to a call with one", "c#a r", "c r>c"],
  ["with an id belongs to a call without", "c r#a", "c r>c"],
  ["of a later turn stands in its call's", "c1#a c2#b@2 r#a@2", "c1 r>c1 c2"],
])("a tool result %s", (_, blocks, all) => {
  expect(shown(blocks)).toBe(all)
  for (const { card, turn } of paired(blocks))
    expect(turn).toBe(blockOf(blocks.split(" ").find(one => blockOf(one).key === card) ?? "").turn)
})
