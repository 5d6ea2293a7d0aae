// Tests that a re-run sends exactly the changes (docs/contract.md section 3).
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { CatalogFrame, ConversationTurn, Decoded } from "../../../packages/wire/src/frame.ts"
import { freshRerun, type RerunDraft, reruns } from "../../../src/panels/common/open-rerun.ts"
import { rerunPanel } from "../../../src/panels/rerun/index.ts"
import { candidates, meaning, modelOf } from "../../../src/panels/rerun/model-name.ts"
import {
  capturedTurn,
  changesOf,
  foreignWords,
  overridesOf,
  rerunPlace,
  rerunText,
  turnNumbers,
  withText,
} from "../../../src/panels/rerun/rerun-draft.ts"
import { sessionId } from "../../../src/run/model/id.ts"
import type { Run } from "../../../src/run/model/run.ts"
import { EFFECT_MS } from "../../../src/view/pending-ops.ts"
import { changed, emptyView, NOTICE_MS } from "../../../src/view/view.ts"
import { forAll } from "../../for-all.ts"
import { event, groupAt, idAt, line, tell } from "../../run/lines.ts"

const turn: ConversationTurn = {
  turn: 2,
  model: "gpt-4o",
  system: "Be brief.",
  messages: [
    { role: "user", text: "Snow?" },
    { role: "assistant", text: "It\u0007 fell." },
    { role: "user", text: "Again." },
  ],
}

const gemma = { provider: "ollama", model: "gemma3:1b" }
const catalog: CatalogFrame = {
  kind: "model-catalog",
  aliases: [
    { alias: "cheap", targets: [gemma] },
    { alias: "odd", targets: [{ provider: null, model: null }] },
    { alias: "smart", targets: [{ provider: "openai", model: "gpt-4o" }, gemma] },
  ],
  preferences: ["smart", "cheap", "unknown"],
}

const draft = freshRerun(sessionId(0, "a", "s"))
const typed = (edits: readonly (readonly [Parameters<typeof withText>[2], string])[]): RerunDraft =>
  edits.reduce((one, [field, text]) => withText(turn, one, field, text), draft)
const overrides = (...edits: Parameters<typeof typed>[0]) => overridesOf(turn, typed(edits), catalog)

test("turns that the agent doesn't number count from 0", () => {
  const from = { invokeid: null, nodeId: null, visit: null }
  const turns = [turn, { ...turn, turn: null }]
  expect(turnNumbers({ kind: "conversation", ...from, turns })).toEqual([2, 1])
})

describe("the overrides of a re-run", () => {
  test("are what differs: an alias, or a provider and a model, a temperature of 0 or more, and all messages if one was edited", () => {
    const models = [" gpt-4o ", "smart", "openai gpt-4o", "openai gpt 4o", "gpt-5", "meta-llama/Llama-3", " "]
    const figures = ["0", " .7 ", "1.", " ", "warm", "-1", "1e9", "0x1", "NaN", "1,5"]
    const edits: readonly Parameters<typeof typed>[0][] = [
      [],
      [
        ["system", "Be long."],
        ["system", "Be brief."],
        ["temperature", "1"],
        ["temperature", ""],
      ],
      [["system", ""]],
      ...models.map(name => [["model", name] as const]),
      ...figures.map(text => [["temperature", text] as const]),
      [[2, "Once more."]],
    ]
    const rows = edits.map(one => `${JSON.stringify(one)}: ${JSON.stringify(overrides(...one))}`)
    expect(rows.join("\n")).toMatchSnapshot()
    expect(changesOf(turn, typed([["temperature", " "]]))).toEqual([])
    expect(withText(turn, withText(turn, draft, "system", "Be brief."), "turn", "x")).toBe(draft)
  })

  test("have a key for each field that differs and for no other, with the text that is shown (property)", async () => {
    const field = fc.constantFrom("system" as const, 0, 1, 2)
    await forAll([fc.array(fc.tuple(field, fc.string()))], 100, edits => {
      const one = typed(edits)
      const made = overridesOf(turn, one, catalog)
      if (typeof made === "string") throw new Error(made)
      const fields = changesOf(turn, one).map(change => change.field)
      const keys = [fields.includes("system") ? "system" : [], fields.some(Number.isInteger) ? "messages" : []].flat()
      expect(Object.keys(made).sort()).toEqual(keys.sort())
      for (const last of new Map(edits)) expect(rerunText(turn, one, last[0])).toBe(last[1])
    })
  })
})

describe("the captured turn of a session", () => {
  const poet = { invokeid: "poet", "session-id": "p" }
  const ref = "nodes/verse/0/turns/1/request.edn"
  const asks = (text: string, more: object = { "io/ref": ref }) =>
    event(2, "llm/request", { ...poet, ...more, "user-blocks": [{ type: "text", text }] })
  const says = (visit: number | null, ...texts: readonly string[]) => {
    const messages = texts.map(text => ({ role: "user", text }))
    return line({
      kind: "conversation",
      invokeid: "poet",
      "node-id": "verse",
      visit,
      turns: [0, 1, 2].map(n => ({ turn: n, messages })),
    })
  }
  const told = (...lines: readonly Decoded[]) => tell([event(1, "llm/start", poet), ...lines])
  const place = (run: Run) => rerunPlace(run, idAt(run, 0))
  const of = (run: Run, turn: number | null = null) => capturedTurn(run, { ...freshRerun(idAt(run, 0)), turn })

  test("is the one that was picked, else the one that was captured last, else the latest", () => {
    const run = told(asks("Snow?"), says(0, "Snow?"))
    expect([of(run, 0)?.number, of(run)?.number, of(run, 9)?.number]).toEqual([0, 1, 2])
    expect([of(told(says(0))), of(told(asks("Snow?"), says(null, "Snow?")))].map(one => one?.number)).toEqual([2, 1])
    expect(of(told(asks("Snow?"), says(1)))).toBeNull()
    const prose = told(asks("Snow?"), { ...says(0), nodeId: "prose" } as Decoded)
    expect(foreignWords(prose, freshRerun(idAt(prose, 0)), null)).toEndWith("of :verse, visit 0, got prose, visit 0")
    expect([place(told(says(3))), place(told(says(null)))]).toEqual([{ nodeId: "verse", visit: 3 }, null])
  })

  test("may be another's only if none of what the session was asked begins like it or it like that", () => {
    const result = event(3, "llm/tool-result", { ...poet, tool: "look", "content-preview": "Rain" })
    const words = (asked: string, ...texts: readonly string[]) => {
      const run = told(asks(asked), result, says(0, ...texts))
      return foreignWords(run, freshRerun(idAt(run, 0)), of(run)?.turn ?? null)
    }
    const known = [words("Find the cause", "Find"), words("Find…", "Find the cause"), words("Other", "Rain")]
    expect(known).toEqual([null, null, null])
    expect(words("Other", "Find", "")).toContain("may belong to another")
  })
})

test("the agent's word on a branch is for the form that was sent, whose session is unfolded once it is there", () => {
  const start = (invokeid: string, id: string) => event(null, "llm/start", { invokeid, "session-id": id })
  const run = tell([start("a", "x"), start("b", "x")])
  const debug = (more: object) => line({ kind: "debug", paused: false, ...more })
  const branch = (id: string) => ({ branch: { "session-id": id, parent: "s" } })
  const known = tell([debug(branch("x"))])
  const [sent, kept] = [idAt(run, 0), idAt(run, 1)].map(freshRerun) as [RerunDraft, RerunDraft]
  const both = [{ ...sent, sentAt: 5 }, kept]
  const overlays = both.flatMap(({ session }) =>
    (["rerun", "review"] as const).map(type => ({ type, session, top: 0 })),
  )
  const view = changed(emptyView, { ...reruns.put(emptyView, { drafts: both }), overlays })
  const after = (...frames: readonly Decoded[]) => rerunPanel.follow(view, { type: "frames", frames, before: known })
  expect(after(debug(branch("x")), debug({ paused: true }))).toBe(view)
  expect(reruns.of(after(debug({ "branch-error": "no key" }))).drafts).toEqual([{ ...sent, error: "no key" }, kept])
  for (const frames of [[debug(branch("y"))], [debug({ branch: null }), debug(branch("x"))]]) {
    const begun = after(...frames)
    expect(reruns.of(begun).drafts).toEqual([kept])
    expect(begun.notice?.until).toBe(5 + EFFECT_MS + NOTICE_MS)
    expect(begun.overlays.map(one => "session" in one && one.session)).toEqual([kept.session, kept.session])
  }
  const groups = [0, 1].map(index => groupAt(run, index))
  const waits = changed(view, { ...reruns.put(view, { branch: "x" }), list: { folded: groups } })
  const shown = rerunPanel.follow(waits, { type: "shown", run })
  expect(shown.list).toMatchObject({ selected: { type: "session", session: kept.session }, folded: groups.slice(0, 1) })
  expect(reruns.of(shown).branch).toBeNull()
})

describe("the models to pick from", () => {
  test("are the aliases in the order of the preferences, then the other aliases, then their targets, each once", () => {
    expect(candidates(catalog)).toEqual(["smart", "cheap", "odd", "openai gpt-4o", "ollama gemma3:1b"])
    expect(candidates({ ...catalog, preferences: null }).slice(0, 3)).toEqual(["cheap", "odd", "smart"])
    expect(candidates(null)).toEqual([])
    const solo = [{ provider: null, model: "solo" }]
    const bare = ["", "x"].map(alias => ({ alias, targets: alias === "" ? [{ provider: "p", model: "m" }] : solo }))
    const none = { alias: "none", targets: [] }
    expect(candidates({ ...catalog, aliases: [...bare, none], preferences: null })).toEqual(["x", "none", "solo"])
  })

  test("are sent as the alias, or the provider and model, that they show; a hostile name is known as it is shown", () => {
    const twice = { ...catalog, aliases: ["a\u001b", "a␛"].map((alias, i) => ({ alias, targets: [gemma].slice(i) })) }
    expect([meaning(twice, "a␛"), modelOf("a␛", twice)]).toEqual(["ollama gemma3:1b", { alias: "a\u001b" }])
    expect(candidates(catalog).map(name => modelOf(name, catalog))).toEqual([
      { alias: "smart" },
      { alias: "cheap" },
      { alias: "odd" },
      { provider: "openai", model: "gpt-4o" },
      { provider: "ollama", model: "gemma3:1b" },
    ])
  })
})
