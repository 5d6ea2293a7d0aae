// A model server on loopback that says what a script tells it, to real agent CLIs, and notes what it said.
import { isList, isObject, type Json, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { listOf, objectOf, partsText, textOf } from "../../src/guest/common/fields.ts"
import { anthropic, chat, gemini, responses, type ScriptedCall, type ScriptedTokens, type Speech } from "./speech.ts"

/** A reply of a script, or a refusal with this status. `bash` are commands of a shell, `agents` prompts of subagents. */
export interface ScriptedTurn {
  readonly think?: string
  readonly text?: string
  readonly bash?: readonly string[]
  readonly agents?: readonly string[]
  /** What it asks the person, as the tool of Claude Code has it. */
  readonly questions?: readonly JsonObject[]
  /** True if the commands want more than the CLI's sandbox allows. */
  readonly escalates?: boolean
  /** True if the caller goes on while its agents work, of a CLI that lets it choose. */
  readonly goesOn?: boolean
  readonly tokens?: Partial<ScriptedTokens>
  /** The stream stops after its text, until nobody listens any more. */
  readonly hangs?: boolean
  readonly refuses?: { readonly status: number; readonly message: string }
}

/** The turns of each thread. A request belongs to the thread whose tag `[[name]]` its user's words have, else `main`. */
export type Script = { readonly [thread: string]: readonly ScriptedTurn[] }

/** What the model said to one request. */
export interface ServedReply {
  readonly thread: string
  readonly status: number
  readonly think: string
  readonly text: string
  readonly calls: readonly ScriptedCall[]
  readonly tokens: ScriptedTokens
}

export interface FakeModel extends Disposable {
  readonly port: number
  readonly served: readonly ServedReply[]
}

const NONE: ScriptedTokens = { fresh: 0, read: 0, written: 0, output: 0, reasoning: 0 }
/** How the CLIs call their shell, and the tool that starts a subagent. */
const SHELLS = ["Bash", "bash", "run_shell_command", "exec_command", "shell_command", "shell"]
const AGENTS = ["Agent", "Task", "task", "spawn_agent", "invoke_agent"]

interface Tool {
  readonly name: string
  /** The group that Codex lists some tools in. */
  readonly namespace?: string
  readonly parameters: JsonObject
}

interface Asked {
  readonly speech: Speech
  readonly model: string
  readonly streams: boolean
  readonly tools: readonly Tool[]
  readonly users: readonly string[]
}

/** Starts a model that follows a script. Requests without tools, such as those for titles, take no turn of it. */
export function startModel(script: Script): FakeModel {
  const served: ServedReply[] = []
  const next = new Map<string, number>()
  let count = 0
  const answer = (asked: Asked): Response => {
    if (asked.tools.length === 0) return spoken(asked, { ...EMPTY, id: `side${++count}`, text: '{"title":"A title"}' })
    const thread = asked.users.flatMap(tagsIn).findLast(tag => script[tag] !== undefined) ?? "main"
    const at = next.get(thread) ?? 0
    next.set(thread, at + 1)
    const turn = script[thread]?.[at] ?? script[thread]?.at(-1) ?? { text: "ok" }
    const { think = "", text = "", refuses, tokens } = turn
    const calls = spelled(turn, asked.tools, () => `call_${++count}`)
    const reply = { think, text, calls, tokens: { ...NONE, ...tokens } }
    served.push({ thread, status: refuses?.status ?? 200, ...reply })
    if (refuses !== undefined) return refused(refuses.status, refuses.message)
    return spoken(asked, { id: `msg_${++count}`, model: asked.model, ...reply }, turn.hangs)
  }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (/count_?tokens/i.test(pathname)) return Response.json({ input_tokens: 1000, totalTokens: 1000 })
      const body = request.method === "POST" ? parseJson(await request.text()) : null
      const asked = isObject(body) ? readRequest(pathname, body) : null
      if (asked !== null) return answer(asked)
      return Response.json({ object: "list", data: [{ id: "fake-1", object: "model" }], models: [] })
    },
  })
  return { port: server.port ?? 0, served, [Symbol.dispose]: () => void server.stop(true) }
}

const EMPTY = { id: "", model: "fake", think: "", text: "", calls: [], tokens: NONE }

const tagsIn = (text: string): readonly string[] => [...text.matchAll(/\[\[([\w-]+)\]\]/g)].map(([, tag = ""]) => tag)

/** The calls of a turn, in the words of the CLI's own tools. */
function spelled(turn: ScriptedTurn, tools: readonly Tool[], id: () => string): readonly ScriptedCall[] {
  const toolNamed = (names: readonly string[]) => tools.find(({ name }) => names.includes(name))
  const [shell, agent] = [toolNamed(SHELLS), toolNamed(AGENTS)]
  const more = turn.escalates === true ? { sandbox_permissions: "require_escalated" } : {}
  const commands = (turn.bash ?? []).map(command => ({ tool: shell, wanted: { command, cmd: command, ...more } }))
  const prompts = (turn.agents ?? []).map(prompt => ({
    ...{ tool: agent, wanted: { prompt, message: prompt, ...kindOf(agent), run_in_background: turn.goesOn === true } },
  }))
  const questions =
    turn.questions === undefined
      ? []
      : [{ tool: toolNamed(["AskUserQuestion"]), wanted: { questions: turn.questions } }]
  // A subagent of Gemini CLI is over only when it says so.
  const over = tools.find(({ name }) => name === "complete_task")
  const isLast = over !== undefined && commands.length + prompts.length === 0
  const ends = isLast ? [{ tool: over, wanted: { result: { response: turn.text ?? "" } } }] : []
  return [...commands, ...prompts, ...questions, ...ends].map(({ tool, wanted }) => {
    const known = Object.keys(objectOf(tool?.parameters.properties))
    const all: JsonObject = { description: "a scripted call", ...wanted }
    const args = Object.fromEntries(Object.entries(all).filter(([name]) => known.includes(name)))
    const { name = "none", namespace } = tool ?? {}
    return { id: id(), name, ...(namespace !== undefined && { namespace }), args }
  })
}

/** A type of subagents that each CLI has. */
function kindOf({ name, parameters }: Partial<Tool> = {}): JsonObject {
  if (name === "spawn_agent") return { agent_type: "explorer" }
  if (name === "invoke_agent") return { agent_name: "generalist" }
  // That of Kimi has a parameter that Claude Code's lacks.
  const isKimi = objectOf(parameters?.properties).resume !== undefined
  return { subagent_type: name === "task" ? "general" : isKimi ? "coder" : "general-purpose" }
}

function readRequest(path: string, body: JsonObject): Asked | null {
  const streams = body.stream === true
  const model = textOf(body.model)
  const tools = listOf(body.tools).map(objectOf)
  const usersOf = (list: Json | undefined, content: "content" | "parts"): readonly string[] =>
    listOf(list)
      .map(objectOf)
      .filter(({ role }) => role === "user")
      .map(message => (isList(message[content]) ? partsText(message[content]) : textOf(message[content])))
  if (path.endsWith("/messages")) {
    const named = tools.map(tool => ({ name: textOf(tool.name), parameters: objectOf(tool.input_schema) }))
    return { speech: anthropic, model, streams, tools: named, users: usersOf(body.messages, "content") }
  }
  if (path.endsWith("/chat/completions")) {
    const named = tools.map(({ function: f }) => ({
      ...{ name: textOf(objectOf(f).name), parameters: objectOf(objectOf(f).parameters) },
    }))
    return { speech: chat, model, streams, tools: named, users: usersOf(body.messages, "content") }
  }
  if (path.endsWith("/responses")) {
    const named = tools.flatMap(tool => [
      { name: textOf(tool.name), parameters: objectOf(tool.parameters) },
      ...listOf(tool.tools)
        .map(objectOf)
        .map(one => ({
          ...{ name: textOf(one.name), parameters: objectOf(one.parameters), namespace: textOf(tool.name) },
        })),
    ])
    return { speech: responses, model, streams, tools: named, users: usersOf(body.input, "content") }
  }
  const [, name = "", stream] = /models\/([^:/]+):(stream)?generateContent/i.exec(path) ?? []
  if (name === "") return null
  const named = tools
    .flatMap(tool => listOf(tool.functionDeclarations).map(objectOf))
    .map(tool => ({ name: textOf(tool.name), parameters: objectOf(tool.parametersJsonSchema ?? tool.parameters) }))
  const users = usersOf(body.contents, "parts")
  return { speech: gemini, model: name, streams: stream !== undefined, tools: named, users }
}

/** A reply as its API streams it, or at once. */
function spoken({ speech, streams }: Asked, reply: Parameters<Speech>[0], hangs = false): Response {
  const all = speech(reply)
  const lastWord = reply.text.split(" ").at(-1) ?? ""
  const events = hangs ? all.slice(0, all.findIndex(({ data }) => JSON.stringify(data).includes(lastWord)) + 1) : all
  if (!streams) return Response.json(wholeOf(speech, reply))
  const end = speech === chat ? "data: [DONE]\n\n" : ""
  const body = events.map(
    ({ name, data }) => `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`,
  )
  const headers = { "content-type": "text/event-stream" }
  if (!hangs) return new Response(body.join("") + end, { headers })
  const source = { start: (stream: ReadableStreamDefaultController) => stream.enqueue(body.join("")) }
  return new Response(new ReadableStream(source), { headers })
}

function wholeOf(speech: Speech, reply: Parameters<Speech>[0]): Json {
  const { id, model, text, tokens } = reply
  if (speech === responses) return objectOf(speech(reply).at(-1)?.data.response)
  if (speech === gemini)
    return { candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] }
  const usage = { input_tokens: tokens.fresh, output_tokens: tokens.output, prompt_tokens: 0, completion_tokens: 0 }
  if (speech === chat)
    return {
      id,
      model,
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage,
    }
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage,
  }
}

function refused(status: number, message: string): Response {
  const type = status === 529 ? "overloaded_error" : status === 401 ? "authentication_error" : "invalid_request_error"
  const body = { type: "error", error: { type, message, code: status, status: "FAILED" } }
  return Response.json(body, {
    status,
    headers: { "retry-after": "1", "x-should-retry": status === 529 ? "true" : "false" },
  })
}
