// Tests that a re-run sends exactly the changes (docs/contract.md section 3).
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { CatalogFrame, ConversationTurn } from "../../../packages/wire/src/frame.ts"
import { freshRerun, type RerunDraft } from "../../../src/panels/common/open-rerun.ts"
import { candidates, modelOf } from "../../../src/panels/rerun/model-name.ts"
import { changesOf, overridesOf, rerunText, turnNumbers, withText } from "../../../src/panels/rerun/rerun-draft.ts"
import { sessionId } from "../../../src/run/model/id.ts"
import { forAll } from "../../for-all.ts"

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

const catalog: CatalogFrame = {
  kind: "model-catalog",
  aliases: [
    { alias: "cheap", targets: [{ provider: "ollama", model: "gemma3:1b" }] },
    { alias: "odd", targets: [{ provider: null, model: null }] },
    {
      alias: "smart",
      targets: [
        { provider: "openai", model: "gpt-4o" },
        { provider: "ollama", model: "gemma3:1b" },
      ],
    },
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
  test("are empty if nothing was changed, or was changed back, but not where the system prompt was emptied", () => {
    expect(overrides()).toEqual({})
    expect(
      overrides(["system", "Be long."], ["system", "Be brief."], ["temperature", "1"], ["temperature", ""]),
    ).toEqual({})
    expect(overrides(["model", " gpt-4o "])).toEqual({})
    expect(overrides(["system", ""])).toEqual({ system: "" })
  })

  test("name an alias, or a provider and a model, or a model, and never an alias beside them", () => {
    expect(overrides(["model", "smart"])).toEqual({ alias: "smart" })
    expect(overrides(["model", "openai gpt-4o"])).toEqual({ provider: "openai", model: "gpt-4o" })
    expect(overrides(["model", "gpt-5"])).toEqual({ model: "gpt-5" })
    expect(overrides(["model", "meta-llama/Llama-3"])).toEqual({ model: "meta-llama/Llama-3" })
    expect(overrides(["model", " "])).toBe("type a model name")
  })

  test("hold the temperature as a number", () => {
    expect(overrides(["temperature", "0"])).toEqual({ temperature: 0 })
    expect(overrides(["temperature", " .7 "])).toEqual({ temperature: 0.7 })
    expect(overrides(["temperature", "1."])).toEqual({ temperature: 1 })
    for (const text of ["warm", "-1", "1e9", "0x1", "NaN", "1,5"]) {
      expect(overrides(["temperature", text])).toBe("the temperature must be 0 or more")
    }
  })

  test("hold all messages if one was edited, the others as captured, control characters included", () => {
    expect(overrides([2, "Once more."])).toEqual({
      messages: [
        { role: "user", text: "Snow?" },
        { role: "assistant", text: "It\u0007 fell." },
        { role: "user", text: "Once more." },
      ],
    })
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

describe("the models to pick from", () => {
  test("are the aliases in the order of the preferences, then the other aliases, then their targets, each once", () => {
    expect(candidates(catalog)).toEqual(["smart", "cheap", "odd", "openai gpt-4o", "ollama gemma3:1b"])
    expect(candidates({ ...catalog, preferences: null }).slice(0, 3)).toEqual(["cheap", "odd", "smart"])
    expect(candidates(null)).toEqual([])
  })

  test("are sent as the alias, or the provider and model, that they show", () => {
    expect(candidates(catalog).map(name => modelOf(name, catalog))).toEqual([
      { alias: "smart" },
      { alias: "cheap" },
      { alias: "odd" },
      { provider: "openai", model: "gpt-4o" },
      { provider: "ollama", model: "gemma3:1b" },
    ])
  })
})
