// Writes a session directory with the captures of two turns, as the agent writes them.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { SessionDirectory } from "../src/session-dir/session-directory.ts"

export const WHOLE_SYSTEM = `You judge haiku, and you answer with one line. ${"A season word must be there. ".repeat(8)}`
export const WHOLE_RESULT = `${"poems/4.txt holds 17 words\n".repeat(6)}the last line`

const CUT_SYSTEM = `${WHOLE_SYSTEM.slice(0, 79)}…`
const CUT_RESULT = `${WHOLE_RESULT.slice(0, 79).replaceAll("\n", " ")}…`

const request = `{:model "gemma3:1b", :temperature 0.2, :system ${JSON.stringify(WHOLE_SYSTEM)},
 :tools [{:name "count_words", :description "Counts words"}],
 :messages [{:role :user, :content "Which haiku wins?"}]}`
const response = `{:content [{:type :thinking, :thinking "The season word is missing in three."}
 {:type :text, :text "# The winner\\n\\n**Poet 4** keeps the cut:\\n\\n- snow stays unsaid\\n- winter does \`something\`"}
 {:type :tool_use, :id "u1", :name "edit_file",
  :input {:path "poems/4.txt", :old_string "First snow\\nfalls slow", :new_string "First snow\\nfalls still"}}]}`
const second = `{:model "gemma3:1b", :temperature 0.7, :system ${JSON.stringify(WHOLE_SYSTEM)},
 :messages [{:role :user, :content "Which haiku wins?"} {:role :assistant, :content [{:type :text, :text "Poet 4"}]}
  {:role :user, :content [{:type :tool_result, :tool_use_id "u1", :content "done"} {:type :text, :text "Say why."}]}]}`

const ids = { invokeid: "judge", "session-id": "session/j" }
const at = "nodes/judging/0/turns"

function rows(): readonly object[] {
  const row = (seq: number, event: string, data: object) => ({ event, seq, ts: 1_700_000_000_000 + seq * 1000, data })
  return [
    row(0, "runner/started", { "chart-id": ":haiku/chart", "session-id": ":session/j" }),
    row(1, "llm/start", { ...ids, model: "gemma3:1b" }),
    row(2, "llm/request", {
      ...ids,
      "system-preview": CUT_SYSTEM,
      "user-blocks": [{ type: "text", text: "Which haiku wins?" }],
      "io/ref": `${at}/0/request.edn`,
    }),
    row(3, "llm/response", {
      ...ids,
      content: [{ type: "text", text: "# The winner\n\n**Poet 4** keeps the cut" }],
      "stop-reason": "tool_use",
      usage: { "input-tokens": 210, "output-tokens": 40 },
      "io/ref": `${at}/0/response.edn`,
    }),
    row(4, "llm/tool-result", {
      ...ids,
      tool: "count_words",
      "content-preview": CUT_RESULT,
      "io/ref": `${at}/0/tool-results/u1.edn`,
    }),
    row(5, "llm/start", { ...ids, model: "gemma3:1b" }),
    row(6, "llm/request", {
      ...ids,
      "system-preview": CUT_SYSTEM,
      "user-blocks": [{ type: "text", text: "Say why." }],
      "io/ref": `${at}/1/request.edn`,
    }),
    row(7, "llm/response", {
      ...ids,
      content: [{ type: "text", text: "The cut." }],
      "stop-reason": "end_turn",
      usage: { "input-tokens": 300, "output-tokens": 5 },
      "io/ref": "nodes/../../../etc/passwd",
    }),
    row(8, "runner/done", { "final-config": ["done"], status: "done" }),
  ]
}

/** Writes the directory; `root` is the folder of `nodes`, which differs between versions of the agent. */
export async function capturedRun(root: "" | "artifacts" = ""): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "inspected-"))
  const put = async (name: string, text: string) => {
    const file = join(path, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  await put(
    "transcript.jsonl",
    `${rows()
      .map(row => JSON.stringify(row))
      .join("\n")}\n`,
  )
  const nodes = join(root, at)
  await put(`${nodes}/0/request.edn`, request)
  await put(`${nodes}/0/response.edn`, response)
  await put(`${nodes}/0/tool-results/u1.edn`, JSON.stringify(WHOLE_RESULT))
  await put(`${nodes}/1/request.edn`, second)
  await put("artifacts/judge.verdict.md", "# Verdict\n\nPoet 4 wins.\n")
  await put("artifacts/board/scores.json", '{"poet-4": 17}\n')
  await put("escapement.log", "started\nWARN slow model\ndone\n")
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The session directory at this path, which must be one. */
export async function openedDirectory(path: string): Promise<SessionDirectory> {
  const { value, error } = await SessionDirectory.open(path)
  if (value === undefined) throw new Error(error)
  return value
}
