// Says how the program is called.
import { agentUsage } from "./agent-command.ts"
import { compareUsage } from "./compare-command.ts"
import { exportUsage } from "./export-command.ts"
import { searchUsage } from "./search-command.ts"
import { sessionsUsage } from "./sessions-command.ts"

export const help = `opentui-sidecar: a terminal for LLM agents

opentui-sidecar                        as an agent starts it: the environment decides
opentui-sidecar attach [URL]           a running agent; default ws://127.0.0.1:3737/ws
opentui-sidecar replay RECORDING|DIR   a recording (JSONL), or a session directory
opentui-sidecar replay LOG [--parser P]
                                       a run that another agent CLI logged, Paperclip's logs too
opentui-sidecar run [--parser P] -- COMMAND …
                                       any agent CLI, read by its adapter's ui-parser
opentui-sidecar demo                   a scripted agent, to look around
opentui-sidecar fold RECORDING|DIR|LOG [--at SEQ|TIME]
                                       the folded state as JSON, at its end or there
opentui-sidecar ${sessionsUsage}
opentui-sidecar ${exportUsage.replaceAll("\n", "\n  ")}
opentui-sidecar ${compareUsage.replaceAll("\n", "\n  ")}
opentui-sidecar ${searchUsage.replaceAll("\n", "\n  ")}
opentui-sidecar ${agentUsage.replaceAll("\n", "\n  ")}

On the screen:
  --plain                         OPENTUI_PLAIN=1; labelled lines, also where there is no terminal or TERM=dumb
  --theme dark|light|auto         OPENTUI_THEME
  --colors truecolor|256|16|none  OPENTUI_COLORS, NO_COLOR
  --ascii                         OPENTUI_ASCII=1
  --reduced-motion                OPENTUI_REDUCED_MOTION=1
  --mouse                         OPENTUI_MOUSE=1
  --no-bell, --no-title, --no-notify
                                  OPENTUI_BELL=0, OPENTUI_TITLE=0, OPENTUI_NOTIFY=0: how a question calls you
  --segments xml|json|sentinel|api_tool_call
                                  OPENTUI_SEGMENTS, else AUTOBYTEUS_STREAM_PARSER; default api_tool_call
  --on-agent-exit stay|leave      OPENTUI_ON_AGENT_EXIT
Live:
  --allow-remote                  OPENTUI_ALLOW_REMOTE=1; only loopback without it
  --session-dir DIR               ESCAPEMENT_SESSION_DIR; where the run is kept on this disk
                                  OPENTUI_WS_URL, OPENTUI_WS_PORT, OPENTUI_WS_TOKEN
  --record FILE                   OPENTUI_RECORD; appends every frame, raw, to be replayed; R starts and stops it
Any agent CLI:
  --parser PACKAGE|FILE|escapement  its ui-parser; without it every line is plain text
Replay:
  --timing instant|paced|wallclock  OPENTUI_REPLAY, OPENTUI_REPLAY_TIMING
  --speed N                       scales paced and wallclock
  --idle-limit SECONDS            OPENTUI_IDLE_LIMIT; longer gaps are shortened, default 2
  --loop                          OPENTUI_REPLAY_LOOP=1
  --at SEQ|TIME                   opens paused there: 812, e2/812, #1204, +12.5s, 14:03:22
  --pause-at EXPR                 pauses where this comes true, live too: state=review, error, tokens>4000

  -h, --help      this
  -V, --version   the version
  --doctor        what this terminal can do
? shows the keys.
`
