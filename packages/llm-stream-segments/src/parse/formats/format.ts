// Makes formats from their descriptions, each with the readers that it needs.
import { runCall } from "../block-body.ts"
import { TagArguments } from "../tag-arguments.ts"
import type { Kit } from "../working-copy.ts"
import { callBlock } from "../xml-tags.ts"
import { castsOf } from "./schema-types.ts"
import { STRINGS } from "./string-format.ts"
import type { ArgumentsFormat, CallFormat, StringFormat, TagFormats } from "./tag-format.ts"

export { keyed, python } from "./literal.ts"

/** Formats of free strings, which may stand among others. */
export function strings(formats: {
  readonly [name: string]: TagFormats[string] | Omit<StringFormat, "kit">
}): TagFormats {
  const kit = { strings: STRINGS }
  const all = Object.entries(formats)
  return Object.fromEntries(
    all.map(([name, each]) => [name, typeof each === "object" && "open" in each ? { ...each, kit } : each]),
  )
}

/** What reads arguments in tags. */
export const IN_TAGS: NonNullable<Kit["inTags"]> = {
  run: runCall,
  reader: (style, tools, name, tell) => {
    return new TagArguments(style, tools.length === 0 ? undefined : castsOf(tools, name), tell)
  },
}

/** The same for tags that are calls. */
const CALL_TAGS: Kit = { callBlock, inTags: IN_TAGS }

/** A call named by `name="…"` or `=…`, with arguments in JSON, `<parameter>`s or elements. */
export const tool: CallFormat = { style: null, isElement: false, kit: CALL_TAGS }

/** The same, with arguments that are written between these; with no `close`, their own names close them. */
export function styled(open: string, headEnd: string, close: string): CallFormat {
  return { style: { open, headEnd, close }, isElement: false, kit: CALL_TAGS }
}

/** Arguments that are written between these, in a format of free strings. */
export function between(open: string, headEnd: string, close: string): ArgumentsFormat {
  return { style: { open, headEnd, close }, kit: { inTags: IN_TAGS } }
}

/** A call of the tag's own name, with a tag for each argument. */
export const element: CallFormat = {
  style: { open: "<", headEnd: ">", close: "", isText: true },
  isElement: true,
  kit: CALL_TAGS,
}
