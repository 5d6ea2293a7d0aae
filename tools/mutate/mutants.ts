// Makes plausible bugs of a source file: each is one small change, such as a person makes by mistake.
import ts from "typescript"

export type Kind =
  | "comparison"
  | "branch"
  | "guard"
  | "second condition"
  | "argument order"
  | "dropped update"
  | "unit"
  | "fallback"
  | "lost error"
  | "missing await"

export interface Mutant {
  readonly kind: Kind
  /** The nearest named function around it. */
  readonly where: string
  /** From 1. */
  readonly line: number
  /** UTF-16 units of the file that `text` replaces. */
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The file with the bug in it. */
export function withMutant(text: string, { from, to, text: put }: Mutant): string {
  return text.slice(0, from) + put + text.slice(to)
}

/** The lines that hold the bug, as they are with it, in one line: with the file's path they name a bug while it lasts. */
export function lineOf(text: string, mutant: Mutant): string {
  const { from, to } = mutant
  const put = mutant.text === ";" ? `; // not: ${text.slice(from, to)}` : mutant.text
  const end = text.indexOf("\n", to)
  const start = text.lastIndexOf("\n", from - 1) + 1
  const lines = text.slice(start, from) + put + text.slice(to, end === -1 ? undefined : end)
  return lines.replaceAll(/\s+/g, " ").trim()
}

/** Of a list whose entries are a path, a line with a bug in it, and why no test can tell it: those lines by path. */
export function equalsOf(list: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const [, ...entries] = list.trim().split(/\n{2,}/)
  for (const entry of entries) {
    const [path = "", line = ""] = entry.split("\n")
    found.set(path, (found.get(path) ?? new Set()).add(line.trim()))
  }
  return found
}

const { SyntaxKind } = ts
const COMPARISONS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [SyntaxKind.LessThanToken, "<="],
  [SyntaxKind.LessThanEqualsToken, "<"],
  [SyntaxKind.GreaterThanToken, ">="],
  [SyntaxKind.GreaterThanEqualsToken, ">"],
  [SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [SyntaxKind.ExclamationEqualsEqualsToken, "==="],
])
const UNITS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [SyntaxKind.PlusToken, "-"],
  [SyntaxKind.MinusToken, "+"],
  [SyntaxKind.AsteriskToken, "/"],
  [SyntaxKind.SlashToken, "*"],
  [SyntaxKind.PlusEqualsToken, "-="],
  [SyntaxKind.MinusEqualsToken, "+="],
])
/** Methods that are mistaken for one another. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["floor", "ceil"],
  ["ceil", "floor"],
  ["find", "findLast"],
  ["findLast", "find"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
])

/** All that can be made of a file, in the order of the text. What is outside of functions is left alone. */
export function mutantsOf(path: string, text: string): readonly Mutant[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Mutant[] = []
  const visit = (node: ts.Node, where: string | null): void => {
    if (ts.isTypeNode(node)) return
    const inside = nameOf(node) ?? where
    if (inside !== null) {
      for (const [kind, at, put, upTo = at] of changesOf(node)) {
        const from = at.getStart(file)
        const line = file.getLineAndCharacterOfPosition(from).line + 1
        found.push({ kind, where: inside, line, from, to: upTo.end, text: put })
      }
    }
    ts.forEachChild(node, child => visit(child, inside))
  }
  visit(file, null)
  return found
}

/** The name of a function, or of what holds it; null for any other node, and for a function without a name. */
function nameOf(node: ts.Node): string | null {
  if (!ts.isFunctionLike(node)) return null
  if (ts.isConstructorDeclaration(node)) return "constructor"
  const { name } = node
  if (name !== undefined) return name.getText()
  const { parent } = node
  const holds = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)
  return holds ? parent.name.getText() : null
}

/** What is put in the place of a node, or of all from it up to another. */
type Change = readonly [kind: Kind, at: ts.Node, put: string, upTo?: ts.Node]

function changesOf(node: ts.Node): readonly Change[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node)
  if (ts.isIfStatement(node)) return ofIf(node)
  if (ts.isConditionalExpression(node)) {
    const { condition, whenTrue, whenFalse } = node
    return [["branch", node, `${condition.getText()} ? ${whenFalse.getText()} : ${whenTrue.getText()}`]]
  }
  if (ts.isCallExpression(node)) return ofCall(node)
  if (ts.isAwaitExpression(node)) return isReturned(node) ? [] : [["missing await", node, node.expression.getText()]]
  if (ts.isExpressionStatement(node)) return isUpdate(node.expression) ? [["dropped update", node, ";"]] : []
  if (ts.isPropertyAccessExpression(node)) {
    const twin = TWINS.get(node.name.text)
    return twin === undefined ? [] : [["unit", node.name, twin]]
  }
  if (ts.isCatchClause(node)) return node.block.statements.length > 0 ? [["lost error", node.block, "{}"]] : []
  if (ts.isThrowStatement(node)) return [["lost error", node, ";"]]
  return ts.isNumericLiteral(node) && !isSpare(node) && !isSign(node) ? [["unit", node, otherNumber(node.text)]] : []
}

/** Whether a function returns the node: whoever calls it awaits it anyway, unless something catches its error here. */
function isReturned(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isConditionalExpression(parent)) return isReturned(parent)
  if (!ts.isReturnStatement(parent)) return ts.isArrowFunction(parent)
  const around = ts.findAncestor(parent, one => ts.isTryStatement(one) || ts.isFunctionLike(one))
  return around === undefined || !ts.isTryStatement(around)
}

/** Whether the number is what a comparison gives a sort, which reads its sign alone. */
function isSign(node: ts.Node): boolean {
  const value = ts.isPrefixUnaryExpression(node.parent) ? node.parent : node
  if (!ts.isConditionalExpression(value.parent) || value.parent.condition === value) return false
  const compares = ts.findAncestor(value, ts.isFunctionLike)?.parent
  return (
    compares !== undefined && ts.isCallExpression(compares) && /\.(sort|toSorted)$/.test(compares.expression.getText())
  )
}

/** What an index that is there anyway would be, were it not there: no other value is ever seen. */
function isSpare(node: ts.Node): boolean {
  const { parent } = node
  const [spare, sign] = ts.isPrefixUnaryExpression(parent) ? [parent, parent.parent] : [node, parent]
  if (!ts.isBinaryExpression(sign) || sign.right !== spare) return false
  return sign.operatorToken.kind === SyntaxKind.QuestionQuestionToken
}

/** A small number off by one, a large one off by its unit. */
function otherNumber(text: string): string {
  const number = Number(text.replaceAll("_", ""))
  return `${Math.abs(number) < 10 ? number + 1 : number * 10}`
}

function ofBinary(node: ts.BinaryExpression): readonly Change[] {
  const { left, operatorToken: sign, right } = node
  const compared = COMPARISONS.get(sign.kind)
  if (compared !== undefined) return [["comparison", sign, compared]]
  const counted = UNITS.get(sign.kind)
  if (counted !== undefined) return isText(left) || isText(right) ? [] : [["unit", sign, counted]]
  const joins = sign.kind === SyntaxKind.AmpersandAmpersandToken || sign.kind === SyntaxKind.BarBarToken
  if (joins) {
    const other = sign.kind === SyntaxKind.BarBarToken ? "&&" : "||"
    return [
      ["branch", node, `(${left.getText()} ${other} ${right.getText()})`],
      ["second condition", node, left.getText()],
      ["second condition", node, right.getText()],
    ]
  }
  return sign.kind === SyntaxKind.QuestionQuestionToken ? [["fallback", node, right.getText()]] : []
}

function ofIf({ expression, thenStatement, elseStatement, parent }: ts.IfStatement): readonly Change[] {
  const negated: Change = ["branch", expression, `!(${expression.getText()})`]
  const leaves = endOf(thenStatement)
  const isGuard = leaves !== null && elseStatement === undefined && ts.isBlock(parent)
  return isGuard ? [negated, ["guard", expression, `false && (${expression.getText()})`]] : [negated]
}

/** The statement that leaves what is around it. */
function endOf(node: ts.Statement): ts.Statement | null {
  const last = ts.isBlock(node) ? node.statements.at(-1) : node
  if (last === undefined) return null
  return ts.isReturnStatement(last) || ts.isContinueStatement(last) || ts.isBreakStatement(last) ? last : null
}

/** Two arguments that follow each other change places, if they differ. */
function ofCall({ expression, arguments: given }: ts.CallExpression): readonly Change[] {
  if (/^Math\.(max|min)$/.test(expression.getText())) return []
  return given.flatMap((first, index): readonly Change[] => {
    const second = given[index + 1]
    if (second === undefined || first.getText() === second.getText()) return []
    if (ts.isArrowFunction(first) !== ts.isArrowFunction(second) || ts.isSpreadElement(second)) return []
    return [["argument order", first, `${second.getText()}, ${first.getText()}`, second]]
  })
}

/** A call or an assignment whose value nobody takes. */
function isUpdate(node: ts.Expression): boolean {
  if (ts.isAwaitExpression(node) || ts.isVoidExpression(node)) return isUpdate(node.expression)
  if (ts.isCallExpression(node)) return node.expression.kind !== SyntaxKind.SuperKeyword
  if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node) || ts.isDeleteExpression(node)) return true
  const { FirstAssignment, LastAssignment } = SyntaxKind
  if (!ts.isBinaryExpression(node)) return false
  const { kind } = node.operatorToken
  return kind >= FirstAssignment && kind <= LastAssignment
}

function isText(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}
