// Tests `search` as a process over hand-made session directories: rows, captures and artifacts.
import { beforeAll, describe, expect, test } from "bun:test"
import { mkdir, symlink, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"
import { haiku } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { sidecar } from "./ran.ts"

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
})

const search = (...args: readonly string[]) => sidecar(["search", ...args], { cwd: scratch })

test("search lists each hit in a run: file, session, turn, kind and excerpt", async () => {
  const { code, out, err } = await search("kettle", "all/tea")
  // What is found within 50 ms is aligned with each other.
  const cells = (text: string) => text.replaceAll(/ {2,}/g, "  ")
  expect(cells(out)).toBe(
    cells(
      [
        "transcript.jsonl:2                           judge 1  turn 1  prompt       Rate the Kettle,",
        "transcript.jsonl:5                           judge 1  turn 1  reply        The kettle is hot.",
        "transcript.jsonl:6                           judge 1  turn 1  tool result  kettle: ouch",
        'transcript.jsonl:11                          judge 2  turn 1  tool call    boil {"what":"KETTLE"}',
        "transcript.jsonl:12                          judge 2  turn 1  error        kettle␛]0;x␇ gone",
        "transcript.jsonl:8                           judge 1  turn 2  reply        No more kettle ␛[2J",
        'nodes/judge/0/turns/0/request.edn:2          judge 1  turn 1  prompt       Be "fair" to a kettle.',
        "nodes/judge/0/turns/0/request.edn:3          judge 1  turn 1  prompt       please: is it a good kettle?",
        "nodes/judge/0/turns/0/tool-results/t1.edn:1  judge 1  turn 1  tool result  kettle of Asteel",
        "nodes/other/3/seed.edn:1                     other            prompt       a kettle nobody told of",
        "artifacts/judge.report.md:3                                   artifact     One kettle.",
        "artifacts/judge.report.md:4                                   artifact     Two kettles, one kettle.",
        "",
      ].join("\n"),
    ),
  )
  expect(err).toBe("opentui-sidecar search: link.txt: skipped: outside the session directory, or not a file\n")
  expect(code).toBe(0)
})

test("search covers all runs below a directory, the latest first, and follows no links", async () => {
  const { out } = await search("KETTLE", "all")
  const names = out
    .trimEnd()
    .split("\n")
    .map(line => line.split("/")[0])
  expect([...new Set(names)]).toEqual(["tea", "deep"])
  expect(out).toContain("deep/down/transcript.jsonl:1  x    prompt  a kettle below\n")
})

test("search uses .escapement by default", async () => {
  await mkdir(join(scratch, "home"), { recursive: true })
  await symlink(join(scratch, "all"), join(scratch, "home/.escapement"))
  const { code, out } = await sidecar(["search", "hot."], { cwd: join(scratch, "home") })
  expect({ code, out }).toEqual({
    code: 0,
    out: "tea/transcript.jsonl:5  judge 1  turn 1  reply  The kettle is hot.\n",
  })
})

describe("search --where", () => {
  test("keeps matching rows and the captures of their turns", async () => {
    const { out } = await search("kettle", "all/tea", "--where", "session=j.1 event=llm/request")
    expect(
      out
        .trimEnd()
        .split("\n")
        .map(line => line.split(/ {2,}/)[0]),
    ).toEqual([
      "transcript.jsonl:2",
      "nodes/judge/0/turns/0/request.edn:2",
      "nodes/judge/0/turns/0/request.edn:3",
      "nodes/judge/0/turns/0/tool-results/t1.edn:1",
    ])
  })
  test("that matches nothing finds nothing", async () => {
    expect(await search("kettle", "all/deep", "--where", "session=none")).toEqual({ code: 1, out: "", err: "" })
  })
})

test("search names a file among several by the path that was given", async () => {
  await mkdir(join(scratch, "kept"), { recursive: true })
  await Bun.write(join(scratch, "kept/a.jsonl"), '{"event":"llm/user-message","data":{"text":"a kettle kept"}}\n')
  const { out } = await search("kept", "kept/a.jsonl", "all/deep/down")
  expect(out).toStartWith("kept/a.jsonl:1 ")
})

test("search takes its text literally, across lines and within long ones", async () => {
  expect((await search("k.ttle", "all/tea")).code).toBe(1)
  expect((await search("Kettle,\nplease", "all/tea")).out).toStartWith(
    "transcript.jsonl:2  judge 1  turn 1  prompt  Rate the Kettle,␊please",
  )
  const long = `${"x".repeat(100_000)} needle ${"y".repeat(100_000)}`
  await Bun.write(
    join(scratch, "long.jsonl"),
    `${JSON.stringify({ event: "llm/user-message", data: { text: long } })}\n`,
  )
  const { out } = await search("NEEDLE", "long.jsonl")
  expect(out).toMatch(/^long\.jsonl:1 {4,}prompt {2}…x{38,39} needle y+…\n$/)
  expect(out.length).toBeLessThan(300)
})

test("search opens the very turn of each captured text once, also where rows spell the node id with a colon", async () => {
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
  const put = (name: string, text: string) => Bun.write(join(scratch, "colon/nodes/coding/0", name), text)
  for (let turn = 0; turn < 11; turn++) {
    add("llm/start", turn, {})
    add("llm/request", turn, { "io/ref": `nodes/coding/0/turns/${turn}/request.edn` })
    await put(`turns/${turn}/request.edn`, `{:user "VAT ${turn < 2 ? "question" : "from turn 3 on"}"}`)
  }
  add("llm/tool-result", 10, {
    tool: "run",
    "content-preview": "VAT ok",
    "io/ref": "nodes/coding/0/tool-results/a.edn",
  })
  add("llm/tool-result", 10, { tool: "run", "tool-use-id": "b", "content-preview": "cut…" })
  await put("tool-results/a.edn", '"VAT ok"')
  await put("tool-results/b.edn", '"cut\nVAT LASTLINE"')
  await Bun.write(join(scratch, "colon/transcript.jsonl"), rows.map(one => `${JSON.stringify(one)}\n`).join(""))
  const { out } = await search("vat", "colon")
  expect(
    out
      .trimEnd()
      .split("\n")
      .map(one => one.split(/ {2,}/)),
  ).toEqual([
    ["transcript.jsonl:23", "coder", "turn 11", "tool result", "VAT ok"],
    ["nodes/coding/0/tool-results/b.edn:1", "coder", "turn 11", "tool result", "VAT LASTLINE"],
    ["nodes/coding/0/turns/0/request.edn:1", "coder", "turn 1", "prompt", "VAT question"],
    ["nodes/coding/0/turns/2/request.edn:1", "coder", "turn 3", "prompt", "VAT from turn 3 on"],
  ])
})

test("search accepts a recording", async () => {
  const { code, out } = await sidecar(["search", "holds its breath", haiku], { cwd: scratch })
  expect({ code, out }).toEqual({
    code: 0,
    out: "haiku-tournament.jsonl:48  poet1  turn 1  reply  winter holds its breath\n",
  })
})
