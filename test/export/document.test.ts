// Tests that a document is the same whether memory or a file holds the texts of its run.
import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import type { Captured } from "../../packages/wire/src/capture.ts"
import { documentOf } from "../../src/export/document.ts"
import { markdown } from "../../src/export/markdown.ts"
import { facts } from "../../src/export/section.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { type RunTexts, textsInMemory } from "../../src/run/select/run-texts.ts"
import { WholeRun } from "../../src/timeline/whole-run.ts"
import { delta, event, line, tell } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

const cook = { invokeid: "cook", "session-id": "c1" }
const maid = { invokeid: "maid", "session-id": "m1" }
const asked = (text: string) => ({ "user-blocks": [{ type: "text", text }] })
const replied = (text: string, ...calls: readonly object[]) => ({ content: [{ type: "text", text }, ...calls] })
const CALL = { type: "tool_use", name: "pour_it", input: { a: 1 } }

/** One line a second. */
const told = (seq: number, name: string, data: object) => event(seq, name, data, 1000 * seq)
const streamed = (seq: number, text: string, ids: typeof cook) => delta(seq, text, { ...ids, ts: 1000 * seq })

/** Two sessions that take turns, a retry within a turn, a captured result, an error that is told twice. */
const LINES = [
  told(0, "runner/started", { "chart-id": "tea" }),
  told(1, "llm/start", { ...cook, model: "m_1" }),
  told(2, "llm/start", maid),
  told(3, "llm/request", { ...cook, ...asked("Boil.\nTwice.\n\nThen rest.") }),
  told(4, "llm/request", { ...maid, ...asked("Sweep.") }),
  streamed(5, "Half a", cook),
  told(6, "llm/retry", { ...cook, attempt: 1, "max-retries": 3, category: "overloaded" }),
  streamed(7, "The kettle", cook),
  told(8, "llm/tool-result", { ...maid, tool: "broom", preview: "dust…", "io/ref": "broom.edn" }),
  told(9, "llm/response", { ...cook, ...replied("The kettle sings.", CALL) }),
  told(10, "llm/start", { ...cook, model: "m_1" }),
  told(11, "llm/response", { ...maid, ...replied("Swept.") }),
  told(12, "llm/start", maid),
  told(13, "llm/request", { ...cook, ...asked("Pour.") }),
  streamed(14, "I fell", maid),
  told(15, "llm/error", { ...maid, message: "reset by peer" }),
  told(16, "llm/model-down", { ...maid, message: "reset by peer" }),
  streamed(17, "Slowly", cook),
  line({
    kind: "prompt",
    "prompt-id": "p",
    invokeid: "desk",
    type: "select",
    opts: { prompt: "Go on?", options: ["Yes", "No *way*"] },
  }),
  line({ kind: "answer", "prompt-id": "p", value: "Yes" }),
]

const DOCUMENT = `# tea\\_1

- Status: running
- Asked: Boil. Twice. Then rest.
- Started: 1970-01-01 00:00:00 UTC
- Took: 17s
- Chart: tea
- Sessions: 2, 1 failed
- Turns: 4
- Tokens out: 4
- Waited for: models 21s
- Errors: 2
- Questions: [1](#questions)
- First error: [maid  model error  reset by peer](#session-2-turn-2)

## Ledger

**By state**

|  | out | requests | retries | first tok | models |
| --- | ---: | ---: | ---: | ---: | ---: |
| \\(no state\\) | 4 | 4 | 1 | 4.3s | 21s |
| **run** | **4** | **4** | **1** | **4.3s** | **21s** |

**By model**

|  | out | requests | retries | first tok | models |
| --- | ---: | ---: | ---: | ---: | ---: |
| m\\_1 | 3 | 2 | 1 | 5.5s | 8.0s |
| \\(no model\\) | 1 | 2 |  | 2.0s | 13s |
| **run** | **4** | **4** | **1** | **4.3s** | **21s** |

## Sessions

- [cook](#session-1)
- [maid](#session-2)

<a id="session-1"></a>

## cook

- Session: c1
- Status: streaming
- Model: m\\_1
- Turns: 2
- Tokens out: 3
- Waited for: models 8.0s
- First token in the last turn after: 7.0s

<a id="session-1-turn-1"></a>

### Turn 1 · m\\_1 · 9.0s · 2 out

**User**

> Boil.  
> Twice.
>
> Then rest.

**Assistant**

> The kettle sings.

**Tool call: pour\\_it**

\`\`\`text
a: 1
\`\`\`

<a id="session-1-turn-2"></a>

### Turn 2 · m\\_1 · 7.0s · 1 out

**User**

> Pour.

**Assistant**

> Slowly

<a id="session-2"></a>

## maid

- Session: m1
- Status: error
- Reason: reset by peer
- Turns: 2
- Tokens out: 1
- Waited for: models 13s
- First token in the last turn after: 2.0s

<a id="session-2-turn-1"></a>

### Turn 1 · 9.0s

**User**

> Sweep.

**Tool result: broom**

\`\`\`\`text
dust, \`\`\`crumbs\`\`\` and a spoon
\`\`\`\`

**Assistant**

> Swept.

<a id="session-2-turn-2"></a>

### Turn 2 · 3.0s · 1 out

**Assistant**

> I fell

**Error**

\`\`\`text
reset by peer
\`\`\`

<a id="questions"></a>

## Questions

**desk**

> Go on?

- Yes
- No \\*way\\*

Answer:

> Yes
`

const RESULT: Captured = { capture: { type: "result", text: "dust, ```crumbs``` and a spoon", isError: false } }

const OPTIONS = { title: "tea_1", session: null, picked: false, redactor: null, read: null, recall: null }

async function written(texts: RunTexts): Promise<string> {
  const read = async (): Promise<Captured> => RESULT
  const document = documentOf(texts, { ...OPTIONS, read })
  const [page = ""] = (await Array.fromAsync(markdown(document))).join("").split("\n## Log")
  return page
}

test("an error leads to its turn, though the turn before it has nothing to show", () => {
  const run = tell([event(0, "llm/start", cook), event(1, "llm/start", cook), event(2, "llm/error", cook)])
  expect(documentOf(textsInMemory(run), OPTIONS).facts).toContainEqual(
    expect.objectContaining({ name: "First error", link: "session-1-turn-2" }),
  )
})

test("a picked part of a log has no row for what was left out of it", () => {
  const texts = textsInMemory(tell([event(1, "app/note"), event(3, "app/note")]))
  expect([false, true].map(picked => documentOf(texts, { ...OPTIONS, picked }).log.rows)).toEqual([3, 2])
})

test("facts without a value are left out", () => {
  expect(
    facts([
      ["Chart", ""],
      ["Cost", null],
      ["Turns", "1"],
    ]),
  ).toEqual([{ name: "Turns", value: "1" }])
})

test("sessions that took turns are written one after the other, wherever their texts are", async () => {
  using whole = new WholeRun({}, scratch, 0)
  for (const one of LINES) whole.add([one])
  expect(await written(whole)).toBe(DOCUMENT)
  expect(await written(textsInMemory(fold(emptyRun, LINES)))).toBe(DOCUMENT)
  expect(readdirSync(scratch)).toEqual([])
})
