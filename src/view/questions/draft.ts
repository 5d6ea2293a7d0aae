import type { Answer } from "../../../packages/wire/src/command.ts"
import type { Json } from "../../../packages/wire/src/json.ts"
import type { PromptKey } from "../../run/model/id.ts"

/** What a person has done to an open prompt so far. */
export interface PromptDraft {
  readonly key: PromptKey
  /** The answer to a text prompt; in other prompts the text that finds an option. */
  readonly text: string
  readonly top: number
  /** The option under the cursor; -1 for none, in a confirm prompt. */
  readonly cursor: number
  /** Options picked in a multi prompt, in the order of the options. */
  readonly picked: readonly number[]
  readonly edits?: number
  /** The answer to a secret question, once sent: the run does not hold it. */
  readonly secret?: Json
}

/** An answer of one key, which is not sent while it can be taken back. */
export interface HeldAnswer {
  readonly key: PromptKey
  readonly command: Answer
  /** The answer, shortened to a part of a line. */
  readonly words: string
  /** When it is sent, epoch ms. */
  readonly until: number
}

/** A text typed for a question that closed before it was answered, or cleared from its field. */
export interface KeptText {
  readonly key: PromptKey
  readonly text: string
  /** When the question closed, or the field was cleared, epoch ms. */
  readonly at: number
  /** The question into whose field it went: the next of the same asker, or its own; null if there is none. */
  readonly heir: PromptKey | null
}

/** The number of texts that are kept. */
const KEPT = 9

/** The kept texts with more behind them. */
export function keptTexts(before: readonly KeptText[], ...more: readonly KeptText[]): readonly KeptText[] {
  return [...before, ...more].slice(-KEPT)
}

/** The draft that a prompt starts with: its default, where it has one. */
export function freshDraft(
  key: PromptKey,
  options: readonly { readonly value: Json }[],
  preset: Json | undefined,
): PromptDraft {
  const chosen = (value: Json) => options.findIndex(option => JSON.stringify(option.value) === JSON.stringify(value))
  if (Array.isArray(preset)) {
    const picked = preset.map(chosen).filter(index => index >= 0)
    return { key, text: "", top: 0, cursor: 0, picked: picked.toSorted((a, b) => a - b) }
  }
  if (preset === undefined) return { key, text: "", top: 0, cursor: 0, picked: [] }
  const text = typeof preset === "string" && options.length === 0 ? preset : ""
  return { key, text, top: 0, cursor: Math.max(0, chosen(preset)), picked: [] }
}
