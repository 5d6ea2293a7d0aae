// Runs a guest's parser in a thread of its own: what it says and does stays here (docs/trust.md says how far).

/** What the host asks. Every question has one answer, in order. */
export type WorkerRequest =
  /** The program's text as CommonJS. The counters are of lines begun and of answers given. */
  | { readonly type: "load"; readonly source: string; readonly counters: SharedArrayBuffer }
  | { readonly type: "reset" }
  | { readonly type: "parse"; readonly line: string; readonly ts: string }

/** `json` is what the parser gave, printed; absent where it gave nothing to print. */
export type WorkerReply = { readonly fault: string } | { readonly json?: string }

/** What Paperclip's own host hides from a parser, and what this one has beside a browser. */
const HIDDEN = [
  ...["self", "globalThis", "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "RTCPeerConnection"],
  ...["Request", "Response", "Headers", "Cache", "CacheStorage", "caches", "importScripts", "Worker", "SharedWorker"],
  ...["Blob", "BroadcastChannel", "MessageChannel", "indexedDB", "IDBFactory", "navigator", "console"],
  ...["process", "Bun", "require", "Buffer", "postMessage", "onmessage", "addEventListener", "global"],
  ...["SharedArrayBuffer", "Atomics", "WebAssembly", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"],
]

type Parse = (line: string, ts: string) => unknown

const answer: (answer: WorkerReply) => void = postMessage
const { add } = Atomics
const print = JSON.stringify

let counters = new Int32Array(new SharedArrayBuffer(8))
let parse: Parse = () => []
let reset: () => void = () => undefined

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  if (data.type === "load") counters = new Int32Array(data.counters)
  add(counters, 0, 1)
  const found = attempt(data)
  add(counters, 1, 1)
  answer(found)
})

function attempt(question: WorkerRequest): WorkerReply {
  try {
    if (question.type === "load") load(question.source)
    else if (question.type === "reset") reset()
    else {
      const json = print(parse(question.line, question.ts))
      return json === undefined ? {} : { json }
    }
    return {}
  } catch (fault) {
    return { fault: wordsOf(fault) }
  }
}

/** A parser may throw anything, also what throws when it is looked at. */
function wordsOf(fault: unknown): string {
  try {
    return String(fault).slice(0, 400)
  } catch {
    return "something that cannot be told"
  }
}

/** Evaluates the parser as the host does: a function's body, in which the world has no names. */
function load(source: string): void {
  const module: { exports: unknown } = { exports: {} }
  // Strict, so that no function of it is handed the global object as `this`.
  const run = new Function("exports", "module", ...HIDDEN, `"use strict";${source}`)
  hideWorld()
  run(module.exports, module)
  const create = field(module.exports, "createStdoutParser")
  const made = create === null ? null : create()
  const parseLine = field(made, "parseLine")
  const chosen = parseLine ?? field(module.exports, "parseStdoutLine")
  if (chosen === null) throw "it exports neither createStdoutParser nor parseStdoutLine"
  parse = (line, ts) => chosen(line, ts)
  if (parseLine !== null) reset = field(made, "reset") ?? reset
}

type Method = (...args: readonly string[]) => unknown

/** A method of a value that may be anything, bound to it; null where there is none. */
function field(of: unknown, name: string): Method | null {
  if (typeof of !== "object" || of === null) return null
  const found: unknown = Reflect.get(of, name)
  return typeof found === "function" ? (...args) => found.apply(of, args) : null
}

/** Takes the same names away from the thread, and the ways to make code out of text, which would not see the hidden ones. */
function hideWorld(): void {
  const world = globalThis
  for (const name of [...HIDDEN, "Function", "eval"]) Reflect.deleteProperty(world, name)
  const makers = [() => undefined, async () => undefined, function* () {}, async function* () {}]
  for (const maker of makers) Reflect.deleteProperty(Object.getPrototypeOf(maker), "constructor")
}
