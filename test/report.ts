// Reads the JUnit report that Bun writes of a test run.

export interface Report {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The test files with at least one reported test. */
  readonly files: ReadonlySet<string>
  /** The skipped groups, and skipped tests outside groups. */
  readonly skips: ReadonlySet<string>
  /** The tests that passed without a single assertion, each with its file. */
  readonly unasserted: ReadonlySet<string>
}

/** Never throws: text that is not a report has no tests. Bun escapes every `<` and `"` in names and messages. */
export function readReport(xml: string): Report {
  const files = new Set<string>()
  const skips = new Set<string>()
  const unasserted = new Set<string>()
  let passed = 0
  let failed = 0
  let skipped = 0
  for (const test of xml.split("<testcase ").slice(1)) {
    const tag = test.slice(0, test.indexOf(">"))
    files.add(attribute(tag, "file"))
    if (/<(failure|error)\b/.test(test)) failed++
    else if (test.includes("<skipped")) {
      skipped++
      skips.add(attribute(tag, "classname") || attribute(tag, "name"))
    } else {
      passed++
      const name = [attribute(tag, "file"), attribute(tag, "classname"), attribute(tag, "name")]
      if (attribute(tag, "assertions") === "0") unasserted.add(name.filter(part => part !== "").join(" > "))
    }
  }
  return { passed, failed, skipped, files, skips, unasserted }
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["amp", "&"],
])

function attribute(tag: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1] ?? ""
  return value.replace(/&(\w+);/g, (entity, key: string) => ENTITIES.get(key) ?? entity)
}
