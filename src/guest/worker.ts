// Runs a guest's parser in a thread of its own, isolated as far as docs/trust.md says.

/** A request of the host. Each gets one reply, in order. */
export type WorkerRequest =
  /** `source` is CommonJS. `counters` are the numbers of requests begun and finished. */
  | { readonly type: "load"; readonly source: string; readonly counters: SharedArrayBuffer }
  | { readonly type: "reset" }
  | { readonly type: "parse"; readonly line: string; readonly ts: string }

/** `json` is the parser's printed result; absent if the result can't be printed. */
export type WorkerReply = { readonly error: string } | { readonly json?: string }

/** The globals that Paperclip's own host hides from a parser, and those that this runtime adds. */
const HIDDEN = [
  ...["self", "globalThis", "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "RTCPeerConnection"],
  ...["Request", "Response", "Headers", "Cache", "CacheStorage", "caches", "importScripts", "Worker", "SharedWorker"],
  ...["Blob", "BroadcastChannel", "MessageChannel", "indexedDB", "IDBFactory", "navigator", "console"],
  ...["process", "Bun", "require", "Buffer", "postMessage", "onmessage", "addEventListener", "global"],
  ...["SharedArrayBuffer", "Atomics", "WebAssembly", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"],
]

type Parse = (line: string, ts: string) => unknown

const reply: (message: WorkerReply) => void = postMessage
const { add } = Atomics
const print = JSON.stringify

let counters = new Int32Array(new SharedArrayBuffer(8))
let parse: Parse = () => []
let reset: () => void = () => undefined

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  if (data.type === "load") counters = new Int32Array(data.counters)
  add(counters, 0, 1)
  const result = handle(data)
  add(counters, 1, 1)
  reply(result)
})

function handle(request: WorkerRequest): WorkerReply {
  try {
    if (request.type === "load") load(request.source)
    else if (request.type === "reset") reset()
    else {
      const json = print(parse(request.line, request.ts))
      return json === undefined ? {} : { json }
    }
    return {}
  } catch (error) {
    return { error: describe(error) }
  }
}

/** Describes a thrown value, which may itself throw when it is converted to a string. */
function describe(error: unknown): string {
  try {
    return String(error).slice(0, 400)
  } catch {
    return "an unprintable value"
  }
}

/** Evaluates the parser as Paperclip's host does: as the body of a function without access to globals. */
function load(source: string): void {
  const module: { exports: unknown } = { exports: {} }
  // Strict, so that its functions never get the global object as `this`.
  const run = new Function("exports", "module", ...HIDDEN, `"use strict";${source}`)
  hideGlobals()
  run(module.exports, module)
  const create = methodOf(module.exports, "createStdoutParser")
  const made = create === null ? null : create()
  const parseLine = methodOf(made, "parseLine")
  const chosen = parseLine ?? methodOf(module.exports, "parseStdoutLine")
  if (chosen === null) throw "it exports neither createStdoutParser nor parseStdoutLine"
  parse = (line, ts) => chosen(line, ts)
  if (parseLine !== null) reset = methodOf(made, "reset") ?? reset
}

type Method = (...args: readonly string[]) => unknown

/** A method of an untrusted value, bound to it; null if there is none. */
function methodOf(of: unknown, name: string): Method | null {
  if (typeof of !== "object" || of === null) return null
  const found: unknown = Reflect.get(of, name)
  return typeof found === "function" ? (...args) => found.apply(of, args) : null
}

/** Deletes the hidden globals, and the ways to compile code, which would not have them hidden. */
function hideGlobals(): void {
  const world = globalThis
  for (const name of [...HIDDEN, "Function", "eval"]) Reflect.deleteProperty(world, name)
  const makers = [() => undefined, async () => undefined, function* () {}, async function* () {}]
  for (const maker of makers) Reflect.deleteProperty(Object.getPrototypeOf(maker), "constructor")
}
