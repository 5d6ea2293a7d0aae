// Exports the adapter's UI half: the run parser, the configuration builder and the form.
import { label, type } from "../capabilities.ts"
import { parseStdoutLine } from "../ui-parser.ts"
import { buildConfig, EscapementConfigFields } from "./config-form.ts"

export { createStdoutParser, parseEscapementStdoutLine, parseStdoutLine } from "../ui-parser.ts"
export {
  buildConfig,
  buildConfig as buildEscapementConfig,
  type ConfigFieldsProps,
  createConfigFields,
  EscapementConfigFields,
  type Primitives,
  type ReactLike,
} from "./config-form.ts"

/** The module object for Paperclip's UI (docs/paperclip.md). */
export const escapementUIAdapter = {
  type,
  label,
  parseStdoutLine,
  ConfigFields: EscapementConfigFields,
  buildAdapterConfig: buildConfig,
}
