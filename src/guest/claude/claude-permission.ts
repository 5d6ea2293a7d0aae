// Makes questions of the requests of Claude Code's control protocol, and replies of the answers.
import { isObject, type JsonObject, parseJson, printJson } from "../../../packages/wire/src/json.ts"
import { type GuestQuestion, inputText, type TakeAnswer } from "../common/asking.ts"
import { listOf, objectOf, textOf } from "../common/fields.ts"

/** Asks a person for the decision on a request of the CLI, and sends the reply. */
export interface Asker {
  readonly ask: (question: GuestQuestion, take: TakeAnswer) => void
  readonly reply: (response: JsonObject) => void
  /** The tool runs with this input in the place of its own. */
  readonly edited: (input: JsonObject) => void
}

const MAX_INPUT = 1_000_000
const OTHER = "Something else…"

/** A refusal in words, which the model reads. */
export function denied(message: string): JsonObject {
  return { behavior: "deny", message }
}

/** Asks whether a tool may run, or the tool's own questions. */
export function askForTool(request: JsonObject, asker: Asker): void {
  const input = objectOf(request.input)
  const questions = listOf(input.questions).map(objectOf)
  if (request.tool_name === "AskUserQuestion" && questions.length > 0) askUser(input, questions, {}, asker)
  else askPermission(request, input, asker)
}

function askPermission(request: JsonObject, input: JsonObject, { ask, reply, edited }: Asker): void {
  const { tool_name, display_name, description, agent_id } = request
  const name = textOf(display_name) || textOf(tool_name) || "a tool"
  const rules = listOf(request.permission_suggestions).map(objectOf).flatMap(oneByOne)
  const asks = textOf(agent_id) === "" ? "it" : `the subagent ${textOf(agent_id)}`
  const about = textOf(description) === textOf(input.description) ? "" : textOf(description)
  const allow = (more: JsonObject = {}): void => reply({ behavior: "allow", updatedInput: input, ...more })
  const question: GuestQuestion = {
    type: "select",
    prompt: [`May ${asks} run ${name}?`, about, inputText(input)].filter(Boolean).join("\n\n"),
    options: [
      { label: "Allow", value: "allow" },
      { label: "Allow with another input…", value: "edit" },
      ...rules.map((rule, at) => ({ label: `Always: ${ruleWords(rule)}`, value: `always ${at}` })),
      { label: "Deny", value: "deny" },
      { label: "Deny, and say what to do instead…", value: "say" },
    ],
  }
  const edit: GuestQuestion = {
    type: "text",
    prompt: `The input for ${name}, as JSON`,
    default: printJson(input, MAX_INPUT),
    refuses: answer => (isObject(parseJson(textOf(answer))) ? null : "expected an object of JSON"),
  }
  const takeInput: TakeAnswer = answer => {
    const updatedInput = parseJson(textOf(answer))
    if (!isObject(updatedInput)) return reply(denied(DENIED))
    reply({ behavior: "allow", updatedInput })
    edited(updatedInput)
  }
  ask(question, answer => {
    const rule = rules[Number(/^always (\d+)$/.exec(textOf(answer))?.[1] ?? Number.NaN)]
    if (rule !== undefined) allow({ updatedPermissions: [rule] })
    else if (answer === "allow") allow()
    else if (answer === "edit") ask(edit, takeInput)
    else if (answer === "say")
      ask({ type: "text", prompt: "What shall it do instead?" }, words => reply(denied(textOf(words) || DENIED)))
    else reply(denied(DENIED))
  })
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

/** Asks the CLI's own questions, one after the other. */
function askUser(
  input: JsonObject,
  [question, ...rest]: readonly JsonObject[],
  answers: { readonly [question: string]: string },
  asker: Asker,
): void {
  const { ask, reply } = asker
  if (question === undefined) {
    reply({ behavior: "allow", updatedInput: { ...input, answers } })
    return
  }
  const words = textOf(question.question)
  const take: TakeAnswer = answer => {
    if (answer === undefined) return reply(denied(DENIED))
    const said = Array.isArray(answer) ? answer.map(textOf).join(", ") : textOf(answer)
    askUser(input, rest, { ...answers, [words]: said }, asker)
  }
  ask(questionOf(question), answer => {
    const chosen = Array.isArray(answer) ? answer : [answer]
    const labels = chosen.filter(one => one !== OTHER)
    if (labels.length === chosen.length) take(answer)
    else ask({ type: "text", prompt: words }, own => take(own === undefined ? own : [...labels, own]))
  })
}

function questionOf({ question, options, multiSelect }: JsonObject): GuestQuestion {
  const choices = listOf(options).map(objectOf)
  if (choices.length === 0) return { type: "text", prompt: textOf(question) }
  const labels = choices.map(({ label, description }) => ({
    label: [textOf(label), textOf(description)].filter(Boolean).join(" – "),
    value: textOf(label),
  }))
  const type = multiSelect === true ? "multi" : "select"
  return { type, prompt: textOf(question), options: [...labels, { label: OTHER, value: OTHER }] }
}
