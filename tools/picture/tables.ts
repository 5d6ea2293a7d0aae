// Prints lists into docs/reference.md and docs/architecture.md, each between its markers:
// `bun run tables`.
import { join } from "node:path"
import { COMMANDS, EXIT_CODES } from "../../src/cli/manual/commands.ts"
import { optionWords } from "../../src/cli/manual/help.ts"
import type { Option } from "../../src/cli/option.ts"
import { SETTINGS } from "../../src/cli/option-table.ts"
import { GROUPS, type KeyGroup, type TableBinding } from "../../src/keys/binding.ts"
import { keysText } from "../../src/keys/key-text.ts"
import { actionName, chooseable } from "../../src/panels/choose-keys.ts"
import { keymap } from "../../src/panels/index.ts"
import { root } from "../../test/fixtures.ts"
import { roomList } from "../house/boundaries.ts"

/** A printed table, the page it is in, and the name of its markers. */
interface PrintedTable {
  readonly page: string
  readonly marker: string
  readonly table: () => string
}

export const printedTables: readonly PrintedTable[] = [
  { page: "docs/reference.md", marker: "keys", table: keyList },
  { page: "docs/reference.md", marker: "commands", table: commandList },
  { page: "docs/reference.md", marker: "options", table: optionList },
  { page: "docs/reference.md", marker: "exit codes", table: exitCodeList },
  { page: "docs/architecture.md", marker: "rooms", table: () => `${roomList()}\n` },
]

/** A list for each group, with one line per line of the screen's own help. */
function keyList(): string {
  const { bindings } = keymap
  const named = chooseable(bindings)
  const rows = keyLines(bindings).flatMap(({ group, shown, title }, i, all) => {
    const names = named.filter(one => one.group === group && one.title === title).map(({ id }) => actionName(id))
    const actions = names.length === 0 ? "" : ` (${codes(names)})`
    const row = `- ${shown === "" ? "`:`" : codes(shown.split(" "))} ${title}${actions}`
    return all[i - 1]?.group === group ? [row] : ["", `### ${group}`, "", row]
  })
  return [...rows, ""].join("\n")
}

function commandList(): string {
  const rows = COMMANDS.map(({ name, takes, does }) => {
    return `- ${codes([["opentui-sidecar", name, takes].filter(Boolean).join(" ")])} ${does}`
  })
  return [...rows, ""].join("\n")
}

function optionList(): string {
  const rows = Object.entries<Option>(SETTINGS).map(([name, option]) => {
    const variables = codes(option.variable?.split(", ") ?? [])
    return `- ${codes([optionWords(name, option)])}${variables && ` (${variables})`} ${option.about}`
  })
  return [...rows, ""].join("\n")
}

function exitCodeList(): string {
  return [...EXIT_CODES.map(([code, when]) => `- ${code}: ${when}`), ""].join("\n")
}

function codes(words: readonly string[]): string {
  return words.map(word => `\`${word}\``).join(" ")
}

/** The text between the markers of a page; null if it has none. */
export function tableIn(page: string, marker: string): string | null {
  return between(marker).exec(page)?.[0] ?? null
}

function between(marker: string): RegExp {
  return new RegExp(`(?<=<!-- ${marker} -->\\n).*(?=<!-- /${marker} -->)`, "s")
}

if (import.meta.main) {
  for (const { page, marker, table } of printedTables) {
    const path = join(root, page)
    const text = await Bun.file(path).text()
    const printed = text.replace(between(marker), table)
    await Bun.write(path, printed)
    process.stdout.write(`${page}: ${printed === text ? "is current" : "changed"}\n`)
  }
}

export interface KeyLine {
  readonly group: KeyGroup
  readonly shown: string
  readonly title: string
}

/** The key table for people: one line for all bindings with one title, group by group. */
export function keyLines(bindings: readonly TableBinding<never>[]): readonly KeyLine[] {
  return GROUPS.flatMap(group => {
    const own = bindings.filter(one => one.group === group)
    const titles = [...new Set(own.map(one => one.title))]
    return titles.map(title => ({ group, title, shown: keysText(own.filter(one => one.title === title)) }))
  })
}
