/* Ordinary declarations: nothing here knows about metadata. */
#ifndef HIDDEN_GLOBAL_H
#define HIDDEN_GLOBAL_H

struct config {
    char name[32];
    int level[8];
};
extern struct config config;

typedef int scores[8];
extern scores high_scores;

#endif
