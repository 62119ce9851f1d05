#include "country_outlines.h"

/* A word of C23 that clang knows in C17 too. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t outlines[] = {
#embed "outlines.bin"
};

const size_t trackme_country_outlines_size = sizeof(outlines);

const uint8_t *trackme_country_outlines(void) { return outlines; }
