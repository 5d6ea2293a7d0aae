// Tests that an HTML export shows hostile text as text and depends on nothing outside.
import { expect, test } from "bun:test"
import { type DocumentOptions, documentOf } from "../../src/export/document.ts"
import { html } from "../../src/export/html.ts"
import { Redactor } from "../../src/export/redact.ts"
import { escaped } from "../../src/export/waterfall-figure.ts"
import type { Run } from "../../src/run/model/run.ts"
import { textsInMemory } from "../../src/run/select/run-texts.ts"
import { event, line, tell } from "../run/lines.ts"

const KEY = "sk-0123456789abcdefgh"
const HOSTILE = `</pre></style><script>alert("x")</script><img src=x onerror='y'>&amp;\u001b[2J\u009b\u202e ${KEY}`

/** Attributes of the waterfall that hold numbers. */
const PICTURE = "viewbox x y x1 x2 y1 y2 width height d".split(" ")

async function pageOf(run: Run, options: Omit<DocumentOptions, "read" | "recall">): Promise<string> {
  return (await Array.fromAsync(html(documentOf(textsInMemory(run), { ...options, read: null, recall: null })))).join(
    "",
  )
}

function hostileRun(): Run {
  const ids = { invokeid: HOSTILE, "session-id": HOSTILE }
  const content = [
    { type: "thinking", thinking: HOSTILE },
    { type: "text", text: HOSTILE },
    { type: "tool_use", name: HOSTILE, input: { path: HOSTILE } },
  ]
  const rows = [
    ["runner/started", { "chart-id": HOSTILE }] as const,
    ["llm/start", { ...ids, model: HOSTILE }] as const,
    ["llm/request", { ...ids, "system-preview": HOSTILE, "user-blocks": [{ type: "text", text: HOSTILE }] }] as const,
    ["llm/response", { ...ids, content, "stop-reason": HOSTILE }] as const,
    ["llm/tool-result", { ...ids, tool: HOSTILE, "content-preview": HOSTILE }] as const,
    ["llm/error", { ...ids, message: HOSTILE }] as const,
    [HOSTILE, { a: HOSTILE }] as const,
  ].map(([name, data], seq) => event(seq, name, data, 1000 + seq))
  const prompt = { kind: "prompt", "prompt-id": HOSTILE, invokeid: HOSTILE, type: "select" }
  const opts = { prompt: HOSTILE, options: [{ label: HOSTILE, value: HOSTILE }] }
  return tell([...rows, line({ ...prompt, opts }), line({ kind: "answer", "prompt-id": HOSTILE, value: HOSTILE })])
}

test("an HTML export of a hostile run has its texts only as text", async () => {
  const redactor = new Redactor()
  const page = await pageOf(hostileRun(), { title: HOSTILE, session: null, where: null, redactor })
  expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/)
  const tags = new Set<string>()
  let shown = ""
  const reader = new HTMLRewriter().on("*", {
    element(one) {
      tags.add(one.tagName)
      for (const [name, value] of one.attributes) {
        if (["class", "charset", "content", "name", "http-equiv", "lang", "id", "role"].includes(name)) continue
        if (name === "href" && /^#[a-z0-9-]+$/.test(value)) continue
        if (name === "style" && /^height: \d+px$/.test(value)) continue
        if (["preserveaspectratio none", "aria-hidden true"].includes(`${name} ${value}`)) continue
        if (name === "aria-labelledby" || (PICTURE.includes(name) && /^[-\d. ML]+$/.test(value))) continue
        shown += `${name}=${value}`
      }
    },
  })
  await reader.transform(new Response(page)).text()
  expect([...tags].sort()).toEqual(
    (
      "a body caption dd details div dl dt g h1 h2 head html li line meta p path pre rect section style summary svg table td " +
      "text th title tr ul use"
    ).split(" "),
  )
  expect(shown).toBe("")
  const cleaned = HOSTILE.replace("\u001b", "␛")
    .replace("\u009b\u202e", "\ufffd\ufffd")
    .replace(KEY, "[redacted API key]")
  expect(page).toContain(`<h1>${escaped(cleaned)}</h1>`)
  expect(page).not.toContain(KEY)
  expect(redactor.words()).toBe("redacted 1 likely secret: 1 API key")
})

test("an HTML export requests nothing and runs nothing", async () => {
  const page = await pageOf(hostileRun(), { title: "x", session: 0, where: null, redactor: null })
  expect(page).toStartWith("<!doctype html>\n")
  expect(page).not.toContain("<h2>Log")
  expect(page).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
  )
  expect(page).not.toMatch(/url\(|@import|<[^>]*\s(?:href|src|on\w+)=|<link|<script/)
})

test("an HTML export of a hostile run has a well-formed waterfall, also usable alone", async () => {
  const hostile = `</svg><script>"&'\u0000\ufffe\ud800]]>`
  const run = tell([
    event(1, "llm/start", { invokeid: hostile, "session-id": hostile }, 0),
    event(2, "runner/event-processed", { entered: [hostile], "config-after": [hostile] }, 500),
    event(3, "llm/response", { invokeid: hostile, "session-id": hostile, content: [] }, 1000),
  ])
  const page = await pageOf(run, { title: "x", session: null, where: null, redactor: null })
  const picture = /<svg class="waterfall"[\s\S]*?<\/svg>/.exec(page)?.[0] ?? ""
  expect(illFormed(picture)).toBeNull()
})

/** The first XML error of a text: unmatched tags, attributes, references or characters; null if there is none. */
function illFormed(xml: string): string | null {
  const open: string[] = []
  const token =
    /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="(?:[^<&"]|&(?:amp|lt|gt|quot|#\d+);)*")*)\s*(\/?)>|(?:[^<&]|&(?:amp|lt|gt|quot|#\d+);)+/y
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const found = token.exec(xml)
    if (found === null) return `at ${at}: ${xml.slice(at, at + 40)}`
    const [text, end, name, , empty] = found
    if (name === undefined && (open.length === 0 || text.includes("]]>"))) return `at ${at}: ${text}`
    if (name === undefined || empty === "/") continue
    if (end !== "/") open.push(name)
    else if (open.pop() !== name) return `at ${at}: ${text} ends another`
  }
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml) || !xml.isWellFormed()) return "a character"
  return open.length > 0 ? `${open.at(-1)} does not end` : null
}

test("a question in an export names the invokeid and the session that asks", async () => {
  const asks = (invokeid: string | null, id: string) =>
    line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt: "?" } })
  const poet = event(0, "llm/response", { invokeid: "poet", "session-id": "session/p" })
  const answer = (id: string, value: string) => line({ kind: "answer", "prompt-id": id, value })
  const asked = [asks("poet", "p#1"), asks("desk", "p#2"), asks(null, "p#3")]
  const run = tell([poet, ...asked, answer("p#2", "no sugar"), answer("p#3", "")])
  const options = { title: "", session: null, redactor: null, read: null, where: null, recall: null }
  expect(documentOf(textsInMemory(run), options).questions.map(({ who, answer }) => `${who}: ${answer}`)).toEqual([
    "poet › session/p: (open)",
    "desk: no sugar",
    "poet › session/p: ",
  ])
  // Also where there is no session.
  expect(await pageOf(tell([asks("desk", "p#1")]), options)).toContain('<h2 id="questions">')
})
