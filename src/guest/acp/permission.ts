// Makes questions of the requests of the Agent Client Protocol, and replies of the answers.
import { isList, type Json, type JsonObject } from "../../../packages/wire/src/json.ts"
import { type GuestQuestion, inputText } from "../common/asking.ts"
import { listOf, objectOf, textOf } from "../common/fields.ts"
import type { ToolCall } from "./tool-call.ts"

/** The question whether a tool may run: its whole input, and the agent's own options. */
export function permissionQuestion(call: ToolCall, options: Json | undefined): GuestQuestion {
  // Without an input only the title is known, which the question has.
  const { title: known, ...rest } = call.input
  const input = inputText(known === call.title ? rest : call.input)
  const words = call.title === call.name ? call.name : `${call.name}: ${call.title}`
  const [first = "", ...below] = words.split("\n")
  const title = below.length > 0 && !input.includes(call.title) ? call.title : ""
  return {
    type: "select",
    prompt: [`May it run ${first}${below.length > 0 ? " …" : ""}?`, title, input].filter(Boolean).join("\n\n"),
    options: listOf(options)
      .map(objectOf)
      .map(({ optionId, name }) => ({ label: textOf(name) || textOf(optionId), value: textOf(optionId) })),
  }
}

/** The reply to a request for a permission; undefined: the person cancelled. */
export function permissionResult(answer: Json | undefined): JsonObject {
  const outcome = typeof answer === "string" ? { outcome: "selected", optionId: answer } : { outcome: "cancelled" }
  return { outcome }
}

/** The option that refuses, for runs without a person; null if the agent offers none. */
export function refusingOption(options: Json | undefined): string | null {
  const all = listOf(options).map(objectOf)
  const found = all.find(({ kind }) => kind === "reject_once") ?? all.find(({ kind }) => kind === "reject_always")
  return found === undefined ? null : textOf(found.optionId)
}

export interface FormField {
  readonly name: string
  readonly question: GuestQuestion
  readonly value: (answer: Json) => Json
}

/** The fields of a form that an agent asks to fill in, in their order. One of an unknown type is asked as text. */
export function formFields({ message, requestedSchema }: JsonObject): readonly FormField[] {
  const { properties } = objectOf(requestedSchema)
  return Object.entries(objectOf(properties)).map(([name, schema]) => fieldOf(name, objectOf(schema), textOf(message)))
}

function fieldOf(name: string, schema: JsonObject, message: string): FormField {
  const { type, title, description, default: preset } = schema
  const prompt = [message, textOf(title) || name, textOf(description)].filter(Boolean).join("\n\n")
  const asked = { prompt, ...(preset !== undefined && { default: preset }) }
  const choices = choicesOf(schema)
  const items = choicesOf(objectOf(schema.items))
  const same = (answer: Json): Json => answer
  if (type === "boolean") return { name, question: { type: "confirm", ...asked }, value: same }
  if (items.length > 0) {
    const value = (answer: Json): Json => (isList(answer) ? answer : [answer])
    return { name, question: { type: "multi", ...asked, options: items }, value }
  }
  if (choices.length > 0) return { name, question: { type: "select", ...asked, options: choices }, value: same }
  const isNumber = type === "number" || type === "integer"
  const number = (answer: Json): Json => (Number.isFinite(Number(answer)) && answer !== "" ? Number(answer) : answer)
  const text = preset === undefined ? asked : { prompt, default: String(preset) }
  return { name, question: { type: "text", ...text }, value: isNumber ? number : same }
}

/** The choices: `oneOf` or `anyOf` with titles, or `enum`. */
function choicesOf({ oneOf, anyOf, enum: values, enumNames }: JsonObject): { label: string; value: Json }[] {
  const titled = listOf(oneOf ?? anyOf).map(objectOf)
  if (titled.length > 0)
    return titled.map(one => ({ label: textOf(one.title) || textOf(one.const), value: one.const ?? "" }))
  return listOf(values).map((value, at) => ({ label: textOf(listOf(enumNames)[at]) || String(value), value }))
}
