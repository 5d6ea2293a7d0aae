// Tests that no secret of a known shape leaves through an export, wherever it stands in a run.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { HARMLESS, SECRETS } from "../export/secrets.ts"
import { fileScratch } from "../scratch.ts"
import { sidecarHere as sidecar } from "./called.ts"

const scratch = fileScratch()

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

async function exported(way: string, format: string, texts: readonly string[], ...flags: readonly string[]) {
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
      expect(namesIn(await exported(way, format, texts))).toEqual([])
      const all = way === "split over deltas" && format === "jsonl" ? [] : SECRETS.map(({ name }) => name)
      expect(namesIn(await exported(way, format, texts, "--no-redact"))).toEqual(all)
    })

    test.each(["md", "html", "jsonl"])("leaves in %s whole if it only looks like a secret", async format => {
      expect(await exported(way, format, HARMLESS)).not.toContain("[redacted")
    })
  })
}
