// The profiles of `/compat`: those of the package's main export, and AutoByteus' tags, whose reader is the largest.

import { callBlock } from "../xml-tags.ts"
import { BUILT_IN } from "./built-in.ts"
import { IN_TAGS } from "./format.ts"
import type { TagFormats } from "./tag-format.ts"
import { getToolSyntaxSpec } from "./tool-syntax.ts"

export * from "./profiles.ts"

/** `<write_file>`, `<run_bash>` and `<tool name="…">`: AutoByteus. */
export const autobyteus: TagFormats = {
  autobyteus: { kit: { callBlock, inTags: IN_TAGS, specOf: getToolSyntaxSpec, builtIn: BUILT_IN } },
}
