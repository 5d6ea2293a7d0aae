// Keeps how each family's texts are read, whole and with what models and servers do to them.
import { expect, test } from "bun:test"
import { TAG_PROFILES, type TagFormats } from "../../src/streaming/index.ts"
import { picture, shown, texts } from "../streaming/picture.ts"

const PROFILES: { readonly [name: string]: unknown } = {
  ...TAG_PROFILES,
  Cline: TAG_PROFILES.namedTools("write_to_file", "read_file"),
}

/** Names, the tags of their profiles, and texts. */
function named(file: string) {
  return texts(file).map(line => {
    const [name = "", profiles = "", text = ""] = line.split("\t")
    const tags: TagFormats = Object.assign({}, ...profiles.split(" ").map(profile => PROFILES[profile]))
    return [name, tags, text] as const
  })
}

const DAMAGES: readonly (readonly [name: string, damage: (text: string) => string])[] = [
  ["whole", text => text],
  ["between lines", text => `Before.\n${text}\nAfter.`],
  ["twice", text => text + text],
  ["in a fence", text => `\`\`\`\n${text}\n\`\`\`\n`],
  ["in a code span", text => `Say \`${text.replaceAll("\n", " ")}\`.`],
  ["in capitals", text => text.toUpperCase()],
  ["its first character lost", text => text.slice(1)],
  ["its last character lost", text => text.slice(0, -1)],
  ["cut at half", text => text.slice(0, text.length / 2)],
  ["cut at four fifths", text => text.slice(0, (text.length * 4) / 5)],
  ["without its last closing", text => text.replace(/(<[^<]*|\[[^[]*|\}[^}]*)$/, "")],
  ["with a broken value", text => text.replace(/Paris"|1|city>Paris/, "<")],
]

test.each(named("families"))("%s", async (_name, tags, text) => {
  const lines: string[] = [shown(text)]
  for (const [name, damage] of DAMAGES) {
    const damaged = damage(text)
    if (name === "whole" || damaged !== text) lines.push(`${name}: ${await picture(damaged, { tags })}`)
  }
  expect(lines.join("\n")).toMatchSnapshot()
})

test("what a family didn't write so, what only speaks of its calls, and what lost its opening", async () => {
  const lines = named("no-calls").map(async ([name, tags, text]) => {
    const line = `${name}: ${shown(text)}`
    return `${line}\n  ${await picture(text, { tags })}`
  })
  expect((await Promise.all(lines)).join("\n")).toMatchSnapshot()
})
