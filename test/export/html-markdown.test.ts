// Tests that Markdown in an HTML export is rendered, with tags of ours alone and nothing that runs or is fetched.
import { expect, test } from "bun:test"
import { markdownHtml } from "../../src/export/html.ts"
import { forAll } from "../for-all.ts"
import { marks } from "./marks.ts"

/** What models write, by what it is about; `⏎` is a line end. */
const TEXTS = [
  "**Timeline** *then* `a < b` ~~no~~",
  "- one⏎- [x] two⏎- [ ] three⏎  1. deep",
  "3. three⏎4. four",
  "| time | what | and |⏎|---|--:|:-:|⏎| 9 | <b>tea</b> | c |",
  "```ts⏎const a = '</pre>'⏎```",
  "> said⏎⏎---",
  "# One⏎⏎## Two⏎⏎#### Four⏎⏎Title⏎===",
  'links: [a](https://x.y/?q="1"&z) [a](HTTP://x.y)',
  ...["javascript:alert(1)", "java&#x73;cript:alert(1)", "data:text/html,x", "file:///etc/passwd"].map(
    to => `[a](${to})`,
  ),
  "elsewhere: [a](//x.y) [a](#top) [a](x.html)",
  "a picture: ![a cat](http://x/y.png)",
  "<script>alert(1)</script>",
  "a <img src=x onerror=y> b",
  "entities: &#27;[2J &#x202e; &#x9b; &lt;b&gt;",
  "> > deep",
  `${"> ".repeat(65)}too deep`,
  "lines⏎of a paragraph",
]

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
