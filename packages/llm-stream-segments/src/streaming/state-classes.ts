// Wraps the parser's states in classes that can be subclassed, and registers those of tools.
import { blockUntil, enterBlock } from "../parse/block-body.ts"
import { toolBlock } from "../parse/formats/built-in.ts"
import { EDIT_FILE_SHAPE, GENERIC_SHAPE, RUN_BASH_SHAPE, WRITE_FILE_SHAPE } from "../parse/formats/content-tools.ts"
import { SENTINEL_END } from "../parse/formats/sentinel.ts"
import type { ResolveTool, ToolShape } from "../parse/formats/tool-mode.ts"
import { asciiLower } from "../parse/marker.ts"
import type { Metadata, SegmentType } from "../parse/segment.ts"
import { attributeOf } from "../parse/tag.ts"
import type { ParserContext, ParsingState } from "./state-context.ts"

/** A state (docs/decisions.md 7.4): `run` at its start and for each chunk, `finalize` if the stream ends in it. */
export abstract class BaseState implements ParsingState {
  constructor(readonly context: ParserContext) {}

  abstract run(): void
  abstract finalize(): void
}

/** Reads plain text, and every block in it that no registered class reads. */
export class TextState extends BaseState {
  override run(): void {
    this.context.drive(false)
  }

  override finalize(): void {
    this.context.end()
  }
}

/** Reads one block, then returns to plain text. */
abstract class BlockState extends BaseState {
  #begun = false

  /** Enters the block. Its segment starts here, or once its arguments are known. */
  protected abstract begin(): void

  override run(): void {
    if (!this.#begun) {
      this.#begun = true
      this.begin()
    }
    this.context.drive(true)
    if (this.context.draft.mode.at === "text") this.context.transition_to(new TextState(this.context))
  }

  override finalize(): void {
    this.context.end()
  }
}

/** `<tool name="…">`: a `tool_call` whose content is the raw text between the tags. */
export class XmlToolParsingState extends BlockState {
  /** `openingTag` is the complete tag, as written. */
  constructor(
    context: ParserContext,
    readonly openingTag: string,
  ) {
    super(context)
  }

  get toolName(): string {
    return attributeOf(this.openingTag, "name") ?? ""
  }

  /** The tool's layout. A subclass may stream another argument or use other markers. */
  get shape(): ToolShape {
    return GENERIC_SHAPE
  }

  protected override begin(): void {
    enterBlock(this.context.draft, toolBlock(this.toolName, this.openingTag, this.shape, this.context.config.safe))
  }
}

/** `<tool name="write_file">`: starts at its path and streams its `content`. */
export class XmlWriteFileToolParsingState extends XmlToolParsingState {
  override get shape(): ToolShape {
    return WRITE_FILE_SHAPE
  }
}

/** `<tool name="edit_file">`: starts at its path and streams its `patch`. */
export class XmlEditFileToolParsingState extends XmlToolParsingState {
  override get shape(): ToolShape {
    return EDIT_FILE_SHAPE
  }
}

/** `<tool name="run_bash">`: streams its `command`. */
export class XmlRunBashToolParsingState extends XmlToolParsingState {
  override get shape(): ToolShape {
    return RUN_BASH_SHAPE
  }
}

/** Reads everything between a sentinel's header and `[[SEG_END]]`. */
export class SentinelContentState extends BlockState {
  constructor(
    context: ParserContext,
    readonly segmentType: SegmentType,
    readonly metadata: Metadata = {},
  ) {
    super(context)
  }

  protected override begin(): void {
    const start = { type: this.segmentType, metadata: this.metadata }
    enterBlock(this.context.draft, { start, mode: blockUntil(asciiLower(SENTINEL_END)) })
  }
}

/** A class whose instances read a tool's text after its opening tag. */
export type XmlToolStateClass = new (context: ParserContext, openingTag: string) => BaseState

const LAYOUTS: readonly (readonly [XmlToolStateClass, ToolShape])[] = [
  [XmlWriteFileToolParsingState, WRITE_FILE_SHAPE],
  [XmlEditFileToolParsingState, EDIT_FILE_SHAPE],
  [XmlRunBashToolParsingState, RUN_BASH_SHAPE],
]
/** Our own classes only define a layout, so the pure parser reads these tools without an instance. */
const PLAIN: ReadonlyMap<XmlToolStateClass, ToolShape> = new Map([[XmlToolParsingState, GENERIC_SHAPE], ...LAYOUTS])
const classes = new Map(LAYOUTS.map(([stateClass, { tool }]) => [tool, stateClass]))

/** A table of tool classes. Names keep their case. */
class StateRegistry {
  registerToolState(name: string, stateClass: XmlToolStateClass): void {
    classes.set(name, stateClass)
  }

  getStateForTool(name: string): XmlToolStateClass | undefined {
    return classes.get(name)
  }
}

const registry = new StateRegistry()

/** The process-wide table of tool classes: every `new` gives the same one. */
export const XmlToolParsingStateRegistry = new Proxy(StateRegistry, { construct: () => registry })
export type XmlToolParsingStateRegistry = StateRegistry

/** Registers `stateClass` for `<tool name="…">`, ignoring ASCII case (docs/decisions.md 7.4). */
export function registerXmlToolParsingState(name: string, stateClass: XmlToolStateClass): void {
  classes.set(asciiLower(name), stateClass)
}

/** Classes of one parser by tool name, before those of the registry. Names match in any case. */
export type ToolStates = { readonly [tool: string]: XmlToolStateClass }

/** Finds a tool's class by its name in ASCII lower case. */
export type FindStateClass = (name: string) => XmlToolStateClass | undefined

/** Finds a tool's class among those given, else in the registry. */
export function stateClassesOf(own: ToolStates = {}): FindStateClass {
  const given = new Map(Object.entries(own).map(([name, stateClass]) => [asciiLower(name), stateClass]))
  return name => given.get(name) ?? classes.get(name)
}

/** Resolves a tool to its layout, or hands it over to its class. */
export function resolverOf(find: FindStateClass): ResolveTool {
  return name => {
    const stateClass = find(name)
    return stateClass === undefined ? null : (PLAIN.get(stateClass) ?? "foreign")
  }
}
