// Tests that Markdown in an HTML export is rendered, with tags of ours alone and nothing that runs or is fetched.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { markdownHtml } from "../../src/export/html.ts"
import { root } from "../fixtures.ts"
import { forAll } from "../for-all.ts"
import { marks } from "./marks.ts"

/** What models write, by what it is about; `⏎` is a line end. */
const TEXTS = (await Bun.file(join(root, "fixtures/scripts/markdown.txt")).text()).trimEnd().split("\n")

test("what is made of each: tags of ours alone, links to the web alone, and the rest as text", () => {
  const made = TEXTS.map(text => `${text.replace(/(?:> ){9,}/, "> … ")}\n${markdownHtml(text.replaceAll("⏎", "\n"))}`)
  const shown = made.join("\n").replaceAll(/(?:&gt; ){9,}/g, all => `${all.length / 5} quotes `)
  expect(`\n${shown}`).toMatchSnapshot()
})

test("whatever a model writes has only our tags, each closed in its order (property)", async () => {
  const TAG =
    /<(\/?)(h[4-6]|p|blockquote|pre|ul|ol|li|table|tr|th|td|strong|em|del|code|a)(?: [a-z]+="[^"<>]*")*>|<hr>/g
  await forAll([marks], 100, bits => {
    const html = markdownHtml(bits.join(""))
    const open: string[] = []
    for (const [, end, tag = ""] of html.matchAll(TAG)) {
      if (tag === "") continue
      if (end === "") open.push(tag)
      else expect(open.pop()).toBe(tag)
    }
    expect(open).toEqual([])
    expect(html.replace(TAG, "")).not.toMatch(/[<>\u0000-\u0008\u001b\u202e]/)
  })
})

test("100,000 characters of marks are rendered at once", () => {
  for (const marks of ["*a ", "[", "> ", ">", "+ ", "1. ", "_a", "![](", "`"]) {
    const before = process.cpuUsage()
    markdownHtml(marks.repeat(100_000 / marks.length))
    // Processor time, which a busy machine does not lengthen.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  }
})
