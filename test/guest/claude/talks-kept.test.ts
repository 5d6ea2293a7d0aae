// Keeps conversations with Claude Code: what a person sees, and what the agent hears.
import { keepTalks } from "../talks.ts"

keepTalks("claude-tools", "claude-choices", "claude-endings", "claude-more", "claude-rare")
