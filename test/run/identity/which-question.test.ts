// Tests which question is meant by an event that names none, or only its asker (docs/decisions.md section 3).
import { type Stories, testStories } from "../questions.ts"

const STORIES: Stories = {
  "of several the one with our answer is meant, else the oldest of its asker": `
    ask 1 a, ask 2 a, answered a x → answered!~x, open
    ask 1 a, ask 2 a, say 2 x, answered a x → open, answered!=x~x
    ask 3 -, ask 1 a, answered - x → answered!~x, open
    ask 1 a, answered - x → open`,
  "an end that names nobody means the question that we cancelled, else the only open one": `
    ask 1 a, ask 2 b, drop 2, cancelled - → open, cancelled!
    ask 1 a, ask 2 b, drop 1, say 2 x, cancelled - → cancelled!, answered=x
    ask 1 a, ask 2 b, say 1 x, cancelled - → cancelled!=x, open
    ask 1 a, cancelled - → cancelled!
    ask 1 a, interrupted - → closed!
    ask 1 a, answered a x, ask 2 b, cancelled - → answered!~x, cancelled!
    ask 1 a, ask 2 b, say 1 x, interrupted - → closed!=x, open
    ask 1 -, say 1 x, answered a x, interrupted - → answered!=x~x
    ask 1 a, ask 2 -, failed - m → open, closed! m
    ask 1 a, cancelled -, ask 1 - Why?, refused - short, ask 2 a, failed - m → cancelled!, open short, closed! m`,
  "several that could be meant stay open until as many events came as there are questions": `
    ask 1 a, ask 2 b, interrupted - → open, open
    ask 1 a, ask 2 b, interrupted -, interrupted - → closed!, closed!
    ask 1 a, ask 2 b, interrupted -, answered b x → closed!, answered!~x
    ask 1 a, ask 2 b, refused - short, interrupted - → closed!, closed!
    ask 1 a, ask 2 b, interrupted -, refused - short → closed!, closed!
    ask 1 a, ask 2 b, cancelled - → open, open
    ask 1 a, ask 2 b, refused - short → open, open
    ask 1 a, ask 2 b, failed - terminal → open, open`,
  "an event that names another asker means no other question": `
    ask 1 a, refused b short → open
    ask 1 a, failed b terminal → open
    ask 1 a, cancelled b → open
    ask 1 a, interrupted b → open
    ask 1 a, starts b, cancelled -, failed - m → open
    ask 1 a, ask 2 b, interrupted b → open, closed!
    ask 1 a, ask 2 b, failed b terminal → open, closed! terminal`,
  "a prompt without an invokeid is its start's": `
    starts a, ask 1 -, answered a x → answered!~x
    starts a, ask 1 -, say 1 x, answered a x → answered!=x~x
    starts a, ask 1 -, say 1 x, answered a x, starts b, ask 2 -, interrupted - → answered!=x~x, closed!
    starts a, ask 1 -, say 1 x, answered a x, starts b, ask 2 -, cancelled - → answered!=x~x, cancelled!
    starts a, ask 1 -, say 1 x, answered a x, starts b, ask 2 -, failed - m → answered!=x~x, closed! m
    starts a, ask 1 -, interrupted a → closed!
    starts a, ask 1 -, starts b Why?, ask 2 - Why?, interrupted a → closed!, open
    starts a, ask 1 -, starts b Why?, ask 2 - Why?, answered b x → open, answered!~x
    starts a, starts b, ask 1 -, ask 2 -, say 1 one, say 2 two, answered b one → answered!=one~one, answered=two`,
  "what an unnamed event seemed to say is taken back once a named one tells otherwise": `
    starts a, ask 1 -, starts b Why?, ask 2 - Why?, say 1 x, interrupted - → closed!=x, open
    starts a, ask 1 -, starts b Why?, ask 2 - Why?, say 1 x, interrupted -, answered a x → answered!=x~x, closed!`,
  "two questions alike stay open until both have ended": `
    ask 1 -, ask 2 -, starts a, starts b, answered b x → open, open
    starts a, starts b, ask 1 -, ask 2 -, answered a x → open, open
    starts a, starts b, ask 1 -, ask 2 -, answered b x → open, open
    starts a, starts b, ask 1 -, ask 2 -, answered b x, answered a x → answered!~x, answered!~x`,
}
testStories(STORIES)
