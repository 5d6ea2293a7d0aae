// Prints the key table into README.md, between its two markers.
import { join } from "node:path"
import { keyLines } from "../../src/keys/hints.ts"
import { keymap } from "../../src/keys/keymap.ts"

const README = join(import.meta.dir, "../../README.md")
const BLOCK = /(?<=<!-- keys -->\n).*(?=<!-- \/keys -->)/s

/** The table as Markdown: one row for each line that the screen's own help has. */
export function keyTable(): string {
  const rows = keyLines(keymap).map(({ group, shown, title }, i, all) => {
    const first = all[i - 1]?.group !== group
    return `| ${first ? group : ""} | ${shown.split(" ").map(code).join(" ")} | ${title} |`
  })
  return ["| | keys | do |", "|---|---|---|", ...rows, ""].join("\n")
}

function code(key: string): string {
  return `\`${key}\``
}

/** The part of the README that is the table; null where the markers are missing. */
export function printedIn(readme: string): string | null {
  return BLOCK.exec(readme)?.[0] ?? null
}

if (import.meta.main) {
  const readme = await Bun.file(README).text()
  await Bun.write(README, readme.replace(BLOCK, keyTable))
}
