// Keeps what `search` finds in hand-made session directories: rows, captures and artifacts.
import { beforeAll, expect, test } from "bun:test"
import { mkdir, symlink, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileScratch } from "../scratch.ts"
import { called } from "./called.ts"

const scratch = fileScratch()
beforeAll(async () => {
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(scratch, name)), { recursive: true })
    await Bun.write(join(scratch, name), text)
  }
  const row = (event: string, seq: number, data: object, more: object = {}) =>
    `${JSON.stringify({ event, seq, ts: 1000 + seq, data, ...more })}\n`
  const a = { invokeid: "judge", "session-id": "j.1" }
  const b = { invokeid: "judge", "session-id": "j.2" }
  const at = (turn: number) => ({ "transcript/node-id": "judge", "transcript/visit": 0, "transcript/turn": turn })
  await put(
    "all/tea/transcript.jsonl",
    [
      row("llm/start", 0, a),
      row(
        "llm/request",
        1,
        { ...a, "user-blocks": [{ type: "text", text: "Rate the Kettle,\nplease: is it a…" }] },
        at(0),
      ),
      row("llm/delta", 2, { ...a, text: "The ket" }),
      row("llm/delta", 3, { ...a, text: "tle is" }),
      row("llm/response", 4, { ...a, content: [{ type: "text", text: "The kettle is hot." }] }, at(0)),
      row("llm/tool-result", 5, { ...a, tool: "touch", "content-preview": "kettle: ouch" }),
      row("llm/start", 6, a),
      row("llm/delta", 7, { ...a, text: "No more ke" }),
      row("llm/start", 8, b),
      row("llm/delta", 9, { ...a, text: "ttle \u001b[2J" }),
      row("llm/response", 10, { ...b, content: [{ type: "tool_use", name: "boil", input: { what: "KETTLE" } }] }),
      row("llm/error", 11, { ...b, message: "kettle\u001b]0;x\u0007 gone" }),
      '{"event":"llm/star',
    ].join(""),
  )
  await put(
    "all/tea/nodes/judge/0/turns/0/request.edn",
    '; the "kettle" of a comment\n{:system "You judge.\\nBe \\"fair\\" to a kettle."\n ' +
      ':user "Rate the Kettle,\\nplease: is it a good kettle?"}\n',
  )
  await put("all/tea/nodes/judge/0/turns/0/tool-results/t1.edn", '{:content "kettle of \\u0041steel"')
  await put("all/tea/nodes/other/3/seed.edn", '{:x \\" :y "a kettle nobody told of"}')
  await put("all/tea/artifacts/judge.report.md", "# Report\n\nOne kettle.\nTwo kettles, one kettle.\n")
  await put("all/tea/artifacts/picture.bin", "kettle\0kettle")
  await put("all/tea/escapement.log", "kettle in the agent's log\n")
  await put("secret.txt", "the kettle outside\n")
  await symlink(join(scratch, "secret.txt"), join(scratch, "all/tea/artifacts/link.txt"))
  await put("all/deep/down/transcript.jsonl", row("llm/user-message", 0, { invokeid: "x", text: "a kettle below" }))
  await put("all/empty/readme.txt", "kettle")
  await symlink(join(scratch, "all/tea"), join(scratch, "all/again"))
  await utimes(join(scratch, "all/deep/down/transcript.jsonl"), 1000, 1000)

  const ids = { invokeid: "coder", "session-id": "c.1" }
  const rows: object[] = []
  const add = (event: string, turn: number, data: object) =>
    rows.push({
      event,
      seq: rows.length,
      ts: 1000 + rows.length,
      data: { ...ids, ...data },
      "transcript/node-id": ":coding",
      "transcript/visit": 0,
      "transcript/turn": turn,
    })
  const captured = (name: string, text: string) => put(join("colon/nodes/coding/0", name), text)
  for (let turn = 0; turn < 11; turn++) {
    add("llm/start", turn, {})
    add("llm/request", turn, { "io/ref": `nodes/coding/0/turns/${turn}/request.edn` })
    await captured(`turns/${turn}/request.edn`, `{:user "VAT ${turn < 2 ? "question" : "from turn 3 on"}"}`)
  }
  add("llm/tool-result", 10, {
    tool: "run",
    "content-preview": "VAT ok",
    "io/ref": "nodes/coding/0/tool-results/a.edn",
  })
  add("llm/tool-result", 10, { tool: "run", "tool-use-id": "b", "content-preview": "cut…" })
  await captured("tool-results/a.edn", '"VAT ok"')
  await captured("tool-results/b.edn", '"cut\nVAT LASTLINE"')
  await Bun.write(join(scratch, "colon/transcript.jsonl"), rows.map(one => `${JSON.stringify(one)}\n`).join(""))
  await put("kept/a.jsonl", '{"event":"llm/user-message","data":{"text":"a kettle kept"}}\n')
  const long = `${"x".repeat(100_000)} needle ${"y".repeat(100_000)}`
  await put("long.jsonl", `${JSON.stringify({ event: "llm/user-message", data: { text: long } })}\n`)
  await put("home/none.txt", "")
  await symlink(join(scratch, "all"), join(scratch, "home/.escapement"))
})

test.each([
  ["lists each hit in a run: file, session, turn, kind and excerpt", "kettle all/tea"],
  ["covers all runs below a directory, the latest first, and follows no links", "KETTLE all"],
  ["keeps matching rows and the captures of their turns", 'kettle all/tea --where "session=j.1 event=llm/request"'],
  ["finds nothing where no row matches", "kettle all/deep --where session=none"],
  ["names a file among several by the path that was given", "kept kept/a.jsonl all/deep/down"],
  ["takes its text literally", "k.ttle all/tea"],
  ["finds a text across lines", '"Kettle,\nplease" all/tea'],
  ["finds a text within a long one", "NEEDLE long.jsonl"],
  ["opens the very turn of each captured text once, also where rows spell the node id with a colon", "vat colon"],
  ["uses .escapement by default", "hot.", "home"],
  ["says that there is nothing to search", "hot."],
] as const)("search %s", async (_, line, directory = ".") => {
  const told = await called(`search ${line} --no-stores`, join(scratch, directory))
  // What is found within 50 ms is aligned with each other.
  expect(told.replace(/ {2,}/g, "  ")).toMatchSnapshot()
})
