// Makes lines of every kind that a run may hold, also invalid ones.
import fc from "fast-check"

export const few = (...values: readonly string[]) => fc.constantFrom(...values)
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { freq: 4, nil: null })
const owner = { invokeid: maybe(few("a", "b", "__proto__")), "session-id": maybe(few("1", "2", ":1")) }
const seq = maybe(fc.oneof(fc.nat(12), fc.nat(40), fc.constantFrom(500, 70_000, 200_000)))
const ts = maybe(fc.integer({ min: 1000, max: 1040 }))
const usage = maybe(fc.record({ "output-tokens": fc.nat(90) }))
const texts = fc.array(few("run", "x", "done"), { maxLength: 3 })
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string({ maxLength: 5 }) }),
  fc.record({ type: fc.constant("thinking"), thinking: fc.string({ maxLength: 5 }) }),
  fc.record({ type: fc.constant("tool_use"), name: fc.constant("t"), input: fc.object({ maxDepth: 1 }) }),
)

export const eventNames = [
  ..."started start-config event-processed done aborted error tick".split(" ").map(name => `runner/${name}`),
  ..."start request response error model-down tool-result worker-exit user-message context-warning"
    .split(" ")
    .map(n => `llm/${n}`),
  ..."model-policy-empty retry".split(" ").map(name => `llm/${name}`),
  ..."start answer cancelled error validation-failed interrupted".split(" ").map(name => `human-input/${name}`),
  "checkpoint/written",
  "debug/awaiting-step",
  "debug/awaiting-quit",
  "debug/branch-error",
  "transcript/serialize-error",
  "brand/new",
]

export const data = fc.record({
  ...owner,
  message: maybe(few("no", "gone")),
  reason: maybe(few("done", "error")),
  status: maybe(few("done", "error")),
  content: maybe(fc.array(block, { maxLength: 3 })),
  "user-blocks": maybe(fc.array(block, { maxLength: 2 })),
  "system-preview": maybe(few("kind", "strict")),
  "stop-reason": maybe(few("end_turn", "max_tokens")),
  "output-tps": maybe(fc.nat(99)),
  "is-error": maybe(fc.boolean()),
  config: maybe(texts),
  "config-after": maybe(texts),
  "final-config": maybe(texts),
  usage,
})

export const delta = fc.record({
  ...owner,
  type: few("text-delta", "thinking-delta"),
  text: fc.oneof(fc.string({ maxLength: 4 }), fc.constant("x".repeat(5000))),
  coalesced: maybe(fc.integer({ min: 1, max: 9 })),
  usage,
})

const promptId = few("p#1", "p#2", "p#3")
/** A line of any kind, as an object. */
export const row: fc.Arbitrary<object> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("event"), seq, ts, event: fc.constant("llm/delta"), data: delta }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("event"), seq, ts, event: fc.constantFrom(...eventNames), data }),
  },
  fc.record({ kind: fc.constant("phase"), ts, config: texts, breadcrumb: maybe(texts), siblings: maybe(texts) }),
  fc.record({
    kind: fc.constant("prompt"),
    "prompt-id": promptId,
    invokeid: owner.invokeid,
    type: few("text", "multi"),
  }),
  fc.record({ kind: fc.constant("answer"), "prompt-id": promptId, value: few("v"), cancelled: maybe(fc.boolean()) }),
  fc.record({
    kind: fc.constant("debug"),
    paused: fc.boolean(),
    branch: maybe(
      fc.record({
        "session-id": maybe(few("1", "b1", "b2", "__proto__")),
        parent: maybe(few("1", "b1", "b2")),
        "branch-point": maybe(fc.record({ "node-id": maybe(few("a")), turn: maybe(fc.nat(3)) })),
      }),
    ),
  }),
  fc.record({ kind: fc.constant("control"), op: few("run-finished", "pause"), "final-config": maybe(texts) }),
  fc.record({
    kind: fc.constant("progress"),
    phase: few("start", "update", "end"),
    invokeid: owner.invokeid,
    pct: maybe(fc.nat(1)),
  }),
  fc.record({ kind: fc.constant("conversation"), invokeid: owner.invokeid, turns: fc.constant([]) }),
  fc.record({ kind: fc.constant("model-catalog"), aliases: fc.constant([]) }),
  fc.record({
    kind: fc.constant("sidecar"),
    at: fc.nat(9),
    what: few("link", "refused", "gap", "start"),
    state: few("open", "lost"),
  }),
  fc.record({ kind: few("nobody", "event") }),
)
