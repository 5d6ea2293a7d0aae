// Makes texts of the marks of Markdown and HTML, as a model may write them, closed or not.
import fc from "fast-check"

const SIGNS =
  "``` ~~~ ```` ` - 1. > # <script> <b> <!-- --> ![ ](x) ](http://x) [ a \\ &lt; &#27; === --- | |a|b|\n|-|-|\n * ** ~~ </p> " +
  "</b> <? <![CDATA["
const SPACES = ["\n", "\n", "\n\n", "    ", " ", "\t"]

/** The pieces of a text: some signs are none without the space behind them. */
export const marks = fc.array(fc.constantFrom(...SIGNS.split(" "), "- ", "1. ", "> ", "# ", ...SPACES), {
  maxLength: 30,
})
