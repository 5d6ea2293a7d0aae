// Draws schedules of an agent that asks, and checks what each viewer shows as open against what it was told. Not drawn,
// since the wire can't tell (docs/contract.md section 2): a prompt that overtakes the ring of a greeting. Of nameless
// prompts in the same words none may be lost, but one that has ended may stay, as may that of a greeting that was cut.
import { expect } from "bun:test"
import fc from "fast-check"
import { forAll } from "../for-all.ts"
import { AgentModel, type Asker, type Ending, type Habits, type Question, ViewerModel } from "./agent-model.ts"

const OPS = ["ask", "prompt", "answer", "cancel", "take", "end", "talk", "cut", "attach", "read", "restart"] as const
type Op = readonly [op: (typeof OPS)[number], n: number, who: 0 | 1]
const ASKERS: readonly Asker[] = ["a", "b", "c"]
const ENDINGS: readonly Ending[] = ["answer", "cancelled", "interrupted", "error", "validation-failed"]

const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("ask", "prompt", "read") },
    { weight: 4, arbitrary: fc.constantFrom("answer", "take", "end", "attach", "read") },
    { weight: 1, arbitrary: fc.constantFrom<Op[0]>("cancel", "talk", "cut") },
    { weight: 1, arbitrary: fc.constantFrom<Op[0]>("restart", "cut", "attach") },
  ),
  fc.nat(9),
  fc.constantFrom(0, 1),
)

function perform(agent: AgentModel, [name, n, who]: Op): unknown {
  const viewer = agent.viewers[who]
  const { overtakes } = agent.habits
  if (viewer === undefined) return
  const asked = agent.questions[agent.questions.length - 1 - (n % 3)]
  switch (name) {
    case "ask":
      agent.ask(ASKERS[n % 3] ?? "a")
      if (n > 2) agent.prompt()
      return
    case "prompt":
      return agent.prompt()
    case "answer":
      return viewer.answer(n, `answer ${n}`)
    case "cancel":
      return viewer.answer(n, null)
    case "take":
      return agent.take(n === 0)
    case "end":
      if (asked !== undefined) agent.end(asked, ENDINGS[n % 5] ?? "answer")
      return
    case "talk":
      agent.prompt()
      return agent.talk(n < 7 ? n : 300)
    case "cut":
      return viewer.cut()
    case "attach":
      agent.prompt()
      if (viewer.isAttached) return
      agent.greet(viewer)
      viewer.read(n > 4 || overtakes ? Number.POSITIVE_INFINITY : n)
      return n > 6 || overtakes ? viewer.endGreeting() : undefined
    case "read":
      agent.prompt()
      viewer.read(n > 7 ? Number.POSITIVE_INFINITY : n)
      return n % 2 === 0 ? viewer.endGreeting() : undefined
    case "restart":
      return agent.restart()
  }
}

/** All that is on its way arrives. */
function settleDown(agent: AgentModel): void {
  agent.prompt()
  for (const viewer of agent.viewers) {
    if (!viewer.isAttached) agent.greet(viewer)
    viewer.read(Number.POSITIVE_INFINITY)
    viewer.endGreeting()
  }
  while (agent.inbound.length > 0) agent.take(false)
  for (const viewer of agent.viewers) viewer.read(Number.POSITIVE_INFINITY)
}

/**
 * The questions that may be open by what this viewer heard, and those that must have ended, if it missed nothing. It
 * follows every history of the agent that the events allow: an asker has one question at a time, and an event that
 * names nobody may have ended any.
 */
function possible(viewer: ViewerModel, namesEvents: boolean): ReadonlySet<Question> {
  let histories: readonly (readonly Question[])[] = [[]]
  for (const [, { about, isStart }] of [...viewer.heard].toSorted(([a], [b]) => a - b)) {
    const isOwn = ({ asker }: Question) => asker === about.asker
    const isNamed = namesEvents || about.how === "answer"
    const after = histories.flatMap((open): readonly (readonly Question[])[] => {
      if (isStart) return open.some(isOwn) ? [] : [[...open, about]]
      if (isNamed) return open.some(isOwn) ? [open.filter(one => !isOwn(one))] : []
      return open.map(ended => open.filter(one => one !== ended))
    })
    histories = [...new Map(after.map(open => [open.map(({ id }) => id).join(), open])).values()]
  }
  expect(histories).not.toEqual([])
  return new Set(histories.flat())
}

/** True if nobody can tell by the wire which of two prompts an asker means. */
const areAlike = ({ isMonotonous, namesPrompts }: Habits): boolean => isMonotonous && !namesPrompts

/** What a viewer shows as open, against what it was told. */
function check(agent: AgentModel, viewer: ViewerModel): void {
  const open = viewer.open_.map(({ frame }) => frame.promptId)
  const mine = new Set(
    viewer.run.prompts
      .filter(({ answer, state }) => answer !== null && state !== "open")
      .map(({ frame }) => frame.promptId),
  )
  // Who missed events can't know whose question an event ended that no prompt is known for.
  if (viewer.hasGap) return
  // A prompt that overtakes several questions of its asker may stay too long, but none is ever closed too early.
  const isTold = !viewer.isUnsure && !agent.habits.overtakes
  const told = [...viewer.prompted].filter(one => agent.questions.includes(one))
  const mayBeOpen = possible(viewer, agent.habits.namesEvents)
  for (const question of told) {
    const { id, asker, how } = question
    if (areAlike(agent.habits)) {
      if (question.isOpen && !mine.has(id)) expect(open).toContain(id)
      continue
    }
    if (mayBeOpen.has(question)) {
      // Whether a cancel arrived before the line was cut isn't told: another's may have come at that time.
      if (!mine.has(id) || (question.isOpen && question.cancelLostBy !== viewer)) expect(open).toContain(id)
      continue
    }
    // A refused one stays open, with the reason, until the prompt that asks it anew comes.
    const isAnew = told.some(one => one.asker === asker && told.indexOf(one) > told.indexOf(question))
    if (how === "validation-failed" && !isAnew) continue
    if (isTold) expect(open).not.toContain(id)
  }
  expect(open.filter(id => !told.some(question => question.id === id))).toEqual([])
}

/** Tries this many schedules; throws with the smallest one in which a viewer shows what it should not. */
export async function trySchedules(seed: number, numRuns: number): Promise<void> {
  const habits = fc.record({
    namesPrompts: fc.boolean(),
    namesEvents: fc.boolean(),
    isMonotonous: fc.boolean(),
    overtakes: fc.boolean(),
  })
  const schedule = fc.array(op, { minLength: 5, maxLength: 60, size: "max" })
  await forAll(
    [habits, schedule],
    { numRuns, seed, includeErrorInReport: true },
    (habits: Habits, ops: readonly Op[]) => {
      const agent = new AgentModel(habits)
      const viewers = [new ViewerModel(agent), new ViewerModel(agent)]
      for (const one of ops) perform(agent, one)
      settleDown(agent)
      for (const viewer of viewers) check(agent, viewer)
      expect(agent.sentAgain).toBe(0)
      for (const question of agent.questions) agent.end(question, "interrupted")
      settleDown(agent)
      for (const viewer of viewers) {
        check(agent, viewer)
        if (!viewer.hasGap && !viewer.isUnsure && !habits.overtakes && !areAlike(habits))
          expect(viewer.open_.filter(({ isRefused }) => !isRefused)).toEqual([])
      }
    },
  )
}
