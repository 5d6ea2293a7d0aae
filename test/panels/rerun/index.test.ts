// Tests the form of a re-run: what it requests, keeps and sends (docs/contract.md section 3).
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { reruns } from "../../../src/panels/common/open-rerun.ts"
import { features } from "../../../src/panels/plan.ts"
import type { Effect } from "../../../src/view/effect.ts"
import type { Intent, RerunField } from "../../../src/view/intent.ts"
import { createStore } from "../../../src/view/store.ts"
import { event, idAt, line } from "../../run/lines.ts"

const url = "ws://127.0.0.1:1/ws"
const open: Link = { state: "open", url, since: 0 }
const lost: Link = { state: "lost", url, since: 0, retryAt: 9, why: "closed", everOpen: true }
const poet = { invokeid: "poet", "session-id": ":session/p" }
const begun = [
  line({ kind: "debug", paused: false }),
  event(1, "llm/start", { ...poet, model: "m" }),
  event(2, "llm/request", { ...poet, "io/ref": "nodes/:verse/1/turns/1/request.edn" }),
]
const conversation = line({
  kind: "conversation",
  invokeid: "poet",
  "node-id": ":verse",
  visit: 1,
  turns: [
    { turn: 0, model: "m", system: "Be brief.", messages: [{ role: "user", text: "Snow?" }] },
    {
      turn: 1,
      model: "m",
      system: "Be brief.",
      messages: [
        { role: "user", text: "Snow?" },
        { role: "assistant", text: "It fell." },
      ],
    },
  ],
})
const catalog = line({
  kind: "model-catalog",
  aliases: [
    { alias: "a", targets: [] },
    { alias: "b", targets: [] },
  ],
})
const branch = (id: string) =>
  line({ kind: "debug", paused: false, mode: "branch-running", branch: { "session-id": id, parent: ":session/p" } })

function start(lines: readonly Decoded[] = [...begun, conversation, catalog]) {
  const store = createStore({ ...features, link: open })
  store.dispatch({ type: "frames", frames: lines })
  let now = 10_000
  const effects: Effect[] = []
  const it = {
    store,
    ask(intent: Intent) {
      effects.push(...store.ask(intent, { now, page: 10, lines: 0 }))
      return it
    },
    type: (field: RerunField, text: string) =>
      it.ask({ type: "rerun/text", session: idAt(store.get().run, 0), field, text }),
    tell(...more: Decoded[]) {
      store.dispatch({ type: "frames", frames: more })
      return it
    },
    pass(ms: number) {
      now += ms
      store.dispatch({ type: "tick", now })
      return it
    },
    open: () =>
      it
        .ask({ type: "menu/open" })
        .ask({ type: "cursor/move", by: { unit: "last" } })
        .ask({ type: "menu/choose" }),
    send: () => it.ask({ type: "rerun/review" }).ask({ type: "rerun/send" }),
    sent: () => effects.flatMap(effect => (effect.type === "agent/send" ? [effect.command] : [])),
    draft: () => reruns.of(store.get().view).drafts[0],
    front: () => store.get().view.overlays.at(-1)?.type ?? null,
    notice: () => store.get().view.notice?.text ?? null,
    pending: () => store.get().view.control.ops.map(({ op }) => op),
  }
  return it
}

describe("the form of a re-run", () => {
  test("asks for the conversation at the session's place, and for the catalog; both wait for their frames", () => {
    const it = start(begun).open()
    expect(it.front()).toBe("rerun")
    expect(it.sent()).toEqual([
      { type: "request-conversation", invokeid: "poet", nodeId: ":verse", visit: 1 },
      { type: "request-model-catalog" },
    ])
    expect(it.pending()).toEqual(["request-conversation", "request-model-catalog"])
    expect(it.tell(conversation).pending()).toEqual(["request-model-catalog"])
    it.pass(5000)
    expect(it.pending()).toEqual([])
    expect(it.notice()).toBe("load the models: no effect within 5s")
  })

  test("sends a node's id as the request told it, not its folder's", () => {
    const told = { ...poet, "node-id": ":verse/a", visit: 2, "io/ref": "nodes/verse_a/2/turns/0/request.edn" }
    const reply = { ...poet, "io/ref": "nodes/verse_a/2/turns/0/response.edn" }
    const it = start([...begun.slice(0, 2), event(2, "llm/request", told), event(3, "llm/response", reply)]).open()
    expect(it.sent()[0]).toEqual({ type: "request-conversation", invokeid: "poet", nodeId: ":verse/a", visit: 2 })
    it.tell(
      line({ kind: "conversation", invokeid: "poet", "node-id": ":verse/a", visit: 2, turns: [{ turn: 0 }] }),
      catalog,
    ).send()
    expect(it.sent().at(-1)).toMatchObject({ type: "rerun-from", nodeId: ":verse/a", visit: 2, turn: 0 })
  })

  test("says that the agent found no captured turns where it looked", () => {
    const it = start(begun).open()
    it.tell(line({ kind: "conversation", invokeid: "poet", "node-id": ":verse", visit: 1, turns: [] })).send()
    expect(it.notice()).toBe("Can't re-run yet: The agent found no captured turns under :verse, visit 1")
    expect(it.sent()).toHaveLength(2)
  })

  test("ignores the conversation of another visit", () => {
    const other = line({ kind: "conversation", invokeid: "poet", "node-id": ":verse", visit: 0, turns: [{ turn: 1 }] })
    const it = start([...begun, other])
      .open()
      .ask({ type: "rerun/review" })
    expect(it.front()).toBe("rerun")
    expect(it.notice()).toBe("Can't re-run yet: Expected the conversation of :verse, visit 1, got :verse, visit 0")
  })

  test("sends only what was changed, from the review, once", () => {
    const it = start().open().type("temperature", "0.5").type(1, "It melted.").ask({ type: "rerun/send" })
    expect(it.sent()).toHaveLength(2)
    it.ask({ type: "rerun/review" })
    expect(it.front()).toBe("review")
    it.ask({ type: "rerun/send" })
    expect(it.front()).toBe("rerun")
    expect(it.sent().slice(2)).toEqual([
      {
        type: "rerun-from",
        sessionId: ":session/p",
        invokeid: "poet",
        nodeId: ":verse",
        visit: 1,
        turn: 1,
        overrides: {
          temperature: 0.5,
          messages: [
            { role: "user", text: "Snow?" },
            { role: "assistant", text: "It melted." },
          ],
        },
      },
    ])
    expect(it.pending()).toContain("rerun-from")
    it.send()
    expect(it.sent()).toHaveLength(3)
    expect(it.notice()).toBe("Can't re-run yet: a re-run is already starting")
  })

  test("names an invalid field, and sends nothing", () => {
    const it = start().open().type("temperature", "warm").send()
    expect(it.notice()).toBe("Can't re-run yet: the temperature must be 0 or more")
    expect(it.sent()).toHaveLength(2)
  })

  test("starts at the latest turn, and picks another turn or a model by arrows", () => {
    const it = start().open().ask({ type: "rerun/pick", step: -1 }).send()
    expect(it.sent().at(-1)).toMatchObject({ turn: 0, overrides: {} })
    const model = start().open().ask({ type: "rerun/field", step: 1 }).ask({ type: "rerun/pick", step: 1 })
    expect(model.draft()?.model).toBe("a")
    expect(model.ask({ type: "rerun/pick", step: -1 }).draft()?.model).toBe("b")
    expect(model.send().sent().at(-1)).toMatchObject({ overrides: { alias: "b" } })
  })

  test("cycles through its fields, messages last", () => {
    const it = start().open()
    const fields = Array.from({ length: 6 }, () => it.ask({ type: "rerun/field", step: 1 }).draft()?.field)
    expect(fields).toEqual(["model", "temperature", "system", 0, 1, "turn"])
    expect(it.ask({ type: "rerun/field", step: -1 }).draft()?.field).toBe(1)
  })

  test("keeps its edits through Esc, in the review and in the form", () => {
    const it = start().open().type("system", "Be long.").ask({ type: "rerun/review" }).ask({ type: "front/close" })
    expect(it.front()).toBe("rerun")
    it.ask({ type: "front/close" })
    expect(it.front()).toBeNull()
    expect(it.open().draft()?.system).toBe("Be long.")
  })

  test("ignores other branches: one already running, or one that it did not ask for", () => {
    const it = start().tell(branch("s1")).open().type("system", "x").tell(branch("s0"))
    expect(it.front()).toBe("rerun")
    it.send().tell(branch("s0"))
    expect(it.front()).toBe("rerun")
    expect(it.tell(branch("s2")).front()).toBeNull()
  })

  test("has a notice after 5 s without a reply, and still closes when the branch starts late", () => {
    const it = start().open().send().pass(5000)
    expect(it.notice()).toContain("re-run: no effect within 5s")
    expect(it.tell(branch("s2")).front()).toBeNull()
  })

  test("is not sent without a connection, and not kept for later", () => {
    const it = start().open().ask({ type: "rerun/review" })
    it.store.dispatch({ type: "link", link: lost, now: 0 })
    it.ask({ type: "rerun/send" })
    expect(it.notice()).toBe("Can't re-run: the agent is disconnected")
    it.store.dispatch({ type: "link", link: open, now: 0 })
    expect(it.ask({ type: "prompt/resend" }).sent()).toHaveLength(2)
  })

  test("asks for the turns of a session whose events name no capture, and re-runs them where the agent says", () => {
    const it = start(begun.slice(0, 2)).open()
    expect(it.sent()[0]).toEqual({ type: "request-conversation", invokeid: "poet" })
    it.send()
    expect(it.notice()).toBe("Can't re-run yet: the conversation is still loading")
    expect(it.sent()).toHaveLength(2)
    it.tell(conversation).type("system", "Be long.").send()
    expect(it.sent().at(-1)).toMatchObject({ sessionId: ":session/p", nodeId: ":verse", visit: 1, turn: 1 })
  })

  test("is unavailable if other sessions could be meant, but not because of its own branch", () => {
    const branched = [branch("s2"), event(3, "llm/start", { ...poet, "session-id": "s2" })]
    const original = start([...begun.slice(0, 2), ...branched])
    const selected = { type: "session", session: idAt(original.store.get().run, 0) } as const
    original.store.dispatch({ type: "view", change: { list: { selected } } })
    expect(original.open().front()).toBe("rerun")
    const it = start([...begun.slice(0, 2), event(3, "llm/start", { ...poet, "session-id": "s3" })]).open()
    expect(it.front()).toBe("menu")
    expect(it.notice()).toBe("Re-run from here…: its events name no capture, and other sessions have its name")
    expect(it.sent()).toEqual([])
  })

  test("of a recorded turn is refused with the command that starts the agent for it", () => {
    const it = start()
    it.store.dispatch({ type: "link", link: { state: "ended", path: "x.jsonl", incompleteLength: 0 }, now: 0 })
    it.store.dispatch({ type: "directory", directory: { path: "/srv/my runs/889d-14f8", error: null } })
    expect(it.open().notice()).toEndWith(
      "to get one: escapement run CHART --work-dir '/srv/my runs' --session 889d-14f8 --resume --debug",
    )
    expect(it.sent()).toEqual([])
  })
})
