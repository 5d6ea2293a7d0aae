// Documents the adapter for models that configure agents: when to use it, when not, and its fields.

export const agentConfigurationDoc = `# escapement_local agent configuration

Adapter: escapement_local
Runs a statechart with the Escapement CLI on the machine of the Paperclip server: \`escapement run <chart> --no-tui\`.

Use when:
- The work is described by an Escapement statechart that is on this machine (several models, phases, gates, tools).
- A run that was stopped on its way must go on from its checkpoint. A chart that has ended starts anew at the next wake.
- Runs must leave a transcript that can be replayed and searched turn by turn.

Don't use when:
- There is no chart. A free-form coding task belongs to claude_local, codex_local or another CLI agent.
- You want to run one command once: use the process adapter.
- The chart asks people questions: nobody can answer in a terminal there, so the run stops with the question.
- The agent's environment is remote (ssh, sandbox): this adapter runs on the server's machine only.
- The \`escapement\` command is not installed on that machine.

Example of a wrong choice: "fix the failing test in repo X" with escapement_local and no chart. It fails at once with
escapement_chart_missing.

Core fields:
- chart (string, required): the statechart as \`escapement run\` takes it: its name (my.team/agent), or its file's
  absolute path. The .escapement.edn in the run's directory (the issue's workspace, the agent's home or cwd) finds names.
- cwd (string): absolute working directory; an issue's workspace overrides it.
- command (string, default "escapement"): the agent's executable, by name or absolute path.
- model (string): the agent's --model; empty leaves it to the chart.
- backend (string): the agent's --backend.
- promptTemplate (string): the server refuses it for new agents: write AGENTS.md in the instructions. Rendered on every
  run, with {{agentId}} {{companyId}} {{runId}} {{company.id}} {{agent.id}} {{agent.name}} {{run.id}} {{context.…}}.
  Default: "You are agent {{agent.id}} ({{agent.name}}). Continue your Paperclip work." Wake and task text follow it.
- promptParam (string, default "prompt"): the chart's parameter that receives the prompt, as an EDN string.
- params (object, or lines of key=value): further --param values; EDN, visible to other users of the machine.
- input (string): EDN file for --input.
- instructionsFilePath (string): a text file whose content precedes the prompt; the server sets it to its AGENTS.md.
- workDir (string, default ".escapement" below cwd): where sessions, transcripts and checkpoints are kept.
- logLevel (string): the agent's --log-level.
- env (object of strings): added to the environment. Put secrets here, never in prompts or params. A
  PAPERCLIP_API_KEY here overrides the server's.
- timeoutSec (number, default 0): seconds after which the run and all its processes are ended; 0 is no limit, and
  testEnvironment warns about it.
- graceSec (number, default 15): seconds between SIGTERM and SIGKILL.

Dangerous fields (development only; production should not use them):
- extraArgs (string or list): passed to the agent unchecked. \`--api-server PORT\` opens a control port without
  authentication; \`--debug\` pauses the run until someone steps it; \`--tui=opentui\` needs a terminal and hangs.
- command, chart, params: setting them runs arbitrary code as the server's user. Charts call tools without asking.
- timeoutSec 0: a runaway chart spends money until someone stops it.

Paperclip's skills are linked into a temporary directory for the run, named by PAPERCLIP_SKILLS_DIR. Nothing is written
to cwd except what the agent writes to workDir.
`
