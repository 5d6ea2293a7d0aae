// Prints the tables of README.md: the keys and the rooms, each between its two markers.
import { join } from "node:path"
import { keyLines } from "../../src/keys/hints.ts"
import { keymap } from "../../src/panels/keymap.ts"
import { roomTable } from "../boundaries.ts"

const README = join(import.meta.dir, "../../README.md")
const KEYS = /(?<=<!-- keys -->\n).*(?=<!-- \/keys -->)/s
const ROOMS = /(?<=<!-- rooms -->\n).*(?=<!-- \/rooms -->)/s

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

/** The parts of the README that are printed; null where the markers are missing. */
export function printedIn(readme: string): { readonly keys: string | null; readonly rooms: string | null } {
  return { keys: KEYS.exec(readme)?.[0] ?? null, rooms: ROOMS.exec(readme)?.[0] ?? null }
}

if (import.meta.main) {
  const readme = await Bun.file(README).text()
  await Bun.write(
    README,
    readme.replace(KEYS, keyTable).replace(ROOMS, () => `${roomTable()}\n`),
  )
}
