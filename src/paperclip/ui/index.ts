// What a user interface takes from this adapter: the parser of runs, the builder of configurations, the form.
import { label, type } from "../kind.ts"
import { parseStdoutLine } from "../ui-parser.ts"
import { buildConfig } from "./build-config.ts"

export { createStdoutParser, parseEscapementStdoutLine, parseStdoutLine } from "../ui-parser.ts"
export { buildConfig, buildConfig as buildEscapementConfig } from "./build-config.ts"
export {
  type Component,
  type ConfigFieldsProps,
  createConfigFields,
  type Primitives,
  type ReactLike,
} from "./config-form.ts"

/** The module object of the seed's section 4.2 but for `ConfigFields`, which `createConfigFields` makes of the host's React. */
export const escapementUIAdapter = { type, label, parseStdoutLine, buildAdapterConfig: buildConfig }
