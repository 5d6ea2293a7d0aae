// Gathers the readers of every syntax, for those who choose one by name.

import { JSON_CALLS } from "../json-opening.ts"
import type { Kit } from "../working-copy.ts"
import { callBlock } from "../xml-tags.ts"
import { BUILT_IN } from "./built-in.ts"
import { IN_TAGS } from "./format.ts"
import { SENTINELS } from "./sentinel.ts"
import { STRINGS } from "./string-format.ts"
import { getToolSyntaxSpec } from "./tool-syntax.ts"

export const FULL_KIT: Kit = {
  callBlock,
  inTags: IN_TAGS,
  specOf: getToolSyntaxSpec,
  builtIn: BUILT_IN,
  strings: STRINGS,
  json: JSON_CALLS,
  sentinel: SENTINELS,
}
