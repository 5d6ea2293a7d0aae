// Tests that Markdown in an HTML export is rendered, with tags of ours alone and nothing that runs or is fetched.
import { expect, test } from "bun:test"
import { markdownHtml } from "../../src/export/html.ts"
import { forAll } from "../for-all.ts"
import { marks } from "./marks.ts"

const flat = (text: string) => markdownHtml(text).replaceAll("\n", "")

test("bold, code, lists and tables of a reply are drawn as such", () => {
  expect(flat("**Timeline** *then* `a < b` ~~no~~")).toBe(
    "<p><strong>Timeline</strong> <em>then</em> <code>a &lt; b</code> <del>no</del></p>",
  )
  expect(flat("- one\n- [x] two\n  1. deep")).toBe(
    '<ul><li>one</li><li>☑ two<ol start="1"><li>deep</li></ol></li></ul>',
  )
  expect(flat("3. three\n4. four")).toBe('<ol start="3"><li>three</li><li>four</li></ol>')
  expect(flat("| time | what |\n|---|--:|\n| 9 | <b>tea</b> |")).toBe(
    '<table><tr><th>time</th><th class="right">what</th></tr>' +
      '<tr><td>9</td><td class="right">&lt;b&gt;tea&lt;/b&gt;</td></tr></table>',
  )
  expect(markdownHtml("```ts\nconst a = '</pre>'\n```")).toBe("<pre>const a = &#39;&lt;/pre&gt;&#39;\n</pre>\n")
  expect(flat("> said\n\n---")).toBe("<blockquote><p>said</p></blockquote><hr>")
})

test("a reply's headings rank below those of its session and its turn", () => {
  expect(flat("# One\n\n## Two\n\n#### Four\n\nTitle\n===")).toBe("<h4>One</h4><h5>Two</h5><h6>Four</h6><h4>Title</h4>")
})

test("a link leads to the web or nowhere, and its address is shown if it leads nowhere", () => {
  expect(flat('[a](https://x.y/?q="1"&z)')).toBe(
    '<p><a rel="noreferrer" href="https://x.y/?q=&quot;1&quot;&amp;z">a</a></p>',
  )
  expect(flat("[a](HTTP://x.y)")).toContain('href="HTTP://x.y"')
  for (const address of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x.y", "#top", "x.html"]) {
    expect(flat(`[a](${address})`)).toBe(`<p>a (${address})</p>`)
  }
  expect(flat("[a](java&#x73;cript:alert(1))")).not.toContain("<a")
})

test("an image is its words and its address, and is never fetched", () => {
  expect(flat("![a cat](http://x/y.png)")).toBe("<p>a cat (http://x/y.png)</p>")
})

test("tags, and control characters that entities spell, are text", () => {
  expect(flat("<script>alert(1)</script>")).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>")
  expect(flat("a <img src=x onerror=y> b")).toBe("<p>a &lt;img src=x onerror=y&gt; b</p>")
  expect(flat("&#27;[2J &#x202e; &#x9b; &lt;b&gt;")).toBe("<p>␛[2J \ufffd \ufffd &lt;b&gt;</p>")
})

test("quotes nested without end are shown as they were written", () => {
  expect(markdownHtml(`${"> ".repeat(1000)}deep`)).toBe(`<p>${"&gt; ".repeat(1000)}deep</p>\n`)
  expect(flat("> > deep")).toBe("<blockquote><blockquote><p>deep</p></blockquote></blockquote>")
})

test("lines of a paragraph stay lines", () => {
  expect(markdownHtml("one\ntwo")).toBe("<p>one\ntwo</p>\n")
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
