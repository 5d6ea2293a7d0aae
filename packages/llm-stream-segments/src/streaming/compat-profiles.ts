// The profiles of `/compat`: those of the package's main export, and AutoByteus' tags, whose reader is the largest.
import { BUILT_IN } from "../parse/formats/built-in.ts"
import { IN_TAGS } from "../parse/formats/format.ts"
import type { TagFormats } from "../parse/formats/tag-format.ts"
import { getToolSyntaxSpec } from "../parse/formats/tool-syntax.ts"
import { callBlock } from "../parse/xml-tags.ts"

export * from "../parse/formats/profiles.ts"

/** `<write_file>`, `<run_bash>` and `<tool name="…">`: AutoByteus. */
export const autobyteus: TagFormats = {
  autobyteus: { kit: { callBlock, inTags: IN_TAGS, specOf: getToolSyntaxSpec, builtIn: BUILT_IN } },
}
