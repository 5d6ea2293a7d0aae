// Defines the rules that the tests keep: each lists the places that break it.
import { posix } from "node:path"
import ts from "typescript"

const WAITS = /^(Bun\.sleep|setTimeout|setInterval)$/

/** What the rules need to know of a test file. */
export interface TestSource {
  /** From the repository's root: `test/run/log.test.ts`. */
  readonly path: string
  readonly lines: number
  /** True if its first line is a comment. */
  readonly explained: boolean
  readonly tests: readonly TestCase[]
  /** Function, or `.method` of a class → what it calls. */
  readonly functions: ReadonlyMap<string, ReadonlySet<string>>
  /** The lines that wait for a time to pass. */
  readonly timed: readonly number[]
  /** Imported name → the test file and the name there. */
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>
}

interface TestCase {
  readonly name: string
  readonly line: number
  /** The functions and `.methods` that its body calls, nested functions included. */
  readonly calls: ReadonlySet<string>
  /** The lines of `if (…) return` in the body itself: what follows may never run. */
  readonly leaves: readonly number[]
}

/** Tests that reach no `expect`, not even through a helper, and tests that may end early. */
export function unasserted(all: readonly TestSource[]): string[] {
  const files = new Map(all.map(file => [file.path, file]))
  const known = new Map<string, boolean>()
  const asserts = (path: string, name: string): boolean => {
    const key = `${path} ${name}`
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, false)
    const imported = files.get(path)?.imports.get(name)
    const calls = files.get(path)?.functions.get(name)
    const found =
      (calls !== undefined && reaches(path, calls)) || (imported !== undefined && asserts(imported.path, imported.name))
    known.set(key, found)
    return found
  }
  const reaches = (path: string, calls: ReadonlySet<string>): boolean =>
    calls.has("expect") || [...calls].some(name => asserts(path, name))
  return all.flatMap(({ path, tests }) =>
    tests.flatMap(({ name, line, calls, leaves }) => [
      ...(reaches(path, calls) ? [] : [`${path}:${line} ${name}: nothing is expected`]),
      ...leaves.map(leave => `${path}:${leave} ${name}: may end before what it expects`),
    ]),
  )
}

/** Tests that wait for a time instead of what they expect: too short on a slow machine, and too long on any other. */
export function timed(all: readonly TestSource[]): string[] {
  const tests = all.filter(({ path }) => /\.test\.tsx?$/.test(path))
  return tests.flatMap(({ path, timed }) => timed.map(line => `${path}:${line} waits for a time to pass`))
}

export function unexplained(all: readonly TestSource[]): string[] {
  return all.flatMap(({ path, explained }) => (explained ? [] : [`${path}: the first line does not say what it does`]))
}

/** Tests of what spans rooms, by what they are for; each is a folder right under test. */
const INTENTS: ReadonlySet<string> = new Set(["bench", "chaos", "fuzz", "nightly", "packages", "pty", "stories"])

/**
 * Tests that do not stand where their subject does. A test is at the path of the file that it tests, or in the folder
 * of the room that it tests; what tests the repository itself is right under test.
 */
export function misplaced(tests: readonly TestSource[], sources: readonly string[]): string[] {
  const files = new Set(sources.map(path => stem(path)))
  const folders = new Set(sources.map(path => posix.dirname(path)))
  const homes = new Map<string, readonly string[]>()
  for (const file of files) homes.set(posix.basename(file), [...(homes.get(posix.basename(file)) ?? []), file])
  return tests.flatMap(({ path }) => {
    const subject = path.replace(/^(packages\/[^/]+\/)?test\//, "$1src/").replace(/\.test\.tsx?$/, "")
    const [, room = ""] = path.split("/")
    if (!/\.test\.tsx?$/.test(path) || files.has(subject) || INTENTS.has(room)) return []
    const folder = posix.dirname(subject)
    if (folder === "src") return []
    if (!folders.has(folder)) return [`${path}: there is no ${folder}`]
    const meant = homes.get(posix.basename(subject)) ?? []
    return meant.length === 0 ? [] : [`${path}: the test of ${meant.join(" or ")} stands elsewhere`]
  })
}

function stem(path: string): string {
  return path.replace(/\.tsx?$/, "")
}

const MOST_LINES = 474

export function tooLong(all: readonly TestSource[]): string[] {
  return all.flatMap(({ path, lines }) =>
    lines > MOST_LINES ? [`${path}: ${lines} lines, at most ${MOST_LINES}`] : [],
  )
}

/** Never throws: syntax errors are left to the compiler. */
export function readTest(path: string, text: string): TestSource {
  const kind = path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const tests: TestCase[] = []
  const functions = new Map<string, ReadonlySet<string>>()
  const imports = new Map<string, { path: string; name: string }>()
  const timed: number[] = []
  const lineOf = (node: ts.Node): number => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
  const visit = (node: ts.Node): void => {
    const [name, body] = testOf(node, file)
    if (name !== undefined && body !== undefined) {
      tests.push({
        name: name.getText(file).replace(/^(["'`])(.*)\1$/s, "$2"),
        line: lineOf(node),
        calls: callsOf(body),
        leaves: leavesOf(body).map(lineOf),
      })
    }
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) functions.set(node.name.text, callsOf(node))
    if (ts.isMethodDeclaration(node) && ts.isClassDeclaration(node.parent))
      functions.set(`.${node.name.getText(file)}`, callsOf(node))
    const value = ts.isVariableDeclaration(node) ? node.initializer : undefined
    if (value !== undefined && ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) functions.set(node.name.text, callsOf(value))
    }
    if (ts.isCallExpression(node) && WAITS.test(node.expression.getText(file))) timed.push(lineOf(node))
    if (ts.isImportDeclaration(node)) for (const [local, from] of importsOf(node, path)) imports.set(local, from)
    ts.forEachChild(node, visit)
  }
  visit(file)
  const explained = text.startsWith("// ")
  return {
    path,
    explained,
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    tests,
    functions,
    timed,
    imports,
  }
}

/** Name and body of `test(…)`, `test.each(…)(…)` and the like; nothing for `test.todo(…)` and other nodes. */
function testOf(node: ts.Node, file: ts.SourceFile): readonly (ts.Expression | undefined)[] {
  if (!ts.isCallExpression(node)) return []
  const called = node.expression.getText(file)
  const isTest = /^(test|it)(\.(only|failing|concurrent|serial))*$/.test(called)
  const isMade = ts.isCallExpression(node.expression) && /^(test|it)\b/.test(called)
  return isTest || isMade ? node.arguments : []
}

function callsOf(body: ts.Node): ReadonlySet<string> {
  const calls = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node
      if (ts.isIdentifier(expression)) calls.add(expression.text)
      if (ts.isPropertyAccessExpression(expression)) calls.add(`.${expression.name.text}`)
      // A function passed as an argument counts as called.
      for (const argument of node.arguments) if (ts.isIdentifier(argument)) calls.add(argument.text)
    }
    ts.forEachChild(node, visit)
  }
  // A body that is only a name is that function.
  if (ts.isIdentifier(body)) calls.add(body.text)
  visit(body)
  return calls
}

/** Statements of the test's own body that may end it. */
function leavesOf(body: ts.Expression): readonly ts.Node[] {
  if (!(ts.isArrowFunction(body) || ts.isFunctionExpression(body)) || !ts.isBlock(body.body)) return []
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isReturnStatement(node) && node.parent !== body.body) found.push(node)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(body.body, visit)
  return found
}

function* importsOf(node: ts.ImportDeclaration, path: string): Iterable<[string, { path: string; name: string }]> {
  const bound = node.importClause?.namedBindings
  if (!ts.isStringLiteral(node.moduleSpecifier) || bound === undefined || !ts.isNamedImports(bound)) return
  const module = node.moduleSpecifier.text
  if (!module.startsWith(".")) return
  for (const { name, propertyName } of bound.elements) {
    yield [name.text, { path: posix.join(posix.dirname(path), module), name: (propertyName ?? name).text }]
  }
}
