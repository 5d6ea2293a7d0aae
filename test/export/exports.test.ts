// Keeps what runs are exported as: a reader of a page, a player of a recording or a store of traces gets exactly this.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { called } from "../cli/called.ts"
import { root } from "../fixtures.ts"

/** A tool's result of 3,200 lines, which no picture needs. */
const COVERAGE = /(?:(?:&gt; |> )?DA:.*\n){3,}/g

test.each([
  ["failing-run --prices failing-run/prices.json --as md"],
  ["failing-run --prices failing-run/prices.json --as html"],
  ["failing-run/transcript.jsonl --as md --where invokeid=coder"],
  ["failing-run/transcript.jsonl --session-dir failing-run --as md --where turn=2"],
  ["frames/tea.jsonl --as md"],
  ["frames/tea.jsonl --as html"],
  ["frames/tea.jsonl --as html --where error"],
  ["frames/tea.jsonl --as jsonl"],
  ["frames/tea.jsonl --as jsonl --no-redact --where text~sk-"],
  ["frames/tea.jsonl --as jsonl --where prompt"],
  ["frames/tea.jsonl --as md --segments xml --where invokeid=cook"],
  ["frames/tea.jsonl --as html --segments xml --where invokeid=cook"],
  ["frames/tea.jsonl --as jsonl --where 'event=llm/delta invokeid=cook or kind=phase'"],
  ["frames/odd.jsonl --as jsonl --where session=multiplex.a.1"],
  ["frames/odd.jsonl --as md"],
  ["frames/prompts.jsonl --as md"],
  ["frames/debugger.jsonl --as html"],
  ["recordings/haiku-tournament.jsonl --as md"],
  ["store/incomplete.jsonl --as jsonl"],
  ["store/reconnect.jsonl --as md"],
  ["cli/cursor.jsonl --as md"],
  ["cli/grok.jsonl --as jsonl"],
])("export %s", async line => {
  const text = await called(`export ${line}`, join(root, "fixtures"))
  const links = text.matchAll(/(?:\]\(| href=")#([^)"]*)/g)
  for (const [, anchor = ""] of links) expect(text).toContain(`id="${anchor}"`)
  expect(text.replace(COVERAGE, lines => `(${lines.split("\n").length - 1} lines of coverage)\n`)).toMatchSnapshot()
})
