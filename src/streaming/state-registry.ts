// Registers the state classes of tools.
import { EDIT_FILE_SHAPE, GENERIC_SHAPE, RUN_BASH_SHAPE, WRITE_FILE_SHAPE } from "../parse/content-tools.ts"
import { asciiLower } from "../parse/marker.ts"
import type { ResolveTool, ToolShape } from "../parse/parser-state.ts"
import {
  type BaseState,
  XmlEditFileToolParsingState,
  XmlRunBashToolParsingState,
  XmlToolParsingState,
  XmlWriteFileToolParsingState,
} from "./state-classes.ts"
import type { ParserContext } from "./state-context.ts"

/** A class whose instances read a tool's text after its opening tag. */
export type XmlToolStateClass = new (context: ParserContext, openingTag: string) => BaseState

/** Our own classes only define a layout, so the pure parser reads these tools without an instance. */
const PLAIN: ReadonlyMap<XmlToolStateClass, ToolShape> = new Map([
  [XmlToolParsingState, GENERIC_SHAPE],
  [XmlWriteFileToolParsingState, WRITE_FILE_SHAPE],
  [XmlEditFileToolParsingState, EDIT_FILE_SHAPE],
  [XmlRunBashToolParsingState, RUN_BASH_SHAPE],
])

const classes = new Map<string, XmlToolStateClass>([
  [WRITE_FILE_SHAPE.tool, XmlWriteFileToolParsingState],
  [EDIT_FILE_SHAPE.tool, XmlEditFileToolParsingState],
  [RUN_BASH_SHAPE.tool, XmlRunBashToolParsingState],
])

/** Accesses the process-wide table of tool classes; all instances share it. Names keep their case. */
export class XmlToolParsingStateRegistry {
  registerToolState(name: string, stateClass: XmlToolStateClass): void {
    classes.set(name, stateClass)
  }

  getStateForTool(name: string): XmlToolStateClass | undefined {
    return classes.get(name)
  }
}

/** Registers `stateClass` for `<tool name="…">`, ignoring ASCII case (docs/decisions.md 7.4). */
export function registerXmlToolParsingState(name: string, stateClass: XmlToolStateClass): void {
  classes.set(asciiLower(name), stateClass)
}

/** Resolves a tool to its layout, or hands it over to a registered class. */
export const resolveRegistered: ResolveTool = name => {
  const stateClass = classes.get(name)
  return stateClass === undefined ? null : (PLAIN.get(stateClass) ?? "foreign")
}
