// Tests which question is meant by an event that names none, or only its asker (docs/decisions.md section 3).
import { testStories } from "../questions.ts"

testStories("which-question")
testStories("prompts")
