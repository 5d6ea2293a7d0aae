// Gathers the readers of every syntax, for those who choose one by name.
import { BUILT_IN } from "../built-in.ts"
import { SENTINELS } from "../sentinel.ts"
import { getToolSyntaxSpec } from "../tool-syntax.ts"
import type { Kit } from "../working-copy.ts"
import { IN_TAGS } from "./format.ts"

export const FULL_KIT: Kit = { inTags: IN_TAGS, specOf: getToolSyntaxSpec, builtIn: BUILT_IN, sentinel: SENTINELS }
