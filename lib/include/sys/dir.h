// Folders, under their older name: dirent.h.
#include <dirent.h>
