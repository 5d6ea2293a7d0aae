// Tests the form of a re-run: what it requests, keeps, shows and sends (docs/contract.md section 3).
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { event, idAt, line } from "../../run/lines.ts"
import { live, NOW, type Shown, show, URL } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

const poet = { invokeid: "poet", "session-id": ":session/p" }
const start = (seq: number, id: string) => event(seq, "llm/start", { ...poet, "session-id": id, model: "m" })
const place = { "io/ref": "nodes/:verse/1/turns/1/request.edn" }
const bare = [line({ kind: "debug", paused: false }), start(1, ":session/p")]
const begun = [...bare, event(2, "llm/request", { ...poet, ...place })]
const talk = (more: object) =>
  line({ kind: "conversation", invokeid: "poet", "node-id": ":verse", visit: 1, turns: [{ turn: 0 }], ...more })
const asked = { role: "user", text: "Snow?" }
const turns = [
  { turn: 0, model: "m", system: "Be brief.", messages: [asked] },
  { turn: 1, model: "m", system: "Be brief.", messages: [asked, { role: "assistant", text: "It fell." }] },
]
const conversation = talk({ turns })
const target = (provider: string, model: string) => ({ provider, model })
const catalog = line({
  kind: "model-catalog",
  aliases: [
    { alias: "a", targets: [target("ollama", "gemma3:1b")] },
    { alias: "b", targets: [target("openai", "gpt-5")] },
  ],
  preferences: ["b"],
})
const branch = (id: string | null) =>
  line({ kind: "debug", paused: false, mode: "branch-running", branch: { "session-id": id, parent: ":session/p" } })
const lost = { state: "lost", url: URL, since: 0, retryAt: NOW + 90_000, why: "closed", everOpen: true } as const

/** A step in which the agent tells frames. */
const told = (screen: Shown, name: string, ...frames: Decoded[]): Step => [name, () => screen.feed(...frames)]
const opening = ": 'actions for' enter G enter"

/** The form of a session that has these frames, with these more once it is open. */
async function form(lines: readonly Decoded[] = begun, ...more: readonly Decoded[]): Promise<Shown> {
  const screen = await show({ columns: 120, rows: 34 }, ...lines)
  screen.choose("actions for").press("G", "enter")
  screen.feed(...more)
  await screen.settle()
  return screen
}

test("the form asks for what it is made of at the session's place, and says what of it is not there", async () => {
  const screen = await show({ columns: 120, rows: 34 }, ...begun)
  const none = talk({ turns: [] })
  const elsewhere = talk({ visit: 0 })
  const request = { "node-id": ":verse/a", visit: 2, "io/ref": "nodes/verse_a/2/turns/0/request.edn" }
  const reply = event(3, "llm/response", { ...poet, "io/ref": "nodes/verse_a/2/turns/0/response.edn" })
  const renamed = await show({}, ...bare, event(2, "llm/request", { ...poet, ...request }), reply)
  const itsTurns = told(renamed, "turns", talk({ "node-id": ":verse/a", visit: 2 }), catalog)
  const nameless = await form(bare)
  // The node's id is sent as the session's own events spell it.
  const spelled = await form(begun, talk({ "node-id": "verse" }))
  // A form leaves the upper places in sight where there are rows for both.
  const sizes = [32, 31].map((rows): Step => [`${rows} rows`, () => spelled.resize(120, rows)])
  const branched = [branch("s2"), start(3, "s2")]
  const siblings = await show({}, ...bare, start(3, "s3"))
  const own = await show({}, ...bare, ...branched)
  // One that says where it is captured needs no other to be known as its branch.
  const first = { "io/ref": "nodes/:verse/0/turns/1/request.edn" }
  const placed = await show({}, ...bare, event(2, "llm/request", { ...poet, ...first }), start(3, "s3"))
  const cause = { "user-blocks": [{ type: "text", text: "Find the cause." }] }
  const misled = await show({}, ...bare, event(2, "llm/request", { ...poet, ...place, ...cause }), elsewhere)
  const others = told(misled, "turns of who was asked something else", conversation, catalog)
  for (const { store } of [own, placed]) {
    const selected = { type: "session", session: idAt(store.get().run, 0) } as const
    store.dispatch({ type: "view", change: { list: { selected } } })
  }
  expect([
    await walked(
      screen,
      opening,
      "tab enter",
      told(screen, "another visit", elsewhere),
      "enter",
      told(screen, "no turns", none),
      "enter",
      told(screen, "turns", conversation),
      ["5 s", () => screen.pass(5000)],
      "tab",
      told(screen, "models", catalog),
    ),
    await walked(renamed, opening, itsTurns, "enter", "enter"),
    await walked(
      nameless,
      "enter",
      told(nameless, "nowhere", line({ kind: "conversation", invokeid: "poet", turns: [{ turn: 0, messages: [] }] })),
      "enter",
      told(nameless, "somewhere", conversation),
      "enter",
      "enter",
    ),
    await walked(spelled, ...sizes, "enter enter"),
    await walked(siblings, opening),
    await walked(own, opening),
    await walked(placed, opening),
    // What came before may be what comes again.
    await walked(misled, opening, ["5 s", () => misled.pass(5000)], others, "tab down enter"),
  ]).toMatchSnapshot()
})

test("the fields are picked and typed, and what differs is shown and sent once; Esc keeps it", async () => {
  const screen = await form(begun, conversation, catalog)
  const fields = ["", "up", "up", "down", "tab", "down", "down", "up", "tab 'warm' down enter", "ctrl-u '0.5'"]
  const texts = ["tab 'Very.'", "f1 'zz'", "escape 's'", "tab 'scpno?'"]
  const pasted: readonly Step[] = [["paste", () => screen.paste("tw\u0007o")], "tab", "tab", "shift-tab"]
  const sent = ["enter", "escape", "escape", `${opening} enter`, "enter", "enter"]
  const later: Step = ["5 s", () => screen.pass(5000)]
  expect(await walked(screen, ...fields, ...texts, ...pasted, ...sent, later)).toMatchSnapshot()
  const models = await form(begun, conversation, catalog)
  const typed = ["gpt-5", "openai gpt-5", "b", "5", " m ", " "].map(name => `ctrl-u '${name}' enter`)
  const fewer = told(models, "fewer messages", talk({ turns: [{ ...turns[0], turn: 5 }] }))
  const steps = ["shift-tab", fewer, "tab", "ctrl-u 'zz' up", ...typed.flatMap(step => [step, "escape"])]
  expect(await walked(models, ...steps)).toMatchSnapshot()
  // Only a model that was changed is looked for among the agent's, once it has told them.
  const plain = await form(begun, conversation)
  const known = ["tab 'x' enter", "escape", told(plain, "models", catalog), "ctrl-u 'm' tab '1' enter"]
  expect(await walked(plain, ...known)).toMatchSnapshot()
})

test("the agent's reply closes the form, or stays in it; branches of others are passed over", async () => {
  const screen = await form([...begun, branch("s1")], conversation, catalog)
  const failed = line({ kind: "debug", paused: false, "branch-error": "no key for openai" })
  const folded = ["back to the list, folded", () => screen.press("h", "h")] as const
  const others = [told(screen, "another's", branch("s0")), "enter enter", told(screen, "the same", branch("s0"))]
  const paused = told(screen, "paused", line({ kind: "debug", paused: false }))
  const none = told(screen, "another, no branch", line({ kind: "debug", paused: false, branch: null }))
  const its = told(screen, "its session", start(3, "s2"), event(4, "llm/request", { ...poet, "session-id": "s2" }))
  const again = [told(screen, "it fails", failed), paused, "enter enter", none, "enter enter", "enter"]
  const begins = told(screen, "it starts", branch("s2"))
  expect(await walked(screen, "tab down", ...others, ...again, begins, folded, its)).toMatchSnapshot()
  const long = await form(begun, talk({ turns: Array.from({ length: 40 }, (_, turn) => ({ ...turns[0], turn })) }))
  expect(await walked(long, "down ".repeat(20), ["a click", () => long.click("turn 20")])).toMatchSnapshot()
  const nameless = await form(begun, conversation, catalog)
  expect(await walked(nameless, "enter enter", told(nameless, "it starts", branch(null)))).toMatchSnapshot()
})

test("a re-run is not sent without a connection, and not kept for later; a recording has the command", async () => {
  const screen = await form(begun, conversation, catalog)
  const over = await show({ link: { state: "ended", path: "x.jsonl", incompleteLength: 0 } }, ...begun)
  const at = (path: string): Step => [
    `in ${path}`,
    () => over.store.dispatch({ type: "directory", directory: { path, error: null } }),
  ]
  expect([
    await walked(screen, "enter", ["it is lost", () => screen.link(lost)], "enter", [
      "it is back",
      () => screen.link(live),
    ]),
    await walked(over, opening, "escape", at("/srv/my runs/889d-14f8"), opening, "escape", at("889d"), opening),
  ]).toMatchSnapshot()
})
