// What the model says in each of the runs that the readers are tried with.
import type { Script } from "./fake-model.ts"

const TOOLS: Script = {
  main: [
    {
      ...{
        think: "The user wants the files.",
        text: "I look at the files.",
        bash: ["cat note.txt", "cat missing.txt"],
      },
      tokens: { fresh: 100, written: 3000, output: 50, reasoning: 5 },
    },
    { text: "Once more.", bash: ["wc -l note.txt"], tokens: { fresh: 110, read: 3000, written: 500, output: 51 } },
    {
      ...{
        think: "I have all.",
        text: 'The note has **3** lines – "naïve" café ✓ 日本語.\n\n```sh\ncat note.txt\n```',
      },
      tokens: { fresh: 120, read: 3500, written: 500, output: 52, reasoning: 4 },
    },
  ],
}

const SUBAGENTS: Script = {
  main: [
    {
      text: "I send two helpers.",
      agents: ["[[a]] count", "[[b]] count"],
      tokens: { fresh: 120, written: 3000, output: 60 },
    },
    { text: "Both say 3.", tokens: { fresh: 130, read: 3000, written: 100, output: 9 } },
  ],
  a: [
    { text: "Looking.", bash: ["wc -l note.txt"], tokens: { fresh: 50, written: 800, output: 20 } },
    { text: "3 lines.", tokens: { fresh: 55, read: 800, written: 50, output: 5 } },
  ],
  b: [
    {
      think: "Hm.",
      text: "Looking too.",
      bash: ["sleep 1; wc -l note.txt"],
      tokens: { fresh: 51, written: 800, output: 21 },
    },
    { text: "3 lines!", tokens: { fresh: 56, read: 800, written: 50, output: 6 } },
  ],
}

/** The same for CLIs whose main loop doesn't wait: it does something else meanwhile. */
const HELPERS: Script = {
  ...SUBAGENTS,
  main: [
    ...(SUBAGENTS.main ?? []).slice(0, 1).map(turn => ({ ...turn, goesOn: true })),
    {
      text: "I wait.",
      bash: ["sleep 4; wc -l note.txt"],
      tokens: { fresh: 125, read: 3000, written: 100, output: 10 },
    },
    ...(SUBAGENTS.main ?? []).slice(1),
  ],
}

const RETRIED: Script = {
  main: [
    { refuses: { status: 529, message: "Overloaded" } },
    { text: "Now it works.", tokens: { fresh: 140, read: 1000, written: 10, output: 7 } },
  ],
}

const REFUSED: Script = { main: [{ refuses: { status: 400, message: "this model is not for you" } }] }

/** Two prompts in one process, or one after another in the same session. */
const TWICE: Script = {
  main: [
    { text: "First reply.", bash: ["cat note.txt"], tokens: { fresh: 100, written: 2000, output: 30 } },
    { text: "The note is short.", tokens: { fresh: 20, read: 2000, written: 100, output: 11 } },
    { text: "Second reply.", tokens: { fresh: 30, read: 2100, written: 50, output: 12 } },
  ],
}

/** A command that a CLI asks a person about. */
const asks = (command: string) => ({
  main: [
    { text: "I make a file.", bash: [command], escalates: true, tokens: { fresh: 100, written: 2000, output: 30 } },
    { text: "That was it.", tokens: { fresh: 20, read: 2000, written: 100, output: 11 } },
  ],
})

/** What a reply says that then goes on without an end. */
export const LAST_WORD = "on-and-on"

const choice = (...labels: readonly string[]) => ({
  options: labels.map(label => ({ label, description: `${label} it is` })),
  multiSelect: false,
})

/** The scripts of conversations, in which a person answers. */
export const TALKS = {
  allowed: asks("touch allowed.txt && echo made"),
  denied: asks("touch denied.txt && echo made"),
  edited: asks("touch given.txt && echo made"),
  left: asks("touch denied.txt && echo made"),
  held: { main: [{ text: "Hello." }, ...asks("touch allowed.txt && echo made").main] },
  cancelled: { main: [{ text: `This goes ${LAST_WORD}`, hangs: true }] },
  killed: { main: [{ text: `This goes ${LAST_WORD}`, hangs: true }] },
  thrice: {
    main: [1, 2, 3].map(n => ({ text: `Reply ${n}.`, tokens: { fresh: 100 * n, read: 1000, output: 10 * n } })),
  },
  modelled: { main: [1, 2].map(n => ({ text: `Reply ${n}.`, tokens: { fresh: 100 * n, output: 10 * n } })) },
  loaded: { main: [1, 2].map(n => ({ text: `Reply ${n}.`, tokens: { fresh: 100 * n, output: 10 * n } })) },
  chosen: { main: [{ text: "Hello.", tokens: { fresh: 100, output: 10 } }] },
  sessions: {
    main: [{ text: "Reply a.", tokens: { fresh: 100, output: 10 } }],
    b: [{ text: "Reply b.", tokens: { fresh: 200, output: 20 } }],
  },
  formed: {
    main: [
      {
        text: "I ask.",
        questions: [
          { question: "Which colour?", header: "Colour", ...choice("Red", "Blue") },
          { question: "Which size?", header: "Size", ...choice("Small", "Large") },
        ],
        tokens: { fresh: 100, output: 30 },
      },
      { text: "A large red one.", tokens: { fresh: 20, output: 11 } },
    ],
  },
} as const satisfies { readonly [name: string]: Script }

export type TalkName = keyof typeof TALKS

export const SCRIPTS = {
  ...{ tools: TOOLS, subagents: SUBAGENTS, helpers: HELPERS, retried: RETRIED, refused: REFUSED, twice: TWICE },
} as const

export type ScriptName = keyof typeof SCRIPTS
