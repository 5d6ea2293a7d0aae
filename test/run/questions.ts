// Tells stories of questions in words, and what became of each question, for tables of them.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Prompt } from "../../src/run/model/prompts.ts"
import { mayBeAnswered, unheardPrompts } from "../../src/run/select/figures.ts"
import { greeted } from "./agent-model.ts"
import { storiesOf } from "./kept.ts"
import { attach, delta, event, line, tell } from "./lines.ts"

/** The agent's events of questions: their names, and the key that holds the last word of a step. */
const EVENTS: Readonly<Record<string, readonly [name: string, key: string]>> = {
  starts: ["start", "prompt"],
  answered: ["answer", "answer"],
  cancelled: ["cancelled", "message"],
  interrupted: ["interrupted", "message"],
  refused: ["validation-failed", "errors"],
  failed: ["error", "message"],
}

/**
 * The lines of a story. Its steps are separated by commas: `ask 1 a` is the prompt `p#1` of the invokeid `a`, `-` of
 * none, which may have words of its own as a fourth and a kind as a fifth; `say 1 x` and `drop 1` are our answer and
 * our cancellation; `answered a x` and the others of `EVENTS` are the agent's; `attach`, `greeted`, `run` and `more` are
 * an attachment, the end of its greeting, a run that begins, and a delta; `join` is an attachment later than all events
 * by its time; after `from 2` events are numbered from 2 on, as a ring repeats them; `~` is a word that is left out.
 */
export function story(text: string): readonly Decoded[] {
  let seq = 0
  let runs = 0
  return text.split(", ").flatMap(step => {
    const [verb = "", one = "", two, prompt = "?", kind = "text"] = step.split(" ")
    if (verb === "attach") return attach
    if (verb === "join") return line({ kind: "sidecar", at: 10_000, what: "link", state: "open" })
    if (verb === "greeted") return greeted
    if (verb === "more") return delta(++seq, "x")
    if (verb === "from") {
      seq = Number(one) - 1
      return []
    }
    if (verb === "run") {
      seq = 1
      return event(1, "runner/started", {}, 10 + 1000 * runs++)
    }
    if (verb === "ask")
      return line({ kind: "prompt", "prompt-id": `p#${one}`, ...named(two), type: kind, opts: { prompt } })
    if (verb === "say") return line({ kind: "answer", "prompt-id": `p#${one}`, value: two })
    if (verb === "drop") return line({ kind: "answer", "prompt-id": `p#${one}`, cancelled: true })
    const [name, key] = EVENTS[verb] ?? []
    const said = two ?? (verb === "starts" ? "?" : undefined)
    if (name === undefined || key === undefined) throw new RangeError(`no step ${step}`)
    return event(++seq, `human-input/${name}`, {
      ...(kind !== "~" && { kind }),
      ...named(one),
      ...(said !== undefined && said !== "~" && { [key]: said }),
    })
  })
}

const named = (invokeid = "-") => (invokeid === "-" ? {} : { invokeid })

/** A test for each story of a file, by the rule that it shows: a line of its steps, an arrow, and its endings. */
export function testStories(file: string): void {
  for (const [rule, rows] of storiesOf(file)) {
    describe(rule, () => {
      test.each(rows.map(row => row.split(" →")))("%s", (lines, ends = "") => expect(endings(lines)).toBe(ends.trim()))
    })
  }
}

/**
 * What became of each question: its state, `!` if the agent told it, `=` our answer, `~` the agent's, its errors, and
 * `?` if it may be answered already; then, behind a `+`, the questions whose prompt never came.
 */
function endings(text: string): string {
  const run = tell(story(text))
  const unheard = unheardPrompts(run).map(
    ({ invokeid, inGreeting }) => `+${invokeid ?? "-"}${inGreeting ? " before" : ""}`,
  )
  return [...run.prompts.map(one => `${ending(one)}${mayBeAnswered(run, one) ? "?" : ""}`), ...unheard].join(", ")
}

function ending({ state, confirmed, answer, reportedAnswer, errors, lost }: Prompt): string {
  const words = [
    answer?.value === undefined ? "" : `=${answer.value}`,
    reportedAnswer === null ? "" : `~${reportedAnswer}`,
    ...errors.map(one => ` ${one}`),
    lost ? " lost" : "",
  ]
  return `${state}${confirmed ? "!" : ""}${words.join("")}`
}
