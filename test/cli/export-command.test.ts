// Tests `export`: its formats and files, captured texts, and that no secret of a known shape leaves through it.
import { beforeAll, describe, expect, test } from "bun:test"
import { mkdir, readdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { capturedRun, WHOLE_RESULT, WHOLE_SYSTEM } from "../captured.ts"
import { HARMLESS, SECRETS } from "../export/secrets.ts"
import { haiku, root } from "../fixtures.ts"
import { openTerminal } from "../pty/terminal.ts"
import { eventText } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { sidecarHere as sidecar } from "./called.ts"

const scratch = fileScratch()
/** A session directory, `run-7`. Its recording ends within a line, and has a secret and control characters. */
const run = join(scratch, "run-7")
const LINES = (await Bun.file(join(root, "fixtures/cases/export/run-7.jsonl")).text()).trimEnd().split("\n")
const RECORDING = `${LINES.join("\n")}\n{"event":"llm/st`

beforeAll(async () => {
  await mkdir(run)
  await Bun.write(join(run, "transcript.jsonl"), RECORDING)
})

const exported = (...args: readonly string[]) => sidecar(["export", ...args], { cwd: scratch })
const SAID = "opentui-sidecar export: redacted 1 likely secret: 1 API key\n"

describe("export --as jsonl", () => {
  test("skips a line that is too long, says so, and writes the others", async () => {
    const path = join(scratch, "long.jsonl")
    const [first = "", second = ""] = LINES
    await Bun.write(path, `${first}\n{"event":"${"x".repeat(17 * 1024 * 1024)}"}\n${second}\n`)
    const err = "opentui-sidecar export: skipped line 2: longer than 16 MB\n"
    expect(await exported(path, "--as", "jsonl")).toEqual({ code: 0, out: `${first}\n${second}\n`, err })
  })

  test("writes the recording byte for byte if it has no secrets", async () => {
    expect(await exported(haiku, "--as", "jsonl")).toEqual({ code: 0, out: await Bun.file(haiku).text(), err: "" })
    expect(await exported(run, "--as", "jsonl", "--no-redact", "-o", "-")).toEqual({ code: 0, out: RECORDING, err: "" })
  })
  test("removes likely secrets and says how many", async () => {
    const out = RECORDING.replace("sk-0123456789abcdefgh", "[redacted API key]")
    expect(await exported(run, "--as", "jsonl")).toEqual({ code: 0, out, err: SAID })
  })
})

test("export --as md and html write every row of a log that is longer than what is held of it", async () => {
  const path = join(scratch, "long.jsonl")
  const all = Array.from({ length: 6000 }, (_, seq) => seq)
  const rows = all.map(seq => eventText(seq, seq % 3 === 0 ? "custom/third" : "custom/other", { text: `note ${seq}` }))
  await Bun.write(path, `${rows.join("\n")}\n`)
  const notes = async (...args: readonly string[]): Promise<readonly number[]> => {
    const { code, out } = await exported(path, ...args)
    expect(code).toBe(0)
    return [...out.matchAll(/note (\d+)/g)].map(([, seq]) => Number(seq))
  }
  expect(await notes("--as", "md")).toEqual(all)
  expect(await notes("--as", "html")).toEqual(all)
  const thirds = await notes("--as", "md", "--where", "event=custom/third")
  expect(thirds).toEqual(all.filter(seq => seq % 3 === 0))
})

describe("export of captured texts", () => {
  test("includes them in full in md and html, and says why an excerpt is one", async () => {
    await using captured = await capturedRun()
    const md = (await exported(captured.path, "--as", "md")).out
    expect(md).toContain(`> ${WHOLE_SYSTEM.trimEnd()}`)
    expect(md).toContain(`\n**Tool result: count\\_words**\n\n\`\`\`text\n${WHOLE_RESULT}\n\`\`\`\n`)
    const edit = "old_string:\n  First snow\n  falls slow\nnew_string:\n  First snow\n  falls still"
    expect(md).toContain(`\n**Tool call: edit\\_file poems/4.txt**\n\n\`\`\`text\n${edit}\n\`\`\`\n`)
    // The `io/ref` of the second reply leads out of the directory.
    expect(md).toMatch(/\n\*\*Assistant\*\* \(excerpt: [^\n]*outside[^\n]*\)\n\n> The cut\.\n/)
    const html = (await exported(captured.path, "--as", "html")).out
    expect(html).toContain(`<pre>${WHOLE_RESULT}</pre>`)
    expect(html).toMatch(/<p>Assistant <i>\(excerpt: [^<]*outside[^<]*\)<\/i><\/p><div class="prose"><p>The cut\.<\/p>/)
  })
  test("finds them in --session-dir", async () => {
    await using captured = await capturedRun("artifacts")
    const copy = join(scratch, "copy.jsonl")
    await Bun.write(copy, Bun.file(join(captured.path, "transcript.jsonl")))
    expect((await exported(copy, "--as", "md")).out).toContain("**Tool result: count\\_words** (excerpt)\n")
    const { out } = await exported(copy, "--as", "md", "--session-dir", captured.path)
    expect(out).toContain(WHOLE_RESULT)
    const none = await exported(captured.path, "--as", "md", "--session-dir", join(scratch, "none"))
    expect(none.err).toEndWith("none: no such file\n")
  })
})

describe("export -o", () => {
  test("writes a file, infers the format from its name, and replaces an existing file, also behind a link", async () => {
    for (const name of ["out.html", "real.md"]) await Bun.write(join(scratch, name), "old")
    await symlink("real.md", join(scratch, "link.md"))
    for (const name of ["out.html", "link.md"])
      expect(await exported(run, "-o", name)).toEqual({ code: 0, out: "", err: SAID })
    expect(await Bun.file(join(scratch, "out.html")).text()).toStartWith("<!doctype html>")
    expect(await Bun.file(join(scratch, "real.md")).text()).toStartWith("# run-7\n")
    expect((await readdir(scratch)).filter(name => name.includes("part"))).toEqual([])
  })
  test("writes into a pipe as it is, in the format of --as whatever its name", async () => {
    await Bun.spawn(["mkfifo", join(scratch, "fifo.md")]).exited
    const reader = Bun.spawn(["cat", join(scratch, "fifo.md")], { stdout: "pipe" })
    const { code } = await exported(run, "--as", "jsonl", "--no-redact", "-o", "fifo.md")
    expect([code, await reader.stdout.text()]).toEqual([0, RECORDING])
  })
  test("never overwrites the recording, even through a link", async () => {
    await symlink(join(run, "transcript.jsonl"), join(scratch, "same.jsonl"))
    expect(await exported(run, "--as", "jsonl", "-o", "same.jsonl")).toEqual({
      code: 2,
      out: "",
      err: "opentui-sidecar export: same.jsonl: is the recording itself\n",
    })
    expect(await Bun.file(join(run, "transcript.jsonl")).text()).toBe(RECORDING)
  })
})

test("export to a terminal prints no control characters", async () => {
  const cmd = [join(root, "bin/opentui-sidecar"), "export", run, "--as", "jsonl"]
  await Bun.write(join(run, "transcript.jsonl"), `${LINES[0]}\nno json \u001b]0;owned\u0007\u009b2J\n`)
  await using terminal = await openTerminal({ cmd, cols: 120, rows: 20 })
  expect(await terminal.exited).toBe(0)
  // Bytes: ESC and BEL as they are, C1 as UTF-8.
  expect(terminal.raw).not.toMatch(/[\u001b\u0007]|\u00c2[\u0080-\u009f]/)
  expect((await terminal.screen()).join("\n")).toContain("no json ␛]0;owned␇")
  await Bun.write(join(run, "transcript.jsonl"), RECORDING)
})

const ids = (n: number) => ({ invokeid: `poet${n}`, "session-id": `s${n}` })
const rowOf = (event: string, data: object): string => JSON.stringify({ kind: "event", event, ts: 1, data })

/** What a run says of a text, by where it stands. */
const WAYS: Readonly<Record<string, (text: string, n: number) => readonly string[]>> = {
  "in a reply": (text, n) => [rowOf("llm/response", { ...ids(n), content: [{ type: "text", text }] })],
  "split over deltas": (text, n) =>
    (text.match(/[\s\S]{1,7}/g) ?? []).map(text => rowOf("llm/delta", { ...ids(n), type: "text-delta", text })),
  "in an error": (message, n) => [rowOf("llm/error", { ...ids(n), message })],
  "in a tool's input": (command, n) => [
    rowOf("llm/response", { ...ids(n), content: [{ type: "tool_use", id: "t", name: "run", input: { command } }] }),
  ],
  "in a tool's result": (text, n) => [
    rowOf("llm/tool-result", { ...ids(n), "tool-name": "run", "tool-use-id": "t", "content-preview": text }),
  ],
}

async function exportedAs(way: string, format: string, texts: readonly string[], ...flags: readonly string[]) {
  const path = join(scratch, `${crypto.randomUUID()}.jsonl`)
  const lines = texts.flatMap((text, n) => [rowOf("llm/start", ids(n)), ...(WAYS[way]?.(text, n) ?? [])])
  await Bun.write(path, `${lines.join("\n")}\n`)
  const { code, out } = await sidecar(["export", path, "--as", format, ...flags], { cwd: scratch })
  expect(code).toBe(0)
  return out
}

for (const way of Object.keys(WAYS)) {
  describe(`what stands ${way}`, () => {
    test.each(["md", "html", "jsonl"])("leaves in %s without its secrets", async format => {
      const texts = SECRETS.map(({ text }) => text)
      const namesIn = (out: string): readonly string[] =>
        SECRETS.filter(({ secrets }) => secrets.some(secret => out.includes(secret.slice(0, 20)))).map(one => one.name)
      expect(namesIn(await exportedAs(way, format, texts))).toEqual([])
      const all = way === "split over deltas" && format === "jsonl" ? [] : SECRETS.map(({ name }) => name)
      expect(namesIn(await exportedAs(way, format, texts, "--no-redact"))).toEqual(all)
    })

    test.each(["md", "html", "jsonl"])("leaves in %s whole if it only looks like a secret", async format => {
      expect(await exportedAs(way, format, HARMLESS)).not.toContain("[redacted")
    })
  })
}
