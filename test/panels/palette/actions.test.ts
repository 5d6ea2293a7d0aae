// Tests the rows that the palette makes of bindings and commands: in which order, with which keys, and why one can't act.
import { expect, test } from "bun:test"
import { LETTER, type TableBinding } from "../../../src/keys/binding.ts"
import { actionEntries, placeName, shortPage } from "../../../src/panels/palette/actions.ts"
import { nothing } from "../../../src/view/plan-result.ts"
import { emptyState, type State } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { open } from "../planned.ts"

type Known = TableBinding<State>
const known = (id: string, title: string, keys: readonly string[], more: Partial<Known> = {}): Known => ({
  ...{ id, title, keys, group: "Views", words: "some", ...more },
})
const refusal = () => "no run"

test("a row is of all keys with its title: it does what can be done here, else says why not, and what works comes first", () => {
  const bindings = [
    known("palette/open", "commands", [":"]),
    known("palette/choose", "choose", ["enter"]),
    known("typing/accept", "accept", ["enter"]),
    known("find/letter", "find", [LETTER]),
    known("far/away", "look far", ["ctrl-x f", "z"], { words: "see" }),
    known("far/also", "look far", ["Z"], { words: "see more" }),
    known("one/refused", "do it", ["a", "b"], { refusal, sure: "Sure?" }),
    known("one/able", "do it", ["ctrl-x c", "c", "d"], { words: "some other", sure: "Really?" }),
    known("one/more", "do it", ["e"], { counts: true, intent: () => ({ type: "notice/show", text: "more" }) }),
    known("one/elsewhere", "do it", ["f"]),
    known("all/refused", "stop it", ["up"], { refusal, group: "Move" }),
    known("two/strokes", "chord it", ["ctrl-x x"]),
    known("keyless", "without a key", []),
    known("digit/pick", "pick one", ["1", "2"]),
    known("cursor/up", "up", ["k", "up"], {
      group: "Move",
      intent: () => ({ type: "cursor/move", by: { unit: "first" } }),
    }),
    known("front/close", "close it", ["escape"], { group: "Panes" }),
    known("front/quit", "quit or go back", ["q"], { group: "Panes" }),
  ]
  const here = bindings.filter(({ id }) => !/^far|elsewhere|^typing/.test(id)).toReversed()
  const scope = { id: "panes", named: [], bindings: here, others: "count" } as const
  const commands = { loop: { title: "loop on or off", words: "repeat", sure: "Loop?", run: () => nothing } }
  const placeOf = (id: string) => (id.startsWith("far") ? "pane-text" : "step-to-list")
  const state = shownState(emptyState(open))
  const told = [false, true].map(keysFirst => {
    const entries = actionEntries({ bindings, commands, state, scope, placeOf }, keysFirst)
    const rows = entries.map(({ id, title, words, key, why, does, sure, page, else: others = [] }) =>
      [
        id,
        title,
        words,
        key,
        why ?? "",
        sure ?? "",
        [does, ...others].map(one => one.type).join(", "),
        page?.key ?? "",
      ].join(" | "),
    )
    const short = shortPage(entries).map(({ title, key, page }) => `  ${page?.group} | ${title} | ${key}`)
    return [`${keysFirst ? "keys" : "commands"}:`, ...rows, ...short].join("\n")
  })
  expect(told.join("\n")).toMatchSnapshot()
  expect([placeName("step-to-list"), placeName("pane-alone")]).toEqual(["the step to list", "the text pane"])
})
