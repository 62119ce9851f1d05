#include "web_assets.h"

/* A word of C23 that clang knows in C17 too. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t assets[] = {
#embed "assets.bin"
};

const size_t trackme_web_assets_size = sizeof(assets);

const uint8_t *trackme_web_assets(void) { return assets; }
