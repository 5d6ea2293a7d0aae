// Describes every command: what it takes and does, with examples. Help and completions are made of it.
import { AGENT_OPTIONS } from "../agent-command.ts"
import { CHECK_OPTIONS } from "../check/check-command.ts"
import { COMPARE_OPTIONS } from "../compare-command.ts"
import { EXPORT_OPTIONS } from "../export-command.ts"
import { FOLD_OPTIONS } from "../fold-command.ts"
import { LEDGER_OPTIONS } from "../ledger-command.ts"
import type { OptionTable } from "../option.ts"
import { COMMAND_OPTIONS, HOOK_OPTIONS } from "../option-table.ts"
import { SEARCH_OPTIONS } from "../search-command.ts"

export interface CommandEntry {
  /** Empty for the start without a command. */
  readonly name: string
  readonly takes: string
  /** One line, in the third person. */
  readonly does: string
  readonly more?: string
  readonly options: OptionTable
  /** Command lines without the program's name, and what each is for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[]
  /** The values of the only argument, if it is a word of a list. */
  readonly words?: readonly string[]
}

export const SHELLS = ["bash", "zsh", "fish"] as const

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "",
    takes: "",
    does: "attaches to the agent, or shows your runs; reads the environment",
    options: COMMAND_OPTIONS[""],
    examples: [["", "the runs below .escapement, or the agent that answers already"]],
  },
  {
    name: "attach",
    takes: "[URL]",
    does: "shows a running agent; default ws://127.0.0.1:3737/ws",
    options: COMMAND_OPTIONS.attach,
    examples: [
      ["attach ws://127.0.0.1:4000/ws", "an agent on another port"],
      ["attach --plain --timeout 10 | tee run.txt", "as text, in a script"],
    ],
  },
  {
    name: "replay",
    takes: "RECORDING|DIR|LOG",
    does: "plays a recording (JSONL), a session directory or the log of another agent CLI",
    options: COMMAND_OPTIONS.replay,
    examples: [
      ["replay run.jsonl --at 14:03:22", "a run, paused at a moment"],
      ["replay agent.log --parser ./ui-parser.js", "what another CLI has printed"],
    ],
  },
  {
    name: "run",
    takes: "CLI PROMPT | -- COMMAND …",
    does: "starts any agent CLI and shows it live; exits with its exit code",
    options: COMMAND_OPTIONS.run,
    examples: [
      ['run claude "why does the test fail?"', "Claude Code, with the flags that make it stream"],
      ['run opencode acp "make it faster"', "an agent that asks what it may do, and takes further prompts"],
      ["run --acp -- my-agent serve", "any agent that speaks the Agent Client Protocol"],
      ["run --parser escapement -- escapement run chart.edn", "an agent as Paperclip starts it"],
    ],
  },
  {
    name: "demo",
    takes: "",
    does: "shows a scripted agent at work",
    options: COMMAND_OPTIONS.demo,
    examples: [["demo", "to try the keys"]],
  },
  {
    name: "sessions",
    takes: "[ROOT]",
    does: "lists the runs below ROOT; default .escapement",
    more:
      "Shows how each is doing, when, how long, tokens, and what happened last. In a terminal it is the home screen, " +
      "where Enter opens a run. Into a pipe, or with --as json, it is a list, which without ROOT also has the sessions " +
      "of the agent CLIs on this machine.",
    options: COMMAND_OPTIONS.sessions,
    examples: [["sessions | grep failed", "the runs that failed"]],
  },
  {
    name: "fold",
    takes: "RECORDING|DIR|LOG …",
    does: "prints the folded state as JSON, at the end or at a moment; of several runs, a list",
    options: FOLD_OPTIONS,
    examples: [["fold run.jsonl --at 50%", "the state halfway"]],
  },
  {
    name: "export",
    takes: "RECORDING|DIR|LOG …",
    does: "exports a run to read, to replay (JSONL) or for a trace store (OTLP), with likely secrets removed",
    more: "From a DIR, a document to read includes the captured texts in full; an excerpt is marked as one.",
    options: EXPORT_OPTIONS,
    examples: [
      ["export run.jsonl --as html -o run.html", "a page to read and send"],
      ["export run.jsonl --as jsonl --where 'session=worker'", "the frames of one session"],
      ["export --since 1d --as md -o yesterday", "a document for each run and session since yesterday"],
    ],
  },
  {
    name: "compare",
    takes: "A B …",
    does: "shows two runs side by side, or more in a table",
    more:
      "Compares outcome, time, usage (also by state and model), errors, the states, and the first turn that differs in " +
      "each session, with its prompt or reply. Differences are marked. Of more than two runs it prints a row each, with " +
      "their median and 95th percentile.",
    options: COMPARE_OPTIONS,
    examples: [["compare good.jsonl bad.jsonl", "where a run went another way"]],
  },
  {
    name: "check",
    takes: "RECORDING|DIR|LOG …",
    does: "looks for trouble in runs: exits with 0 if there is none, with 1 if there is some",
    more:
      "Finds errors, failed tools that were not retried, the same call again and again, retries, replies " +
      "that were cut or refused, silence, a context that fills up, input that grows, runs that cost too much or take " +
      "too long, and states that were never entered. Each finding is a line with the place where it began, and the " +
      "worst that came of it. Likely secrets are removed.",
    options: CHECK_OPTIONS,
    examples: [
      ["check runs/*/transcript.jsonl --as junit > check.xml", "for a build server"],
      ["check --since 1d", "what failed since yesterday, of agent CLIs too"],
      ["check run.jsonl --reach review --duration 600", "with limits of your own"],
    ],
  },
  {
    name: "search",
    takes: "TEXT [DIR|RECORDING|LOG …]",
    does: "searches a run, or all runs below DIR; default .escapement",
    more: "Searches prompts, replies, tool calls and results, questions and artifacts.",
    options: SEARCH_OPTIONS,
    examples: [["search 'no such file' run.jsonl", "who saw the error"]],
  },
  {
    name: "ledger",
    takes: "[DIR|RECORDING|LOG …]",
    does: "prints what runs used and cost, by day, model, CLI, chart, directory, run or turn",
    more:
      "Reads all runs below each DIR. Without one, those below .escapement and the sessions of the agent CLIs on this " +
      "machine. A sum that ends with + holds replies of unknown cost. --by turn lists the dearest turns.",
    options: LEDGER_OPTIONS,
    examples: [
      ["ledger --since 7d --by model", "what each model cost this week"],
      ["ledger run.jsonl --by turn --top 5", "the dearest turns of a run"],
    ],
  },
  {
    name: "acp-tee",
    takes: "-- COMMAND …",
    does: "stands where an editor starts its agent: passes every byte on, and keeps what both say as a run",
    more: "Home lists the run while it goes on. It is only read: the editor alone answers.",
    options: {},
    examples: [["acp-tee -- gemini --acp", "as the command of an agent in an editor's settings"]],
  },
  {
    name: "hook",
    takes: "",
    does: "is a PermissionRequest hook for Claude Code: the open screen answers what it asks",
    more: "Where no screen is open or none answers, it decides nothing, and the CLI asks as always.",
    options: HOOK_OPTIONS,
    examples: [["hook --print", "what to add to settings.json; nothing is installed"]],
  },
  {
    name: "agent",
    takes: "RECORDING",
    does: "plays a recording to every client that attaches, as the real agent would",
    options: AGENT_OPTIONS,
    examples: [["agent run.jsonl --port 3737 --debug", "an agent to attach to, with a debugger"]],
  },
  {
    name: "config",
    takes: "",
    does: "prints every option and key with its value, and where that comes from",
    more:
      "An option is what its flag says, else its variable, else config.toml in $XDG_CONFIG_HOME/opentui-sidecar " +
      "(~/.config/opentui-sidecar).",
    options: COMMAND_OPTIONS.config,
    examples: [["config | grep -v default", "what was changed"]],
  },
  {
    name: "completion",
    takes: SHELLS.join("|"),
    does: "prints the completions for a shell",
    options: {},
    words: SHELLS,
    examples: [["completion bash > ~/.local/share/bash-completion/completions/opentui-sidecar", "for bash"]],
  },
  {
    name: "help",
    takes: "[COMMAND]",
    does: "explains a command",
    options: {},
    examples: [["help export", "one command"]],
  },
]

export const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  [
    "0",
    "you quit; the agent that started the screen died; a command succeeded; search found, compare saw no difference, check found nothing",
  ],
  [
    "1",
    "a failure, as of a disk; a crash that plain lines could not survive; search found nothing, compare a difference, check something",
  ],
  ["2", "bad usage, no recording, or a file without frames: one line on stderr, and the screen never opened"],
  ["3", "no agent answered within --timeout"],
  ["the command's", "of run: its own exit code, 128 + n after signal n, 127 if it could not start"],
  ["129, 130, 131, 143", "SIGHUP, SIGINT, SIGQUIT, SIGTERM"],
]

/** The command of that name; undefined if there is none. */
export function commandNamed(name: string): CommandEntry | undefined {
  return COMMANDS.find(command => command.name === name)
}
