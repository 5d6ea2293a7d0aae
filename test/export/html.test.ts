// HTML that shows hostile texts as texts, and needs nothing but itself.
import { expect, test } from "bun:test"
import { documentOf } from "../../src/export/document.ts"
import { escaped, html } from "../../src/export/html.ts"
import { Redactor } from "../../src/export/redact.ts"
import { decode } from "../../src/protocol/decode.ts"
import { fold } from "../../src/store/fold.ts"
import { emptyRun, type Run } from "../../src/store/run.ts"

const HOSTILE = `</pre></style><script>alert("x")</script><img src=x onerror='y'>&amp;\u001b[2J\u009b\u202e`

function hostileRun(): Run {
  const ids = { invokeid: HOSTILE, "session-id": HOSTILE }
  const rows = [
    { event: "runner/started", data: { "chart-id": HOSTILE } },
    { event: "llm/start", data: { ...ids, model: HOSTILE } },
    {
      event: "llm/request",
      data: { ...ids, "system-preview": HOSTILE, "user-blocks": [{ type: "text", text: HOSTILE }] },
    },
    {
      event: "llm/response",
      data: {
        ...ids,
        content: [
          { type: "thinking", thinking: HOSTILE },
          { type: "text", text: `${HOSTILE} key sk-0123456789abcdefgh` },
          { type: "tool_use", name: HOSTILE, input: { path: HOSTILE } },
        ],
        "stop-reason": HOSTILE,
      },
    },
    { event: "llm/tool-result", data: { ...ids, tool: HOSTILE, "content-preview": HOSTILE } },
    { event: "llm/error", data: { ...ids, message: HOSTILE } },
    { event: HOSTILE, data: { a: HOSTILE } },
  ].map((row, seq) => JSON.stringify({ kind: "event", seq, ts: 1000 + seq, ...row }))
  const prompt = { kind: "prompt", "prompt-id": HOSTILE, invokeid: HOSTILE, type: "select" }
  const opts = { prompt: HOSTILE, options: [{ label: HOSTILE, value: HOSTILE }] }
  const answer = { kind: "answer", "prompt-id": HOSTILE, value: HOSTILE }
  return fold(emptyRun, [...rows, JSON.stringify({ ...prompt, opts }), JSON.stringify(answer)].map(decode))
}

test("every text of a hostile run is only text", async () => {
  const redactor = new Redactor()
  const page = [...html(documentOf(hostileRun(), { title: HOSTILE, session: null, picked: false, redactor }))].join("")
  expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/)
  const tags = new Set<string>()
  let shown = ""
  const reader = new HTMLRewriter().on("*", {
    element(one) {
      tags.add(one.tagName)
      for (const [name, value] of one.attributes) {
        if (!["class", "charset", "content", "name", "http-equiv", "lang", "id"].includes(name))
          shown += `${name}=${value}`
      }
    },
  })
  await reader.transform(new Response(page)).text()
  expect([...tags].sort()).toEqual(
    "body dd details div dl dt h1 h2 head html li meta p pre section style summary table td title tr ul".split(" "),
  )
  expect(shown).toBe("")
  expect(page).toContain(`<h1>${escaped(HOSTILE.replace("\u001b", "␛").replace("\u009b\u202e", "\ufffd\ufffd"))}</h1>`)
  expect(page).toContain("key [redacted API key]")
  expect(redactor.words()).toBe("redacted 1 likely secret: 1 API key")
})

test("nothing in the page asks the network for anything, and nothing in it can run", async () => {
  const page = [...html(documentOf(hostileRun(), { title: "x", session: 0, picked: false, redactor: null }))].join("")
  expect(page).toStartWith("<!doctype html>\n")
  expect(page).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
  )
  expect(page).not.toMatch(/url\(|@import|<[^>]*\s(?:href|src|on\w+)=|<link|<script/)
})
