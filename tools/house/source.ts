// Reads one source file as a syntax tree and tells what the house rules ask of it.
import { posix } from "node:path"
import ts from "typescript"

export interface Source {
  /** From the repository's root: `src/run/fold.ts`. */
  readonly path: string
  readonly lines: number
  /** True if one class takes three quarters of its lines. */
  readonly isOneClass: boolean
  /** The modules it names, type-only ones too; relative ones as paths from the repository's root. */
  readonly imports: readonly string[]
  /** The free names in its code, and their members: `Math`, `Math.max`. No keys, no declared members. */
  readonly words: ReadonlySet<string>
  /** True if it reads the environment, or checks whether there is one. */
  readonly readsEnvironment: boolean
  /** The number of `any` types. */
  readonly anys: number
  /** All its comments as one text. */
  readonly comments: string
  /** True if a comment opens the file or precedes a declaration. */
  readonly explained: boolean
  /** Every function in the order of the text, including nested ones and signatures. */
  readonly functions: readonly FunctionSize[]
  /** The lines of comments that are wider than 120 columns, which the formatter leaves as they are. */
  readonly wideComments: readonly number[]
  /** The types, interfaces, classes and enums that it declares and exports. */
  readonly exportedTypes: readonly string[]
  /** The functions that it exports without a comment on what they do. */
  readonly undocumented: readonly string[]
  /** The lines of `default:` branches that no `satisfies never` closes. */
  readonly openDefaults: readonly number[]
}

export interface FunctionSize {
  /** Its name, or that of its variable or property; "(function)" if it has neither. */
  readonly name: string
  /** Where it starts. */
  readonly line: number
  /** From the first line to the last, nested functions included; 0 for a signature. */
  readonly lines: number
  readonly parameters: number
}

const WIDE_COMMENT = /^(?=.{121})\s*(?:\/\/|\/\*|\*)/

/** Never throws: syntax errors are left to the compiler. */
export function readSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kindOf(path))
  const imports: string[] = []
  const words = new Set<string>()
  const comments: string[] = []
  const functions: FunctionSize[] = []
  const openDefaults: number[] = []
  let readsEnvironment = false
  let anys = 0

  const visit = (node: ts.Node): void => {
    const module = moduleOf(node)
    if (module !== null) imports.push(resolve(path, module))
    if (node.kind === ts.SyntaxKind.AnyKeyword) anys++
    if (ts.isFunctionLike(node)) functions.push(sizeOf(node, file))
    if (ts.isDefaultClause(node) && !node.statements.some(refusesAll))
      openDefaults.push(lineOf(node.getStart(file), file))
    if (isEnvironment(node)) {
      readsEnvironment = true
    } else if (ts.isMetaProperty(node)) {
      words.add("import.meta")
    } else if (ts.isIdentifier(node) && standsAlone(node)) {
      words.add(node.text)
      if (ts.isPropertyAccessExpression(node.parent)) words.add(`${node.text}.${node.parent.name.text}`)
    }
    const children = node.getChildren(file).filter(child => !ts.isJSDoc(child))
    if (children.length === 0) comments.push(text.slice(node.pos, node.getStart(file)).trim())
    for (const child of children) visit(child)
  }
  visit(file)

  const declared = file.statements.filter(statement => !ts.isImportDeclaration(statement))
  const spots = [0, ...declared.map(statement => statement.pos)]
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
  const linesOf = (node: ts.Node) => lineOf(node.end, file) - lineOf(node.getStart(file), file) + 1
  return {
    path,
    lines,
    isOneClass: declared.some(statement => ts.isClassDeclaration(statement) && linesOf(statement) > 0.75 * lines),
    imports,
    words,
    readsEnvironment,
    anys,
    comments: comments.filter(comment => comment !== "").join("\n"),
    explained: spots.some(spot => ts.getLeadingCommentRanges(text, spot) !== undefined),
    functions,
    wideComments: text.split("\n").flatMap((line, index) => (WIDE_COMMENT.test(line) ? [index + 1] : [])),
    exportedTypes: exportedTypesOf(file),
    openDefaults,
    undocumented: file.statements.flatMap(undocumentedIn),
  }
}

/** The name of an exported function that has no docstring. */
function undocumentedIn(statement: ts.Statement): readonly string[] {
  if (!ts.isFunctionDeclaration(statement) || !isExported(statement)) return []
  return ts.getJSDocCommentsAndTags(statement).length > 0 ? [] : [statement.name?.text ?? "(function)"]
}

function isExported(statement: ts.Statement & { readonly modifiers?: ts.NodeArray<ts.ModifierLike> }): boolean {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}

function lineOf(position: number, file: ts.SourceFile): number {
  return file.getLineAndCharacterOfPosition(position).line + 1
}

function sizeOf(node: ts.SignatureDeclaration, file: ts.SourceFile): FunctionSize {
  const line = lineOf(node.getStart(file), file)
  const named = node.name ?? (hasName(node.parent) ? node.parent.name : undefined)
  return {
    name: ts.isConstructorDeclaration(node) ? "constructor" : (named?.getText(file) ?? "(function)"),
    line,
    lines: "body" in node && node.body !== undefined ? lineOf(node.end, file) - line + 1 : 0,
    parameters: node.parameters.length,
  }
}

function hasName(node: ts.Node): node is ts.VariableDeclaration | ts.PropertyAssignment | ts.PropertyDeclaration {
  return ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)
}

/** True for `x satisfies never`, anywhere in a statement. */
function refusesAll(node: ts.Node): boolean {
  if (ts.isSatisfiesExpression(node) && node.type.kind === ts.SyntaxKind.NeverKeyword) return true
  return ts.forEachChild(node, child => refusesAll(child) || undefined) ?? false
}

function exportedTypesOf(file: ts.SourceFile): readonly string[] {
  const declared = file.statements.flatMap(statement => {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
    if (!isType && !ts.isClassDeclaration(statement) && !ts.isEnumDeclaration(statement)) return []
    return statement.name === undefined ? [] : [{ name: statement.name.text, exported: isExported(statement) }]
  })
  const listed = file.statements.flatMap(statement => {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) return []
    const names = statement.exportClause
    return names !== undefined && ts.isNamedExports(names)
      ? names.elements.map(({ propertyName, name }) => ({ from: (propertyName ?? name).text, name: name.text }))
      : []
  })
  return [
    ...declared.filter(({ exported }) => exported).map(({ name }) => name),
    ...listed.filter(({ from }) => declared.some(({ name }) => name === from)).map(({ name }) => name),
  ]
}

function kindOf(path: string): ts.ScriptKind {
  return path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS
}

/** The module of an import or export, `import("x")`, a type's `import("x")`, `require("x")` or `new URL("x", …)`. */
function moduleOf(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier)
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : null
  if (ts.isExternalModuleReference(node)) return literal(node.expression)
  if (ts.isCallExpression(node)) {
    const called = node.expression.getText()
    const loads = called === "import" || called === "require" || called.startsWith("import.meta.resolve")
    return loads ? literal(node.arguments[0]) : null
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "URL") {
    const [file, base] = node.arguments ?? []
    return base?.getText() === "import.meta.url" ? literal(file) : null
  }
  return null
}

function literal(node: ts.Node | undefined): string | null {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : null
}

function resolve(from: string, module: string): string {
  return module.startsWith(".") ? posix.join(posix.dirname(from), module) : module
}

/** False for `x.name`, `{ name: … }`, a member's name and a label, which read no free name. */
function standsAlone(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node
  if (ts.isQualifiedName(parent)) return parent.right !== node
  if (ts.isBindingElement(parent)) return parent.propertyName !== node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isJsxAttribute(parent)) return false
  const isMember = ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent)
  const isMethod = ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent) || ts.isAccessor(parent)
  return !((isMember || isMethod) && parent.name === node)
}

/** True for any access to the environment of `process`, `Bun` or `import.meta`, and for a check of its existence. */
function isEnvironment(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return /^(node:)?process$/.test(literal(node.moduleSpecifier) ?? "")
  const holds = ts.isMetaProperty(node) || (ts.isIdentifier(node) && /^(process|Bun)$/.test(node.text))
  if (!holds) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === "env"
  if (ts.isElementAccessExpression(parent)) return literal(parent.argumentExpression) === "env"
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) {
    return parent.name.elements.some(element => (element.propertyName ?? element.name).getText() === "env")
  }
  return ts.isTypeOfExpression(parent)
}
