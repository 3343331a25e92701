/* A translation unit that defines globals with hidden metadata. */
#include "hidden_global.h"

#include "hidden_meta.h"

META_GLOBAL(struct config, config, 128, {"eye", {1, 2, 3}});
META_GLOBAL(scores, high_scores, 64, {900, 800, 700, 600});
