// Lists every story.
import { homeStories } from "./home.ts"
import { overlayStories } from "./overlays.ts"
import { paletteStories } from "./palette.ts"
import { paneStories } from "./panes.ts"
import { rareStories } from "./rare.ts"
import type { Story } from "./story.ts"

export const stories: readonly Story[] = [
  ...paneStories,
  ...overlayStories,
  ...paletteStories,
  ...homeStories,
  ...rareStories,
]
