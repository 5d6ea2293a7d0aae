// Runs a guest's parser in a thread of its own, isolated as far as docs/trust.md says.

/** A request of the host. Each gets one reply, in order. */
export type WorkerRequest =
  /** `source` is CommonJS. `counters` are the numbers of requests begun and finished. */
  | { readonly type: "load"; readonly source: string; readonly counters: SharedArrayBuffer }
  | { readonly type: "reset" }
  | { readonly type: "parse"; readonly line: string; readonly ts: string }

/** `json` is the parser's printed result; absent if the result can't be printed. */
export type WorkerReply = { readonly error: string } | { readonly json?: string }

/**
 * The globals that a parser has: values and pure functions. It has nothing that waits, so all that it does belongs to
 * a request; nothing that reads, writes or sends; and no second world with more globals.
 */
const ALLOWED = new Set([
  ...["undefined", "NaN", "Infinity", "isNaN", "isFinite", "parseInt", "parseFloat", "escape", "unescape"],
  ...["decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "atob", "btoa", "structuredClone"],
  ...["Object", "Array", "String", "Number", "Boolean", "BigInt", "Symbol", "Math", "JSON", "Date", "RegExp", "Intl"],
  ...["Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Promise", "Proxy", "Reflect", "Iterator", "Temporal"],
  ...["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"],
  ...["SuppressedError", "DisposableStack", "AsyncDisposableStack", "ArrayBuffer", "DataView"],
  ...["Int8Array", "Int16Array", "Int32Array", "Uint8Array", "Uint8ClampedArray", "Uint16Array", "Uint32Array"],
  ...["Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
  ...["TextEncoder", "TextDecoder", "URL", "URLSearchParams", "URLPattern"],
])

const reply: (message: WorkerReply) => void = postMessage
const later = setImmediate
const { add } = Atomics
const print = JSON.stringify

let counters = new Int32Array(new SharedArrayBuffer(8))
let parse: (line: string, ts: string) => unknown = () => []
let reset: () => void = () => undefined

/** Requests that are not handled yet, and the one that is. */
const waiting: WorkerRequest[] = []

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  if (waiting.push(data) === 1) begin(data)
})

function begin(request: WorkerRequest): void {
  if (request.type === "load") counters = new Int32Array(request.counters)
  add(counters, 0, 1)
  const result = handle(request)
  // In a task of its own, so that what the parser left to promises is part of this request.
  later(() => {
    add(counters, 1, 1)
    reply(result)
    waiting.shift()
    const [next] = waiting
    if (next !== undefined) begin(next)
  })
}

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
  const world = globalThis
  const hidden = Object.getOwnPropertyNames(world).filter(name => !ALLOWED.has(name))
  // As parameters too, since some globals can't be deleted; only strict code may not have one named `eval`. Strict, so
  // that its functions never get the global object as `this`.
  const run = new Function("exports", "module", ...hidden.filter(name => name !== "eval"), `"use strict";${source}`)
  for (const name of hidden) Reflect.deleteProperty(world, name)
  hideCompilers()
  run(module.exports, module)
  const create = methodOf(module.exports, "createStdoutParser")
  const parser = create === null ? null : create()
  const parseLine = methodOf(parser, "parseLine")
  const chosen = parseLine ?? methodOf(module.exports, "parseStdoutLine")
  if (chosen === null) throw "it exports neither createStdoutParser nor parseStdoutLine"
  parse = (line, ts) => chosen(line, ts)
  if (parseLine !== null) reset = methodOf(parser, "reset") ?? reset
}

/** A method of an untrusted value, bound to it; null if there is none. */
function methodOf(of: unknown, name: string): ((...args: readonly string[]) => unknown) | null {
  if (typeof of !== "object" || of === null) return null
  const method: unknown = Reflect.get(of, name)
  return typeof method === "function" ? (...args) => method.apply(of, args) : null
}

/** Deletes the ways to compile code, which would not have the globals hidden. */
function hideCompilers(): void {
  const makers = [() => undefined, async () => undefined, function* () {}, async function* () {}]
  for (const maker of makers) Reflect.deleteProperty(Object.getPrototypeOf(maker), "constructor")
}
