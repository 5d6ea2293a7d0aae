// Keeps how each family's texts are read, whole and with what models and servers do to them.
import { expect, test } from "bun:test"
import type { TagFormats } from "../../src/streaming/index.ts"
import { FAMILIES } from "./family-texts.ts"
import { picture, shown } from "./picture.ts"

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

test.each(FAMILIES)("%s", async (_name, tags: TagFormats, text) => {
  const lines: string[] = [shown(text)]
  for (const [name, damage] of DAMAGES) {
    const damaged = damage(text)
    if (name === "whole" || damaged !== text) lines.push(`${name}: ${await picture(damaged, { tags })}`)
  }
  expect(lines.join("\n")).toMatchSnapshot()
})
