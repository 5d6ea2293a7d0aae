// Holds the text of --help.
import { agentUsage } from "./agent-command.ts"
import { compareUsage } from "./compare-command.ts"
import { exportUsage } from "./export-command.ts"
import { searchUsage } from "./search-command.ts"
import { sessionsUsage } from "./sessions-command.ts"

export const help = `opentui-sidecar: a terminal screen for LLM agents

opentui-sidecar                        attaches to the agent, or shows your runs; reads the environment
opentui-sidecar attach [URL]           shows a running agent; default ws://127.0.0.1:3737/ws
opentui-sidecar replay RECORDING|DIR   plays a recording (JSONL) or a session directory
opentui-sidecar replay LOG [--parser P]
                                       plays the log of another agent CLI, or Paperclip's log of its run
opentui-sidecar run [--parser P] -- COMMAND …
                                       starts any agent CLI and shows it live
opentui-sidecar demo                   shows a scripted agent at work
opentui-sidecar fold RECORDING|DIR|LOG [--at SEQ|TIME]
                                       prints the folded state as JSON, at the end or at a moment
opentui-sidecar ${sessionsUsage.replaceAll("\n", "\n  ")}
opentui-sidecar ${exportUsage.replaceAll("\n", "\n  ")}
opentui-sidecar ${compareUsage.replaceAll("\n", "\n  ")}
opentui-sidecar ${searchUsage.replaceAll("\n", "\n  ")}
opentui-sidecar ${agentUsage.replaceAll("\n", "\n  ")}

Screen:
  --plain                         OPENTUI_PLAIN=1; labelled lines, also without a terminal or with TERM=dumb
  --times full|short|no           OPENTUI_TIMES; how plain lines tell the time: +01:08.156, 1m08s or not at all
  --theme dark|light|auto         OPENTUI_THEME
  --colors truecolor|256|16|none  OPENTUI_COLORS, NO_COLOR
  --ascii                         OPENTUI_ASCII=1
  --reduced-motion                OPENTUI_REDUCED_MOTION=1
  --no-mouse                      OPENTUI_MOUSE=0; F2 too, on the screen; without it Shift-drag selects
  --read-only                     OPENTUI_READ_ONLY=1
  --no-bell, --no-title, --no-notify
                                  OPENTUI_BELL=0, OPENTUI_TITLE=0, OPENTUI_NOTIFY=0; how a question alerts you
  --segments xml|json|sentinel|api_tool_call
                                  OPENTUI_SEGMENTS, else AUTOBYTEUS_STREAM_PARSER; default api_tool_call
  --on-agent-exit stay|leave      OPENTUI_ON_AGENT_EXIT
Live:
  --allow-remote                  OPENTUI_ALLOW_REMOTE=1; without it, only agents on this machine
  --session-dir DIR               ESCAPEMENT_SESSION_DIR; the run's session directory
                                  OPENTUI_WS_URL, OPENTUI_WS_PORT, OPENTUI_WS_TOKEN
  --record FILE                   OPENTUI_RECORD; appends every raw frame, to replay later; R starts and stops it
Any agent CLI:
  --parser PACKAGE|FILE|escapement  the CLI's ui-parser; without it, every line is plain text
Replay:
  --timing instant|paced|wallclock  OPENTUI_REPLAY, OPENTUI_REPLAY_TIMING
  --speed N                       scales paced and wallclock
  --idle-limit SECONDS            OPENTUI_IDLE_LIMIT; shortens longer pauses; default 2
  --loop                          OPENTUI_REPLAY_LOOP=1
  --at SEQ|TIME                   opens paused there: 812, e2/812, #1204, 50%, +12.5s, 14:03:22
  --pause-at EXPR                 pauses when this becomes true, also live: state=review, error, tokens>4000

  -h, --help      prints this
  -V, --version   prints the version
  --doctor        prints what this terminal can do
On the screen, ? shows the keys.
`
