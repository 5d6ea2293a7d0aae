// Every story, in the order in which they are listed.
import { overlayStories } from "./overlays.ts"
import { paneStories } from "./panes.ts"
import type { Story } from "./story.ts"

export const stories: readonly Story[] = [...paneStories, ...overlayStories]
