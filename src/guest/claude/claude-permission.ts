// Makes questions of what Claude Code asks over its control protocol, and its replies of their answers.
import { isObject, type Json, type JsonObject, parseJson, printJson } from "../../../packages/wire/src/json.ts"
import { type GuestQuestion, inputText } from "../common/asking.ts"
import { listOf, objectOf, textOf } from "../common/fields.ts"

/** The step after an answer: another question, or the reply. `refused` says why the answer was not accepted. */
export type Step =
  | { readonly ask: GuestQuestion }
  | { readonly reply: JsonObject; readonly edited?: JsonObject }
  | { readonly refused: string }

/** A request of the CLI, and what a person has answered of it. */
export interface ToolRequest {
  /** The first question. */
  readonly first: GuestQuestion
  /** Takes the answer to the open question. */
  readonly take: (answer: Json) => Step
}

const MAX_INPUT = 1_000_000
const OTHER = "Something else…"

/** A refusal in words, which the model reads. */
export function denied(message: string): JsonObject {
  return { behavior: "deny", message }
}

/** The questions that a request for a tool comes to. */
export function requestOf(request: JsonObject): ToolRequest {
  const input = objectOf(request.input)
  const questions = listOf(input.questions).map(objectOf)
  return request.tool_name === "AskUserQuestion" && questions.length > 0
    ? userQuestions(input, questions)
    : toolRequest(request, input)
}

function toolRequest(request: JsonObject, input: JsonObject): ToolRequest {
  const { tool_name, display_name, description, agent_id } = request
  const name = textOf(display_name) || textOf(tool_name) || "a tool"
  const rules = listOf(request.permission_suggestions).map(objectOf).flatMap(oneByOne)
  const who = textOf(agent_id) === "" ? "it" : `the subagent ${textOf(agent_id)}`
  const about = textOf(description) === textOf(input.description) ? "" : textOf(description)
  const allow = (more: JsonObject = {}): Step => ({ reply: { behavior: "allow", updatedInput: input, ...more } })
  let asked: "choice" | "input" | "words" = "choice"
  return {
    first: {
      type: "select",
      prompt: [`May ${who} run ${name}?`, about, inputText(input)].filter(Boolean).join("\n\n"),
      options: [
        { label: "Allow", value: "allow" },
        { label: "Allow with another input…", value: "edit" },
        ...rules.map((rule, at) => ({ label: `Always: ${ruleWords(rule)}`, value: `always ${at}` })),
        { label: "Deny", value: "deny" },
        { label: "Deny, and say what to do instead…", value: "say" },
      ],
    },
    take(answer) {
      if (asked === "words") return { reply: denied(textOf(answer) || DENIED) }
      if (asked === "input") {
        const edited = parseJson(textOf(answer))
        if (!isObject(edited)) return { refused: "expected an object of JSON" }
        return { reply: { behavior: "allow", updatedInput: edited }, edited }
      }
      const rule = rules[Number(/^always (\d+)$/.exec(textOf(answer))?.[1] ?? Number.NaN)]
      if (rule !== undefined) return allow({ updatedPermissions: [rule] })
      if (answer === "allow") return allow()
      if (answer === "edit") {
        asked = "input"
        return { ask: { type: "text", prompt: `The input for ${name}, as JSON`, default: printJson(input, MAX_INPUT) } }
      }
      if (answer !== "say") return { reply: denied(DENIED) }
      asked = "words"
      return { ask: { type: "text", prompt: "What shall it do instead?" } }
    },
  }
}

export const DENIED = "The person denied this."

/** Each rule of a suggestion as a choice of its own: a person allows exactly one. */
function oneByOne(suggestion: JsonObject): readonly JsonObject[] {
  const rules = listOf(suggestion.rules)
  return rules.length < 2 ? [suggestion] : rules.map(rule => ({ ...suggestion, rules: [rule] }))
}

/** A suggestion in full: the rule, and the settings file that it is written to. */
function ruleWords({ type, rules, behavior, directories, mode, destination }: JsonObject): string {
  const names = listOf(rules)
    .map(objectOf)
    .map(({ toolName, ruleContent }) =>
      textOf(ruleContent) === "" ? textOf(toolName) : `${textOf(toolName)}(${textOf(ruleContent)})`,
    )
  const what =
    type === "setMode"
      ? `switch to the mode ${textOf(mode)}`
      : type === "addDirectories"
        ? `work in ${listOf(directories).map(textOf).join(", ")} too`
        : `${textOf(behavior) || "allow"} ${names.join(", ") || textOf(type)}`
  return `${what}, ${PLACES[textOf(destination)] ?? `in ${textOf(destination)}`}`
}

const PLACES: { readonly [destination: string]: string } = {
  session: "for this session",
  localSettings: "in .claude/settings.local.json",
  projectSettings: "in .claude/settings.json, for everyone in the project",
  userSettings: "in your own settings, for all projects",
}

/** The CLI's own questions, one after the other. */
function userQuestions(input: JsonObject, questions: readonly JsonObject[]): ToolRequest {
  const answers: { [question: string]: string } = {}
  let at = 0
  let isOther = false
  const ask = (): GuestQuestion => questionOf(questions[at] ?? {})
  return {
    first: ask(),
    take(answer) {
      const said = Array.isArray(answer) ? answer.map(textOf).join(", ") : textOf(answer)
      const question = textOf(questions[at]?.question)
      if (said === OTHER && !isOther) {
        isOther = true
        return { ask: { type: "text", prompt: question } }
      }
      isOther = false
      answers[question] = said
      at++
      return at < questions.length
        ? { ask: ask() }
        : { reply: { behavior: "allow", updatedInput: { ...input, answers } } }
    },
  }
}

function questionOf({ question, options, multiSelect }: JsonObject): GuestQuestion {
  const choices = listOf(options).map(objectOf)
  if (choices.length === 0) return { type: "text", prompt: textOf(question) }
  const labels = choices.map(({ label, description }) => ({
    label: [textOf(label), textOf(description)].filter(Boolean).join(" – "),
    value: textOf(label),
  }))
  return multiSelect === true
    ? { type: "multi", prompt: textOf(question), options: labels }
    : { type: "select", prompt: textOf(question), options: [...labels, { label: OTHER, value: OTHER }] }
}
