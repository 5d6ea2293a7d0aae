// Makes a run for the agent to play: concurrent sessions, tools, states, questions and restarts.
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { type Random, randomOf } from "./random.ts"

export interface Story {
  readonly lines: readonly string[]
  /** The ids of the questions. */
  readonly questions: readonly string[]
}

export function storyOf(seed: number): Story {
  const random = randomOf(seed ^ 0x51017)
  const lines: string[] = []
  const questions: string[] = []
  let number = 0
  const tell = (event: string, data: JsonObject): void => {
    number++
    const pause = random.next() < 0.02 ? random.whole(1, 20) : 0
    lines.push(JSON.stringify({ kind: "event", seq: number, ts: 1000 + Math.floor(number / 8) + pause, event, data }))
  }
  const epochs = random.next() < 0.15 ? 2 : 1
  for (let epoch = 1; epoch <= epochs; epoch++) {
    tell("runner/started", { "session-id": `run-${epoch}`, "chart-id": ":chaos" })
    const acts = random.whole(1, 4)
    for (let act = 1; act <= acts; act++) {
      const name = `act-${epoch}-${act}`
      tell("runner/event-processed", {
        "event-name": `to.${name}`,
        "config-before": [],
        "config-after": ["run", name],
        entered: [name],
        exited: [],
        "event-data": {},
      })
      lines.push(JSON.stringify({ kind: "phase", ts: 1000, config: ["run", name], breadcrumb: ["run", name] }))
      talk(random, name, tell)
      if (act < acts || epoch === epochs) ask(random, `ask-${epoch}-${act}`, { lines, questions, tell })
    }
  }
  tell("runner/done", { status: "done", "final-config": ["done"] })
  return { lines, questions }
}

/** Sessions of one invocation, delta by delta and in turns. */
function talk(random: Random, name: string, tell: (event: string, data: JsonObject) => void): void {
  const sessions = Array.from({ length: random.whole(1, 5) }, (_, index) => ({
    invokeid: index % 2 === 0 ? name : `${name}-b`,
    "session-id": `${name}.${index}`,
  }))
  for (const who of sessions) tell("llm/start", { ...who, model: "m" })
  const rounds = random.whole(1, 120)
  for (let round = 0; round < rounds; round++) {
    const who = random.pick([sessions[0] ?? { invokeid: name, "session-id": name }, ...sessions])
    if (random.next() < 0.03) {
      tell("llm/tool-result", {
        ...who,
        tool: "look",
        "is-error": random.next() < 0.3,
        "content-preview": `saw ${round}`,
      })
    } else if (random.next() < 0.02) tell("llm/retry", { ...who, attempt: 1, "max-retries": 3, reason: "slow" })
    else {
      const type = random.next() < 0.2 ? "thinking-delta" : "text-delta"
      tell("llm/delta", { ...who, type, model: "m", text: `${round}${"é".repeat(random.whole(0, 3))} ` })
    }
  }
  for (const who of sessions) {
    if (random.next() < 0.1) tell("llm/error", { ...who, message: "no more" })
    tell("llm/worker-exit", { ...who, reason: "done" })
  }
}

interface Out {
  readonly lines: string[]
  readonly questions: string[]
  readonly tell: (event: string, data: JsonObject) => void
}

function ask(random: Random, name: string, { lines, questions, tell }: Out): void {
  const id = `${name}#1`
  questions.push(id)
  const type = random.pick(["text", "confirm", "select"])
  const options =
    type === "select"
      ? {
          options: [
            { label: "One", value: 1 },
            { label: "Two", value: "two" },
          ],
        }
      : {}
  lines.push(
    JSON.stringify({ kind: "prompt", "prompt-id": id, invokeid: name, type, opts: { prompt: `${name}?`, ...options } }),
  )
  tell("human-input/start", { kind: type, invokeid: name })
}
