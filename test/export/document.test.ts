// Tests that a document is the same whether memory or a file holds the texts of its run.
import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { documentOf } from "../../src/export/document.ts"
import { markdown } from "../../src/export/markdown.ts"
import { clipped } from "../../src/export/section.ts"
import { fold } from "../../src/run/fold.ts"
import { allPacked } from "../../src/run/memory/pack-rows.ts"
import type { Recalled } from "../../src/run/memory/recalled-frames.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { type RunTexts, textsInMemory } from "../../src/run/select/run-texts.ts"
import { WholeRun } from "../../src/timeline/whole-run.ts"
import { fixture, readFrames } from "../fixtures.ts"
import { delta, event, tell } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

const cook = { invokeid: "cook", "session-id": "c1" }
const OPTIONS = { title: "tea_1", session: null, where: null, redactor: null, read: null, recall: null }

async function written(texts: RunTexts): Promise<string> {
  return (await Array.fromAsync(markdown(documentOf(texts, OPTIONS)))).join("")
}

test("an error leads to its turn, though the turn before it has nothing to show", () => {
  const run = tell([event(0, "llm/start", cook), event(1, "llm/start", cook), event(2, "llm/error", cook)])
  expect(documentOf(textsInMemory(run), OPTIONS).facts).toContainEqual(
    expect.objectContaining({ name: "First error", link: "session-1-turn-2" }),
  )
})

test("a row leads to its session where its turn has nothing to show, and what is streamed ends the turn it is in", () => {
  const said = (seq: number) => event(seq, "llm/response", { ...cook, content: [{ type: "text", text: "a" }] })
  const start = (seq: number) => event(seq, "llm/start", cook)
  const run = tell([start(0), said(1), start(2), said(3), start(4), event(5, "llm/retry", cook)])
  const { log } = documentOf(textsInMemory(run), OPTIONS)
  expect([...log.pieces()].flat().flatMap(({ link }) => link ?? [])).toEqual(["session-1"])
  const asked = event(6, "llm/request", { ...cook, "user-blocks": [{ type: "text", text: "Go on." }] })
  const { sessions } = documentOf(textsInMemory(tell([asked, delta(7, "b", cook)], run)), OPTIONS)
  expect([...(sessions[0]?.turns() ?? [])].map(({ turn }) => turn)).toEqual([1, 2, 3])
})

test("rows whose frames have left memory are read back for the first error and for the log", () => {
  const message = `no gas ${"x".repeat(300)}`
  const lines = [
    event(0, "llm/start", cook),
    ...Array.from({ length: 70 }, (_, i) => event(i + 1, "llm/error", { ...cook, message })),
  ]
  const run = tell(lines)
  const texts = textsInMemory({ ...run, log: { ...run.log, rows: allPacked(run.log.rows, run) } })
  const recall = (all: readonly number[]): Recalled =>
    new Map(all.map(at => [at, lines[at]?.kind === "event" ? lines[at] : null]))
  const { facts, log } = documentOf(texts, { ...OPTIONS, recall })
  expect(facts.find(({ name }) => name === "First error")?.value).toMatch(/^(?=.{300}$).*no gas x+…$/)
  const told = [...log.pieces()].flat().map(({ text }) => text.includes(message))
  expect(told).toEqual([false, ...Array(70).fill(true)])
})

test("a text is clipped to so many characters, the sign of it included, as what was asked first", () => {
  const ask = (seq: number, text: string) =>
    event(seq, "llm/request", { ...cook, "user-blocks": [{ type: "text", text }] })
  const asked = documentOf(textsInMemory(tell([ask(0, "a".repeat(301)), ask(1, "b")])), OPTIONS)
  expect(asked.facts).toContainEqual({ name: "Asked", value: `${"a".repeat(299)}…` })
  expect(["abc", "abcd", "ab🚢d"].map(text => clipped(text, 3))).toEqual(["abc", "ab…", "ab…"])
})

test("a run without times says nothing of when it was", () => {
  const run = tell([event(1, "app/note", {}, null)])
  const { facts, waterfall } = documentOf(textsInMemory(run), OPTIONS)
  expect([facts.map(({ name }) => name), waterfall]).toEqual([["Status", "Sessions", "Turns", "Tokens out"], null])
})

test("a picked part of a run names what it was picked by, lacks the rows of gaps, and is not called running", () => {
  const texts = textsInMemory(tell([event(1, "app/note"), event(3, "app/note")]))
  const [whole, picked] = [null, "tool"].map(where => documentOf(texts, { ...OPTIONS, where }))
  expect([whole?.log.rows, whole?.waterfall, picked?.log.rows]).toEqual([3, null, 2])
  expect(whole?.facts.slice(0, 2).map(({ value }) => value)).toEqual(["running", expect.stringContaining("UTC")])
  expect(picked?.facts.slice(0, 2)).toMatchObject([
    { name: "Status", value: "unknown: its end may be left out" },
    { name: "Only frames that match", value: "tool" },
  ])
  expect(documentOf(texts, { ...OPTIONS, session: 9 })).toMatchObject({ title: "(no such session)", facts: [] })
  const own = documentOf(textsInMemory(tell([event(1, "llm/start", cook)])), { ...OPTIONS, session: 0 })
  expect(own).toMatchObject({ title: "cook", waterfall: null, ledger: [], questions: [], log: { rows: 0 } })
})

test("a page is the same wherever the texts of its run are", async () => {
  for (const name of ["tea", "odd", "demo"]) {
    using whole = new WholeRun({}, scratch, 0)
    const lines = await readFrames(fixture(name))
    for (const one of lines) whole.add([one])
    expect(await written(whole)).toBe(await written(textsInMemory(fold(emptyRun, lines))))
  }
  expect(readdirSync(scratch)).toEqual([])
})
