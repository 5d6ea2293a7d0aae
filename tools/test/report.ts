// Reads the JUnit report that Bun writes of a test run.
export interface TestResult {
  readonly file: string
  /** The groups around the test; empty outside groups. */
  readonly group: string
  readonly name: string
  /** `unasserted` passed without a single assertion. */
  readonly outcome: "passed" | "failed" | "skipped" | "unasserted"
}

/** Never throws: text that is not a report has no tests. Bun escapes every `<` and `"` in names and messages. */
export function readReport(xml: string): readonly TestResult[] {
  return xml
    .split("<testcase ")
    .slice(1)
    .map(test => {
      const tag = test.slice(0, test.indexOf(">"))
      const [file = "", group = "", name = "", assertions] = ["file", "classname", "name", "assertions"].map(key =>
        attribute(tag, key),
      )
      const ended = assertions === "0" ? "unasserted" : "passed"
      const outcome = /<(failure|error)\b/.test(test) ? "failed" : test.includes("<skipped") ? "skipped" : ended
      return { file, group, name, outcome }
    })
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
